//! A Rust library that is unrelated to Vitalwire.

/// Adds the numbers up to `up_to` on a thread, after a caught panic.
#[unsafe(no_mangle)]
pub extern "C" fn other_library_sum(up_to: u64) -> u64 {
    std::panic::set_hook(Box::new(|_| {}));
    let panicked = std::thread::spawn(|| panic!("as it should")).join().is_err();
    let numbers: Vec<u64> = (1..=up_to).collect();
    if panicked { numbers.iter().sum() } else { 0 }
}
