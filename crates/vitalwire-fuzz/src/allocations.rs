//! Memory use of a function, measured with a global allocator that counts per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes allocated and not freed since the last start, and their peak. `Cell`s need no allocation and no destructor.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system allocator with counters.
struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// An allocation never exceeds `isize::MAX` bytes.
fn add(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_add_unsigned(bytes));
    PEAK.set(PEAK.get().max(LIVE.get()));
}

fn subtract(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_sub_unsigned(bytes));
}

// SAFETY: every call is forwarded to the system allocator unchanged, and the counters do not allocate.
#[allow(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: the block was allocated by `alloc` above with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks exist while the content is copied.
        add(size);
        // SAFETY: as above.
        let block = unsafe { System.realloc(block, layout, size) };
        subtract(layout.size());
        block
    }
}

/// Runs `work`. Returns its result, and the peak of the bytes allocated on this thread.
pub fn measure_peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    let outer = PEAK.replace(before);
    let result = work();
    let peak = PEAK.get() - before;
    PEAK.set(outer.max(PEAK.get()));
    (result, usize::try_from(peak).unwrap_or_default())
}
