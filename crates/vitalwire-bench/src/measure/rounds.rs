//! Two ways in turn, round by round, and the median of the rounds' ratios.
//!
//! criterion and divan measure one function to its end before the next; a neighbour's load or a clock change between the two
//! would then be taken for a difference. Within a round of some ten milliseconds both sides meet the same machine.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Effort;

/// What a comparison found.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Median time of one run of ours, in seconds.
    pub ours: f64,
    /// Median time of one run of the baseline, in seconds.
    pub baseline: f64,
    /// Median of each round's baseline time by our time: above 1, ours is faster.
    pub speed: f64,
}

/// The middle value; NaN of none.
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

/// Compares two ways to do one thing.
///
/// # Errors
/// What a side fails with.
pub fn compare(effort: Effort, mut ours: impl FnMut() -> Result<()>, mut baseline: impl FnMut() -> Result<()>) -> Result<Pair> {
    // Warm: caches, allocator, lazily made statics.
    slice(effort.slice, &mut ours)?;
    slice(effort.slice, &mut baseline)?;
    let mut taken = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..effort.rounds {
        // Who goes first changes each round.
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

/// Seconds of one run, over as many runs as fit in the time; at least one.
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
    fn a_side_that_takes_longer_is_seen_to() {
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
