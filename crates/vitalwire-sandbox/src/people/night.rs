//! A night and its hypnogram. Times are seconds since 1970 and lengths seconds, in multiples of 30.

use jiff::civil::Date;

use super::profile::Profile;
use super::responses;
use crate::values::calendar;
use crate::values::rng::Rng;

/// A continuous sleep stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SleepStage {
    pub(crate) name: &'static str,
    pub(crate) start: i64,
    pub(crate) length: i64,
}

/// A night as one device recorded it, dated by its morning.
#[derive(Clone, Debug)]
pub(crate) struct Night {
    pub(crate) date: Date,
    /// Device that recorded it, see [`super::source::Source::part`].
    pub(crate) part: u8,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) stages: Vec<SleepStage>,
}

/// Returns the start and end of a night.
pub(crate) fn bounds(person: &Profile, date: Date) -> (i64, i64) {
    let mut rng = Rng::new(person.key, calendar::day_number(date), "night");
    let late = if responses::is_weekend(date) { person.weekend + responses::weekend_minutes(person, date) } else { 0 };
    let wake = person.wake + late + ((rng.normal() * 14.0) as i64).clamp(-30, 30);
    let length = (person.bed + (rng.normal() * 24.0) as i64).clamp(360, 570) + responses::additional_minutes(person, date);
    let (hour, minute) = ((wake / 60) as i8, (wake % 60) as i8);
    let end = person.unix_seconds(date.at(hour, minute, 0, 0));
    (end - length * 60, end)
}

/// Lengths of deep and REM sleep in each cycle of about 90 minutes, in half minutes. Deep sleep comes early, REM sleep late.
const CYCLES: [(i64, i64); 6] = [(76, 10), (54, 26), (30, 40), (12, 50), (4, 58), (0, 60)];

impl Night {
    /// Returns the night as the device of this part recorded it. `None` if no device was worn.
    pub(crate) fn recorded(person: &Profile, date: Date, part: u8) -> Option<Self> {
        (!person.is_night_missing(date)).then(|| Self::new(person, date, part))
    }

    /// Creates the night as the device of this part recorded it.
    ///
    /// The person's own device (part 0) records start and end correctly. Others are some minutes off. Stages differ between devices.
    pub(crate) fn new(person: &Profile, date: Date, part: u8) -> Self {
        let (mut start, mut end) = bounds(person, date);
        let mut rng = Rng::new(person.key ^ (u64::from(part) << 40), calendar::day_number(date), "hypnogram");
        if part != 0 {
            start += rng.between(-6, 20) * 30;
            end += rng.between(-16, 4) * 30;
        }
        let mut builder = HypnogramBuilder { left: (end - start) / 30, at: start, stages: Vec::new() };
        // The last minutes in bed are always awake.
        let tail = rng.between(2, 12);
        builder.left -= tail;
        let latency = rng.between(8, 36);
        builder.add("awake", responses::latency(person, date).unwrap_or(latency));
        let mut cycle = 0;
        while builder.left > 0 {
            let (deep, dream) = CYCLES[cycle.min(CYCLES.len() - 1)];
            let whole = rng.between(162, 198);
            let deep = if deep > 0 { (deep + rng.between(-4, 6)).max(0) } else { 0 };
            let dream = dream + rng.between(-5, 5);
            let light = whole - deep - dream;
            let before = light * rng.between(40, 60) / 100;
            builder.add("light", before);
            builder.add("deep", deep);
            builder.add("light", light - before);
            builder.add("rem", dream);
            if rng.chance(0.6) {
                builder.add("awake", rng.between(2, 8));
            }
            cycle += 1;
        }
        builder.left = tail;
        builder.add("awake", tail);
        Self { date, part, start, end, stages: builder.stages }
    }

    /// Returns the seconds spent in a stage.
    pub(crate) fn time_in(&self, name: &str) -> i64 {
        self.stages.iter().filter(|stage| stage.name == name).map(|stage| stage.length).sum()
    }

    /// Returns the seconds asleep: light, deep and REM sleep.
    pub(crate) fn time_asleep(&self) -> i64 {
        self.end - self.start - self.time_in("awake")
    }

    /// Returns how often the person woke up between falling asleep and getting up.
    pub(crate) fn interruptions(&self) -> i64 {
        let awake = self.stages.iter().filter(|stage| stage.name == "awake").count();
        i64::try_from(awake).unwrap_or(0).saturating_sub(2)
    }

    /// Returns the score, 40 to 98, from the length, the efficiency and the share of deep and REM sleep.
    pub(crate) fn score(&self) -> i64 {
        let asleep = self.time_asleep() as f64;
        let length = (asleep / (8.0 * 3600.0)).min(1.0);
        let efficiency = asleep / (self.end - self.start) as f64;
        let restful = ((self.time_in("deep") + self.time_in("rem")) as f64 / asleep / 0.45).min(1.0);
        ((length * 45.0 + efficiency * 30.0 + restful * 25.0) as i64).clamp(40, 98)
    }

    pub(crate) fn stage_at(&self, at: i64) -> &'static str {
        self.stages.iter().rev().find(|stage| stage.start <= at).map_or("awake", |stage| stage.name)
    }
}

/// Builder of a hypnogram. `left` is the rest of the night in half minutes.
struct HypnogramBuilder {
    left: i64,
    at: i64,
    stages: Vec<SleepStage>,
}

impl HypnogramBuilder {
    /// Adds a stage, limited to the rest of the night. Extends the last stage if it has the same name.
    fn add(&mut self, name: &'static str, half_minutes: i64) {
        let half_minutes = half_minutes.min(self.left);
        if half_minutes <= 0 {
            return;
        }
        self.left -= half_minutes;
        let length = half_minutes * 30;
        match self.stages.last_mut() {
            Some(last) if last.name == name => last.length += length,
            _ => self.stages.push(SleepStage { name, start: self.at, length }),
        }
        self.at += length;
    }
}

#[cfg(test)]
mod tests;
