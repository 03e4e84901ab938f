//! Comparison in rounds: runs all alternatives in turn, and reports medians of the rounds' ratios.
//!
//! criterion, divan and pytest-benchmark finish one function before they measure the next, so a change of load or clock speed in between
//! appears as a difference. In a round, all alternatives run under the same conditions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Deserialize;

/// Time budget of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Number of rounds.
    pub rounds: usize,
    /// Time of each alternative per round. An alternative that takes longer runs once.
    pub slice: Duration,
}

impl Budget {
    /// For reliable results: about two minutes in total.
    pub const FULL: Self = Self { rounds: 31, slice: Duration::from_millis(40) };
    /// For a quick look: about half a minute in total.
    pub const QUICK: Self = Self { rounds: 9, slice: Duration::from_millis(25) };
    /// The same for programs in other languages, with slices that include garbage collection.
    pub const PROGRAM: Self = Self { rounds: 21, slice: Duration::from_millis(100) };
    /// The same for a quick look.
    pub const QUICK_PROGRAM: Self = Self { rounds: 5, slice: Duration::from_millis(40) };
}

/// Average time of a run, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    /// Elapsed time.
    pub wall: f64,
    /// Processor time of all threads; 0 if it was not measured.
    pub cpu: f64,
}

/// A clock of [`Seconds`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Elapsed time.
    #[default]
    Wall,
    /// Processor time.
    Cpu,
}

/// An implementation to compare. Runs as often as requested.
pub type Alternative<'a> = Box<dyn FnMut(u32) -> Result<Seconds> + 'a>;

/// Returns an alternative that measures the wall time of `run`.
pub fn timed<'a>(mut run: impl FnMut() -> Result<()> + 'a) -> Alternative<'a> {
    Box::new(move |times| {
        let started = Instant::now();
        (0..times).try_for_each(|_| run())?;
        Ok(Seconds { wall: started.elapsed().as_secs_f64() / f64::from(times), cpu: 0.0 })
    })
}

/// Drops a value that an alternative created, which is part of its cost.
///
/// # Errors
/// The error that there is instead.
pub fn consume<T, E: Into<anyhow::Error>>(result: std::result::Result<T, E>) -> Result<()> {
    result.map(|value| drop(black_box(value))).map_err(Into::into)
}

/// Times of each alternative in each round.
#[derive(Debug)]
pub struct Rounds(Vec<Vec<Seconds>>);

impl Rounds {
    /// Returns the median time of one run.
    #[must_use]
    pub fn median(&self, alternative: usize, clock: Clock) -> f64 {
        median(self.seconds(alternative, clock).collect())
    }

    /// Returns the median of the rounds' ratios of two alternatives, by wall time.
    #[must_use]
    pub fn ratio(&self, one: usize, other: usize) -> f64 {
        self.compare(one, other, Clock::Wall, |one, other| one / other)
    }

    /// Compares two alternatives within each round. Returns the median of the results.
    #[must_use]
    pub fn compare(&self, one: usize, other: usize, clock: Clock, compare: impl Fn(f64, f64) -> f64) -> f64 {
        median(self.seconds(one, clock).zip(self.seconds(other, clock)).map(|(one, other)| compare(one, other)).collect())
    }

    fn seconds(&self, alternative: usize, clock: Clock) -> impl Iterator<Item = f64> {
        self.0[alternative].iter().map(move |seconds| if clock == Clock::Cpu { seconds.cpu } else { seconds.wall })
    }
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

/// Runs all alternatives in each round, in an order that changes between rounds.
///
/// # Errors
/// Any error of an alternative.
pub fn compare(budget: Budget, mut alternatives: Vec<Alternative<'_>>) -> Result<Rounds> {
    let times = alternatives.iter_mut().map(|run| runs_per_slice(budget.slice, run)).collect::<Result<Vec<_>>>()?;
    let count = alternatives.len();
    let mut seconds = vec![Vec::new(); count];
    for round in 0..budget.rounds {
        for at in (0..count).map(|turn| (round + turn) % count) {
            seconds[at].push(alternatives[at](times[at])?);
        }
    }
    Ok(Rounds(seconds))
}

/// Warms up an alternative and returns how many runs fill a slice.
fn runs_per_slice(slice: Duration, run: &mut Alternative<'_>) -> Result<u32> {
    let mut times = 1;
    loop {
        let started = Instant::now();
        let seconds = run(times)?;
        if started.elapsed() >= slice / 2 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            let fitting = (slice.as_secs_f64() / seconds.wall).clamp(1.0, 1e6) as u32;
            return Ok(fitting.max(1));
        }
        times *= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!((median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn compare_finds_the_slower_side() {
        let sleeping = |millis| {
            timed(move || {
                sleep(Duration::from_millis(millis));
                Ok(())
            })
        };
        let rounds = compare(Budget { rounds: 5, slice: Duration::from_millis(4) }, vec![sleeping(1), sleeping(4)]).unwrap();
        assert!(rounds.ratio(1, 0) > 1.5 && rounds.median(0, Clock::Wall) < rounds.median(1, Clock::Wall), "{rounds:?}");
        // The processor time was not measured.
        assert!(rounds.compare(0, 1, Clock::Cpu, |one, other| one - other).abs() < f64::EPSILON);
    }
}
