//! Values of an hour as a view shows them, and their aggregation. Days are aggregated from hours, so that both agree.

use super::device::DeviceKind;
use super::entries::Ride;
use super::hours::Hour;
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
    pub(crate) by: By,
}

/// Sources of the values in a bucket. Bit n stands for source n of the view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct By {
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
    fn of(value: i64) -> Self {
        Self { sum: value, count: 1 }
    }

    /// Returns the mean, rounded half up.
    fn rounded(self) -> Option<i64> {
        (self.count > 0).then(|| (self.sum * 2 + self.count).div_euclid(2 * self.count))
    }
}

fn add(to: &mut Option<i64>, more: Option<i64>) {
    if let Some(more) = more {
        *to = Some(to.unwrap_or(0) + more);
    }
}

impl Bucket {
    /// Returns what a view shows of an hour. `ride` is the ride of the day.
    pub(crate) fn new(person: &Profile, hour: &Hour, view: &View, ride: Option<Ride>) -> Self {
        let mut bucket = Self::default();
        bucket.see_movement(person, hour, view);
        bucket.see_heart(person, hour, view);
        bucket.see_body(person, hour, view);
        if let Some(ride) = ride.filter(|ride| ride.hour == hour.start)
            && view.entries.is_some_and(|source| source.covers(hour.start, hour.end()))
        {
            add(&mut bucket.cycling, Some(ride.distance));
            add(&mut bucket.active, Some(ride.energy));
            bucket.by.ride = true;
        }
        bucket.total = bucket.basal.map(|basal| basal + bucket.active.unwrap_or(0));
        bucket
    }

    fn see_movement(&mut self, person: &Profile, hour: &Hour, view: &View) {
        for (at, source) in view.ranked(&MOVEMENT).filter(|(_, source)| source.covers(hour.start, hour.end())) {
            // Basal energy is computed, not measured. The first source in order provides it, worn or not.
            if source.kind != DeviceKind::Track && self.basal.is_none() {
                self.basal = Some(hour.basal);
                self.by.movement |= 1 << at;
            }
            let seen = match source.kind {
                DeviceKind::Watch if charging(person, hour) => false,
                DeviceKind::Track if hour.running == 0 && hour.cycling == 0 => false,
                DeviceKind::Track => {
                    self.move_along(hour, 1_000);
                    true
                }
                DeviceKind::Phone => {
                    self.carry(person, hour);
                    true
                }
                _ => {
                    self.step(hour, 1_000);
                    self.move_along(hour, 1_000);
                    true
                }
            };
            if seen {
                self.by.movement |= 1 << at;
                break;
            }
        }
    }

    /// Adds the phone's values. It is not always carried, rarely on a run, and does not detect cycling.
    fn carry(&mut self, person: &Profile, hour: &Hour) {
        let mut rng = Rng::new(person.key, hour.start, "phone");
        let share = if hour.running > 0 && rng.chance(0.6) { 0 } else { rng.between(780, 970) };
        self.step(hour, share);
        self.move_along(&Hour { cycling: 0, active: hour.steps * 420, ..*hour }, share);
    }

    /// Sets the steps to `share` thousandths of the actual ones.
    fn step(&mut self, hour: &Hour, share: i64) {
        self.steps = Some(hour.steps * share / 1_000);
        self.walking = Some(hour.walking * share / 1_000);
    }

    fn move_along(&mut self, hour: &Hour, share: i64) {
        self.running = Some(hour.running * share / 1_000);
        self.cycling = Some(hour.cycling * share / 1_000);
        self.active = Some(hour.active * share / 1_000);
    }

    fn see_heart(&mut self, person: &Profile, hour: &Hour, view: &View) {
        let seeing = |kind: DeviceKind| if kind == DeviceKind::Watch { !charging(person, hour) } else { hour.asleep };
        let found = view.ranked(&HEART).find(|(_, source)| source.covers(hour.start, hour.end()) && seeing(source.kind));
        let Some((at, source)) = found else { return };
        // Other devices measure at another part of the body, so they differ slightly.
        let off = if source.kind == DeviceKind::Watch { 0 } else { Rng::new(person.key, hour.start, source.slug).between(-1, 1) };
        self.heart = Mean::of(hour.heart + off);
        self.heart_min = Some(hour.heart_min + off);
        self.heart_max = Some(hour.heart_max + off);
        self.by.heart |= 1 << at;
    }

    fn see_body(&mut self, person: &Profile, hour: &Hour, view: &View) {
        let seeing = |kind: DeviceKind| kind != DeviceKind::Watch || !charging(person, hour);
        let found = view.ranked(&BODY).find(|(_, source)| source.covers(hour.start, hour.end()) && seeing(source.kind));
        let Some((at, _)) = found else { return };
        self.resting = Some(hour.resting);
        self.rmssd = Mean::of(hour.rmssd);
        self.sdnn = Mean::of(hour.sdnn);
        // Only measured in bed.
        self.skin = hour.asleep.then_some(hour.skin);
        self.by.body |= 1 << at;
    }

    /// Adds another hour.
    pub(crate) fn absorb(&mut self, hour: &Self) {
        add(&mut self.steps, hour.steps);
        add(&mut self.walking, hour.walking);
        add(&mut self.running, hour.running);
        add(&mut self.cycling, hour.cycling);
        add(&mut self.active, hour.active);
        add(&mut self.basal, hour.basal);
        add(&mut self.total, hour.total);
        for (mean, more) in [(&mut self.heart, hour.heart), (&mut self.rmssd, hour.rmssd), (&mut self.sdnn, hour.sdnn)] {
            mean.sum += more.sum;
            mean.count += more.count;
        }
        self.heart_min = self.heart_min.into_iter().chain(hour.heart_min).min();
        self.heart_max = self.heart_max.into_iter().chain(hour.heart_max).max();
        self.resting = self.resting.or(hour.resting);
        self.skin = self.skin.or(hour.skin);
        self.by.movement |= hour.by.movement;
        self.by.heart |= hour.by.heart;
        self.by.body |= hour.by.body;
        self.by.ride |= hour.by.ride;
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
                [self.walking, self.running, self.cycling].into_iter().for_each(|part| add(&mut all, part));
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
fn charging(person: &Profile, hour: &Hour) -> bool {
    hour.clock == person.charge && (hour.start.div_euclid(86_400) ^ person.key.cast_signed()) & 1 == 0
}
