//! Memory grows with the body and not faster.

use crate::allocations;

/// What any decoding may take besides a multiple of its body, in bytes.
const BASE: usize = 64 * 1024;

/// Most bytes in memory for a byte of a body. The densest is a list of empty objects: three bytes each, up to 300 in memory, held
/// twice while the list grows. A body's budget in the core is tighter, and begins at 32 MiB, which no input here reaches.
const FACTOR: usize = 300;

/// Runs `work` over a body and holds its peak against the body's size.
pub fn bounded<T>(body: &[u8], work: impl FnOnce(&[u8]) -> T) -> T {
    let (result, peak) = allocations::peak(|| work(body));
    let limit = BASE + body.len() * FACTOR;
    assert!(peak <= limit, "{} bytes of body took {peak} bytes of memory, more than {limit}", body.len());
    result
}
