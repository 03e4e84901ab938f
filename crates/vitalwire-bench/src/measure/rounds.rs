//! Paired comparison: runs both sides alternately, and reports the median of the ratios of each round.
//!
//! criterion and divan finish one function before they measure the next, so a change of load or clock speed in between appears as a
//! difference. In a round of about ten milliseconds, both sides run under the same conditions.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Effort;

/// Result of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Median time of one run of ours, in seconds.
    pub ours: f64,
    /// Median time of one run of the baseline, in seconds.
    pub baseline: f64,
    /// Median ratio of the baseline's time to ours. Above 1, ours is faster.
    pub speed: f64,
}

/// Returns the median, or NaN without values.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// Compares two implementations of the same task.
///
/// # Errors
/// Any error of either side.
pub fn compare(effort: Effort, mut ours: impl FnMut() -> Result<()>, mut baseline: impl FnMut() -> Result<()>) -> Result<Pair> {
    // Warm up caches, the allocator and lazily initialized statics.
    slice(effort.slice, &mut ours)?;
    slice(effort.slice, &mut baseline)?;
    let mut taken = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..effort.rounds {
        // Alternate which side runs first.
        let (our_time, base_time) = if round % 2 == 0 {
            let our_time = slice(effort.slice, &mut ours)?;
            (our_time, slice(effort.slice, &mut baseline)?)
        } else {
            let base_time = slice(effort.slice, &mut baseline)?;
            (slice(effort.slice, &mut ours)?, base_time)
        };
        taken[0].push(our_time);
        taken[1].push(base_time);
        taken[2].push(base_time / our_time);
    }
    let [ours, baseline, speed] = taken;
    Ok(Pair { ours: median(ours), baseline: median(baseline), speed: median(speed) })
}

/// Returns the seconds per run, averaged over as many runs as fit in `time`, at least one.
fn slice(time: Duration, run: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let started = Instant::now();
    let mut runs = 0_u32;
    loop {
        run()?;
        runs += 1;
        let elapsed = started.elapsed();
        if elapsed >= time {
            return Ok(elapsed.as_secs_f64() / f64::from(runs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!((median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn compare_finds_the_slower_side() {
        let effort = Effort { rounds: 5, slice: Duration::from_millis(4) };
        let sleep = |millis| {
            move || {
                std::thread::sleep(Duration::from_millis(millis));
                Ok(())
            }
        };
        let pair = compare(effort, sleep(1), sleep(4)).unwrap();
        assert!(pair.speed > 1.5 && pair.ours < pair.baseline, "{pair:?}");
    }
}
