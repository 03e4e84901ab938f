//! Oracle for memory: it must grow at most linearly with the body.

use crate::allocations;

/// Memory that decoding may use in addition to a multiple of the body, in bytes.
pub const BASE: usize = 64 * 1024;

/// Maximum memory in bytes per byte of a body. The densest body is a list of empty objects: three bytes each, up to 300 in memory, and
/// twice that while the list grows. The core's own budget is tighter, but begins at 32 MiB, which no input here reaches.
const FACTOR: usize = 300;

/// Runs `work` on a body and checks the peak memory against its size.
pub fn check_memory<T>(body: &[u8], work: impl FnOnce(&[u8]) -> T) -> T {
    let (result, peak) = allocations::measure_peak(|| work(body));
    let limit = BASE + body.len() * FACTOR;
    assert!(peak <= limit, "{} bytes of body took {peak} bytes of memory, more than {limit}", body.len());
    result
}
