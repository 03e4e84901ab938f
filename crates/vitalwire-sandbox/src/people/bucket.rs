//! Values of an hour in a view, and their aggregation. Days are aggregated from hours, so that both are consistent.

use super::device::DeviceKind;
use super::hours::Hour;
use super::manual_entries::Ride;
use super::profile::Profile;
use super::source::{BODY, HEART, MOVEMENT, View};
use super::stat::Stat;
use super::values::Num;
use crate::values::rng::Rng;

/// Values of one or several hours, in the units of [`Hour`]. Absent values have no source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    steps: Option<i64>,
    walking: Option<i64>,
    running: Option<i64>,
    cycling: Option<i64>,
    active: Option<i64>,
    basal: Option<i64>,
    total: Option<i64>,
    heart: Mean,
    heart_min: Option<i64>,
    heart_max: Option<i64>,
    pub(crate) resting: Option<i64>,
    rmssd: Mean,
    sdnn: Mean,
    skin: Option<i64>,
    pub(crate) sources: ValueSources,
}

/// Sources of the values in a bucket. Bit n stands for source n of the view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ValueSources {
    pub(crate) movement: u32,
    pub(crate) heart: u32,
    pub(crate) body: u32,
    /// Whether the manually entered ride is included.
    pub(crate) ride: bool,
}

/// Running mean.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: i64,
    count: i64,
}

impl Mean {
    fn new(value: i64) -> Self {
        Self { sum: value, count: 1 }
    }

    /// Returns the mean, rounded half up.
    fn rounded(self) -> Option<i64> {
        (self.count > 0).then(|| (self.sum * 2 + self.count).div_euclid(2 * self.count))
    }
}

fn add_to(to: &mut Option<i64>, more: Option<i64>) {
    if let Some(more) = more {
        *to = Some(to.unwrap_or(0) + more);
    }
}

impl Bucket {
    /// Creates the bucket of an hour in a view. `ride` is the ride of the day.
    pub(crate) fn new(person: &Profile, hour: &Hour, view: &View, ride: Option<Ride>) -> Self {
        let mut bucket = Self::default();
        bucket.add_movement(person, hour, view);
        bucket.add_heart(person, hour, view);
        bucket.add_body(person, hour, view);
        if let Some(ride) = ride.filter(|ride| ride.hour == hour.start)
            && view.entries.is_some_and(|source| source.covers(hour.start, hour.end()))
        {
            add_to(&mut bucket.cycling, Some(ride.distance));
            add_to(&mut bucket.active, Some(ride.energy));
            bucket.sources.ride = true;
        }
        bucket.total = bucket.basal.map(|basal| basal + bucket.active.unwrap_or(0));
        bucket
    }

    fn add_movement(&mut self, person: &Profile, hour: &Hour, view: &View) {
        for (at, source) in view.by_precedence(&MOVEMENT).filter(|(_, source)| source.covers(hour.start, hour.end())) {
            // Basal energy is computed, not measured. The first source in order provides it, worn or not.
            if source.kind != DeviceKind::Track && self.basal.is_none() {
                self.basal = Some(hour.basal);
                self.sources.movement |= 1 << at;
            }
            let measured = match source.kind {
                _ if !hour.worn => false,
                DeviceKind::Watch if is_charging(person, hour) => false,
                DeviceKind::Track if hour.running == 0 && hour.cycling == 0 => false,
                DeviceKind::Track => {
                    self.set_distances(hour, 1_000);
                    true
                }
                DeviceKind::Phone => {
                    self.add_phone(person, hour);
                    true
                }
                _ => {
                    self.set_steps(&Hour { steps: hour.steps + hour.miscounted, ..*hour }, 1_000);
                    self.set_distances(hour, 1_000);
                    true
                }
            };
            if measured {
                self.sources.movement |= 1 << at;
                break;
            }
        }
    }

    /// Adds the phone's values. A phone is not always carried, rarely on a run, and does not detect cycling.
    fn add_phone(&mut self, person: &Profile, hour: &Hour) {
        let mut rng = Rng::new(person.key, hour.start, "phone");
        let share = if hour.running > 0 && rng.chance(0.6) { 0 } else { rng.between(780, 970) };
        self.set_steps(hour, share);
        self.set_distances(&Hour { cycling: 0, active: hour.steps * 420, ..*hour }, share);
    }

    /// Sets the steps to `share` thousandths of the actual ones.
    fn set_steps(&mut self, hour: &Hour, share: i64) {
        self.steps = Some(hour.steps * share / 1_000);
        self.walking = Some(hour.walking * share / 1_000);
    }

