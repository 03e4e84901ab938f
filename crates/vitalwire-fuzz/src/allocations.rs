//! How much memory a piece of work takes: a global allocator that counts per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes taken and not given back since the last start, and their peak. Plain cells: they need no memory and no destructor.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with counters.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// A block is never larger than `isize::MAX`.
fn add(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_add_unsigned(bytes));
    PEAK.set(PEAK.get().max(LIVE.get()));
}

fn subtract(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_sub_unsigned(bytes));
}

// SAFETY: every call is handed to the system's allocator unchanged; the counters do not allocate.
#[allow(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: the block is from `alloc` above, with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks exist while the content moves.
        add(size);
        // SAFETY: as above.
        let block = unsafe { System.realloc(block, layout, size) };
        subtract(layout.size());
        block
    }
}

/// What `work` gives, and the most bytes it held at once on this thread.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    let outer = PEAK.replace(before);
    let result = work();
    let peak = PEAK.get() - before;
    PEAK.set(outer.max(PEAK.get()));
    (result, usize::try_from(peak).unwrap_or_default())
}
