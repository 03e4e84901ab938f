//! Counts allocations and the peak of each read, one line of JSON each; a program of its own, because counting costs time.

#![forbid(unsafe_code)]

use std::alloc::System;
use std::io::Write;

use anyhow::Result;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use vitalwire_bench::payload::Unknown;
use vitalwire_bench::report::Line;
use vitalwire_bench::subject;

#[global_allocator]
static PEAK: PeakMemAlloc<&StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

/// Allocations, reallocations among them, and the peak above the start in bytes.
fn count(read: impl FnOnce() -> Result<()>) -> Result<(usize, usize)> {
    let before = INSTRUMENTED_SYSTEM.stats();
    PEAK.reset_peak_memory();
    read()?;
    let peak = PEAK.get_peak_memory();
    let taken = INSTRUMENTED_SYSTEM.stats() - before;
    Ok((taken.allocations + taken.reallocations, peak))
}

fn main() -> Result<()> {
    for (unknown, name) in [(Unknown::None, "memory"), (Unknown::Four, "memory, 4 unknown a row")] {
        for subject in subject::gated(unknown) {
            // Once before, so that nothing made lazily counts.
            (subject.ours)(&subject.body)?;
            let ours = count(|| (subject.ours)(&subject.body))?;
            let plain = count(|| (subject.plain)(&subject.body))?;
            #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
            let text = |(allocations, peak): (usize, usize)| {
                format!("{allocations} allocations, peak {:.2} x body", peak as f64 / subject.body.len() as f64)
            };
            #[expect(clippy::cast_precision_loss, reason = "as above")]
            let ratio = ours.1 as f64 / plain.1 as f64;
            let line = Line::new(format!("{name}: {}", subject.name), text(ours), text(plain), ratio);
            writeln!(std::io::stdout(), "{}", serde_json::to_string(&line)?)?;
        }
    }
    Ok(())
}