    fn set_distances(&mut self, hour: &Hour, share: i64) {
        self.running = Some(hour.running * share / 1_000);
        self.cycling = Some(hour.cycling * share / 1_000);
        self.active = Some(hour.active * share / 1_000);
    }

    fn add_heart(&mut self, person: &Profile, hour: &Hour, view: &View) {
        let measures = |kind: DeviceKind| hour.worn && if kind == DeviceKind::Watch { !is_charging(person, hour) } else { hour.asleep };
        let found = view.by_precedence(&HEART).find(|(_, source)| source.covers(hour.start, hour.end()) && measures(source.kind));
        let Some((at, source)) = found else { return };
        // Other devices measure at another part of the body, so they differ slightly.
        let deviation = if source.kind == DeviceKind::Watch { 0 } else { Rng::new(person.key, hour.start, source.slug).between(-1, 1) };
        self.heart = Mean::new(hour.heart + deviation);
        self.heart_min = Some(hour.heart_min + deviation);
        self.heart_max = Some(hour.heart_max + deviation);
        self.sources.heart |= 1 << at;
    }

    fn add_body(&mut self, person: &Profile, hour: &Hour, view: &View) {
        let measures = |kind: DeviceKind| hour.worn && (kind != DeviceKind::Watch || !is_charging(person, hour));
        let found = view.by_precedence(&BODY).find(|(_, source)| source.covers(hour.start, hour.end()) && measures(source.kind));
        let Some((at, _)) = found else { return };
        self.resting = Some(hour.resting);
        self.rmssd = Mean::new(hour.rmssd);
        self.sdnn = Mean::new(hour.sdnn);
        // Devices measure this only in bed.
        self.skin = hour.asleep.then_some(hour.skin);
        self.sources.body |= 1 << at;
    }

    pub(crate) fn merge(&mut self, hour: &Self) {
        add_to(&mut self.steps, hour.steps);
        add_to(&mut self.walking, hour.walking);
        add_to(&mut self.running, hour.running);
        add_to(&mut self.cycling, hour.cycling);
        add_to(&mut self.active, hour.active);
        add_to(&mut self.basal, hour.basal);
        add_to(&mut self.total, hour.total);
        for (mean, more) in [(&mut self.heart, hour.heart), (&mut self.rmssd, hour.rmssd), (&mut self.sdnn, hour.sdnn)] {
            mean.sum += more.sum;
            mean.count += more.count;
        }
        self.heart_min = self.heart_min.into_iter().chain(hour.heart_min).min();
        self.heart_max = self.heart_max.into_iter().chain(hour.heart_max).max();
        self.resting = self.resting.or(hour.resting);
        self.skin = self.skin.or(hour.skin);
        self.sources.movement |= hour.sources.movement;
        self.sources.heart |= hour.sources.heart;
        self.sources.body |= hour.sources.body;
        self.sources.ride |= hour.sources.ride;
    }

    /// Returns an hourly statistic. `None` for missing ones and for those of whole days.
    pub(crate) fn value(&self, stat: Stat) -> Option<Num> {
        match stat {
            Stat::Steps => self.steps.map(Num::Int),
            Stat::Walking => self.walking.map(Num::Dec),
            Stat::Running => self.running.map(Num::Dec),
            Stat::Cycling => self.cycling.map(Num::Dec),
            Stat::Distance => {
                let mut all = None;
                [self.walking, self.running, self.cycling].into_iter().for_each(|part| add_to(&mut all, part));
                all.map(Num::Dec)
            }
            Stat::Active => self.active.map(Num::Dec),
            Stat::Basal => self.basal.map(Num::Dec),
            Stat::Total => self.total.map(Num::Dec),
            Stat::Heart => self.heart.rounded().map(Num::Int),
            Stat::HeartMin => self.heart_min.map(Num::Int),
            Stat::HeartMax => self.heart_max.map(Num::Int),
            Stat::Resting => self.resting.map(Num::Int),
            Stat::Rmssd => self.rmssd.rounded().map(Num::Int),
            Stat::Sdnn => self.sdnn.rounded().map(Num::Int),
            Stat::Skin => self.skin.map(Num::Dec),
            Stat::ActivityScore => self.steps.map(|steps| Num::Int((steps / 110).clamp(5, 100))),
            Stat::RecoveryScore | Stat::Asleep | Stat::SleepScore | Stat::StressScore => None,
        }
    }
}

/// Whether the watch is charging: one hour of every second evening.
fn is_charging(person: &Profile, hour: &Hour) -> bool {
    hour.clock == person.charge && (hour.start.div_euclid(86_400) ^ person.key.cast_signed()) & 1 == 0
}
