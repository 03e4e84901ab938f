//! A library in Rust that has nothing to do with Vitalwire.

/// Adds the numbers up to one, on a thread, after a panic that was caught.
#[unsafe(no_mangle)]
pub extern "C" fn beside_sum(up_to: u64) -> u64 {
    std::panic::set_hook(Box::new(|_| {}));
    let panicked = std::thread::spawn(|| panic!("as it should")).join().is_err();
    let numbers: Vec<u64> = (1..=up_to).collect();
    if panicked { numbers.iter().sum() } else { 0 }
}
