//! Counts allocations and peak memory, and prints one line of JSON for each figure. A separate program, because counting costs time.

#![forbid(unsafe_code)]

use std::alloc::System;
use std::time::Instant;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use vitalwire_bench::payload::Unknown;
use vitalwire_bench::report::{self, Line};
use vitalwire_bench::{decoders, sandbox, server};
use vitalwire_sandbox::Effects;

#[global_allocator]
static PEAK: PeakMemAlloc<&StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

/// Maximum peak of reading a year of hours into columns, in bytes per byte of the body, and maximum number of allocations.
const MAX_PEAK: f64 = 0.62;
const MAX_ALLOCATIONS: f64 = 61.0;

const PEOPLE: usize = 1_000;
/// Share of days without data.
const MISSING: f64 = 0.1;
/// Number of people read before counting begins, so that lazily created values are not counted.
const WARM_UP_PEOPLE: usize = 20;
/// Maximum growth of the memory in use, in megabytes: less than a kilobyte per person.
const MAX_PEOPLE_GROWTH: f64 = 0.5;
/// Maximum peak above the memory in use at the start, in megabytes.
const MAX_PEOPLE_PEAK: f64 = 2.0;

/// A group of benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    Memory,
    Sandbox,
}

#[derive(Debug, Parser)]
struct Options {
    /// Run only these groups.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Group>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    for group in Group::value_variants().iter().filter(|group| options.only.is_empty() || options.only.contains(group)) {
        report::print(match group {
            Group::Memory => columns()?,
            Group::Sandbox => people()?,
        })?;
    }
    Ok(())
}

/// Measures reading a year of hours into columns.
fn columns() -> Result<Vec<Line>> {
    let [interval, ..] = decoders::tables(Unknown::None);
    // Warm up, so that lazily created values are not counted.
    (interval.ours)(&interval.body)?;
    let before = INSTRUMENTED_SYSTEM.stats();
    PEAK.reset_peak_memory();
    (interval.ours)(&interval.body)?;
    let peak = PEAK.get_peak_memory();
    let taken = INSTRUMENTED_SYSTEM.stats() - before;
    let (allocations, share) = (taken.allocations + taken.reallocations, megabytes(peak) / megabytes(interval.body.len()));
    let text = format!("{allocations} allocations, peak {share:.2} x body");
    #[expect(clippy::cast_precision_loss, reason = "a few allocations")]
    let allocations = allocations as f64;
    Ok(vec![
        Line::new("columns, peak / body: interval", text.clone(), String::new(), share).at_most(MAX_PEAK),
        Line::new("columns, allocations: interval", text, String::new(), allocations).at_most(MAX_ALLOCATIONS),
    ])
}

/// Measures reading a year of days of a thousand people with all effects from a sandbox.
fn people() -> Result<Vec<Line>> {
    let runtime = server::runtime()?;
    let app = sandbox::builder(PEOPLE).missing(MISSING).effects(Effects::all()).app("http://127.0.0.1")?;
    let (router, path) = (app.router(), sandbox::year_of_days());
    let read = |people: &[vitalwire_sandbox::Person]| -> Result<usize> {
        people.iter().map(|person| runtime.block_on(sandbox::read(&router, &path, &person.token))).sum()
    };
    read(&app.people()[..WARM_UP_PEOPLE])?;
    let before = megabytes_in_use();
    PEAK.reset_peak_memory();
    let started = Instant::now();
    let bytes = read(app.people())?;
    let (seconds, peak, growth) = (started.elapsed().as_secs_f64(), megabytes(PEAK.get_peak_memory()), megabytes_in_use() - before);
    let text = format!("{:.0} MB in {seconds:.1} s", megabytes(bytes));
    Ok(vec![
        Line::new("sandbox, MB kept for 1,000 people x 365 days", text.clone(), String::new(), growth).at_most(MAX_PEOPLE_GROWTH),
        Line::new("sandbox, MB at once for 1,000 people x 365 days", text, String::new(), peak).at_most(MAX_PEOPLE_PEAK),
    ])
}

fn megabytes_in_use() -> f64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    megabytes(stats.bytes_allocated) - megabytes(stats.bytes_deallocated)
}

#[expect(clippy::cast_precision_loss, reason = "some thousand million bytes")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
