//! Counts allocations and the peak memory of each read, and prints one line of JSON for each. A separate program, because counting costs
//! time.

#![forbid(unsafe_code)]

use std::alloc::System;
use std::io::Write;

use anyhow::Result;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use vitalwire_bench::payload::Unknown;
use vitalwire_bench::report::Line;
use vitalwire_bench::subject::{self, Subject};

#[global_allocator]
static PEAK: PeakMemAlloc<&StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

/// Returns the number of allocations, including reallocations, and the peak above the start in bytes.
fn count(read: impl FnOnce() -> Result<()>) -> Result<(usize, usize)> {
    let before = INSTRUMENTED_SYSTEM.stats();
    PEAK.reset_peak_memory();
    read()?;
    let peak = PEAK.get_peak_memory();
    let taken = INSTRUMENTED_SYSTEM.stats() - before;
    Ok((taken.allocations + taken.reallocations, peak))
}

/// Gates for reading a year of hours into columns: the peak in bytes per byte of the body, and the number of allocations.
const MAX_PEAK: f64 = 0.62;
const MAX_ALLOCATIONS: f64 = 61.0;

/// Returns the ratio of two sizes.
fn ratio(one: usize, other: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
    let ratio = one as f64 / other as f64;
    ratio
}

/// Reads a body in both ways. Returns the allocations and the peak of each.
fn count_both(subject: &Subject) -> Result<[(usize, usize); 2]> {
    // Warm up, so that lazily created values are not counted.
    (subject.ours)(&subject.body)?;
    Ok([count(|| (subject.ours)(&subject.body))?, count(|| (subject.plain)(&subject.body))?])
}

fn main() -> Result<()> {
    let mut lines = Vec::new();
    let text = |subject: &Subject, (allocations, peak): (usize, usize)| {
        format!("{allocations} allocations, peak {:.2} x body", ratio(peak, subject.body.len()))
    };
    for (unknown, name) in [(Unknown::None, "memory"), (Unknown::Four, "memory, 4 unknown a row")] {
        for subject in subject::gated(unknown) {
            let [ours, plain] = count_both(&subject)?;
            lines.push(Line::new(format!("{name}: {}", subject.name), text(&subject, ours), text(&subject, plain), ratio(ours.1, plain.1)));
        }
    }
    for (at, subject) in subject::columns(Unknown::None).iter().enumerate() {
        let [ours, plain] = count_both(subject)?;
        let line =
            |what: &str, figure| Line::new(format!("columns, {what}: {}", subject.name), text(subject, ours), text(subject, plain), figure);
        let [peak, allocations] = [line("peak / body", ratio(ours.1, subject.body.len())), line("allocations", ratio(ours.0, 1))];
        lines.extend(if at == 0 { [peak.at_most(MAX_PEAK), allocations.at_most(MAX_ALLOCATIONS)] } else { [peak, allocations] });
    }
    for line in lines {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}
