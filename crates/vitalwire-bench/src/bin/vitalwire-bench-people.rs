//! Reads a year of days of a thousand people with all effects from a sandbox and measures its memory. A separate program, because counting
//! costs time.

#![forbid(unsafe_code)]

use std::alloc::System;
use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use vitalwire_bench::measure::server;
use vitalwire_bench::report::Line;
use vitalwire_bench::sandbox;
use vitalwire_sandbox::Effects;

#[global_allocator]
static PEAK: PeakMemAlloc<&StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

const PEOPLE: usize = 1_000;
/// Share of days without data.
const MISSING: f64 = 0.1;
/// Number of people read before counting begins, so that lazily created values are not counted.
const WARM_UP_PEOPLE: usize = 20;
/// Maximum growth of the memory in use, in megabytes: less than a kilobyte per person.
const MAX_GROWTH: f64 = 0.5;
/// Maximum peak above the memory in use at the start, in megabytes.
const MAX_PEAK: f64 = 2.0;

fn megabytes_in_use() -> f64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    megabytes(stats.bytes_allocated) - megabytes(stats.bytes_deallocated)
}

#[expect(clippy::cast_precision_loss, reason = "some thousand million bytes")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn main() -> Result<()> {
    let runtime = server::runtime()?;
    let app = sandbox::builder(PEOPLE).missing(MISSING).effects(Effects::all()).app("http://127.0.0.1")?;
    let (router, path) = (app.router(), sandbox::year_of_days());
    let read = |people: &[vitalwire_sandbox::Person]| -> Result<usize> {
        runtime.block_on(async {
            let mut bytes = 0;
            for person in people {
                bytes += sandbox::read(&router, &path, &person.token).await?;
            }
            Ok(bytes)
        })
    };
    read(&app.people()[..WARM_UP_PEOPLE])?;
    let before = megabytes_in_use();
    PEAK.reset_peak_memory();
    let started = Instant::now();
    let bytes = read(app.people())?;
    let (seconds, peak, growth) = (started.elapsed().as_secs_f64(), megabytes(PEAK.get_peak_memory()), megabytes_in_use() - before);
    let text = format!("{:.0} MB in {seconds:.1} s", megabytes(bytes));
    let lines = [
        Line::new("sandbox, MB kept for 1,000 people x 365 days", text.clone(), String::new(), growth).at_most(MAX_GROWTH),
        Line::new("sandbox, MB at once for 1,000 people x 365 days", text, String::new(), peak).at_most(MAX_PEAK),
    ];
    for line in lines {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}
