//! A mock service on a real socket, whose records change in every way that is known of real ones.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use vitalwire::value::Date;
use vitalwire_testkit::{Reply, Request, response};

use crate::day_set::{date_of, day_number};
use crate::{RecordKind, SyncEvent};

/// 2025-03-01, in days since 1970-01-01.
pub(super) const START: i32 = 20_148;

/// A sleep, and the days whose statistics list it.
#[derive(Clone, Debug)]
pub(super) struct Sleep {
    pub(super) days: Vec<i32>,
    duration: u32,
    stages: u32,
}

/// A meal or a lab report. Times are in hours since 1970-01-01.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Consumed or collected at.
    pub(super) at: i32,
    pub(super) uploaded: i32,
    value: u32,
}

/// Failure of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Status(u16),
    /// An item that cannot be decoded replaces one of the list.
    BadItem,
    Close,
}

/// Records and clock of the service.
pub(super) struct World {
    pub(super) random: Rng,
    pub(super) today: i32,
    hour: i32,
    /// Days by which the clock is wrong.
    pub(super) clock_error: i32,
    pub(super) look_back: i32,
    daily: BTreeMap<i32, u32>,
    hourly: BTreeMap<i32, u32>,
    pub(super) sleeps: BTreeMap<u32, Sleep>,
    meals: BTreeMap<u32, Listed>,
    labs: BTreeMap<u32, Listed>,
    /// Whether lists select records by the time of upload.
    by_upload: bool,
    next_id: u32,
    /// Ids that were removed, and can come back.
    removed: BTreeMap<u32, Sleep>,
    /// Days of sleeps, and meals, before they moved to a recent day.
    moved_sleeps: BTreeMap<u32, Vec<i32>>,
    moved_meals: BTreeMap<u32, Listed>,
    /// Whether moved records can move back. A sync that reads the older days again forgets where they were.
    pub(super) can_move_back: bool,
    /// Days before this one were before the look-back of the last complete sync.
    pub(super) old_days: i32,
    /// Hour at which the user last connected a provider.
    connected: Option<i32>,
    /// Chance of a fault of each request, and of a change before it, of 256.
    pub(super) fault_chance: u8,
    pub(super) change_chance: u8,
    pub(super) requests: usize,
    pub(super) kinds: Vec<RecordKind>,
}

/// Returns the id of a record: a UUID, or another text for a few records.
pub(super) fn id_text(id: u32) -> String {
    if id.is_multiple_of(11) { format!("id {id}") } else { format!("{id:08x}-0000-4000-8000-{:012x}", u64::from(id) * 7_919) }
}

fn date(day: i32) -> String {
    date_of(day).unwrap().to_string()
}

fn instant(hour: i32) -> String {
    format!("{}T{:02}:30:00Z", date(hour.div_euclid(24)), hour.rem_euclid(24))
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let all = RecordKind::ALL;
        let mut kinds: Vec<RecordKind> = all.into_iter().filter(|_| random.u8(0..3) == 0).collect();
        if kinds.is_empty() {
            kinds.push(all[random.usize(0..all.len())]);
        }
        let (by_upload, look_back) = (random.bool(), random.i32(1..9));
        let hour = random.i32(0..24);
        let mut world = Self {
            random,
            today: START,
            hour,
            clock_error: 0,
            look_back,
            daily: BTreeMap::new(),
            hourly: BTreeMap::new(),
            sleeps: BTreeMap::new(),
            meals: BTreeMap::new(),
            labs: BTreeMap::new(),
            by_upload,
            next_id: 1,
            removed: BTreeMap::new(),
            moved_sleeps: BTreeMap::new(),
            moved_meals: BTreeMap::new(),
            can_move_back: true,
            old_days: i32::MIN,
            connected: None,
            fault_chance: 0,
            change_chance: 0,
            requests: 0,
            kinds,
        };
        for day in START - 40..=START {
            world.live(day);
        }
        world
    }

    fn has(&self, kinds: &[RecordKind]) -> bool {
        self.kinds.iter().any(|kind| kinds.contains(kind))
    }

    /// Adds the usual records of a day.
    fn live(&mut self, day: i32) {
        if self.random.u8(0..4) > 0 {
            let value = self.random.u32(1..50);
            self.daily.insert(day, value);
        }
        for _ in 0..self.random.u8(0..3) {
            let (hour, value) = (day * 24 + self.random.i32(0..24), self.random.u32(1..50));
            self.hourly.insert(hour, value);
        }
        if self.random.u8(0..3) == 0 {
            self.add_sleep(day);
        }
        if self.random.u8(0..3) == 0 {
            let uploaded = day * 24 + self.random.i32(0..24);
            let at = uploaded - if self.random.bool() { 0 } else { self.random.i32(0..24) };
            self.add_listed(RecordKind::Nutrition, at, uploaded);
        }
        if self.random.u8(0..8) == 0 {
            let uploaded = day * 24 + self.random.i32(0..24);
            // A record that is selected by an older day would need an event.
            let gap = if self.by_upload { 300 } else { 24 };
            let at = uploaded - self.random.i32(0..gap);
            self.add_listed(RecordKind::Labs, at, uploaded);
        }
    }

    fn add_sleep(&mut self, day: i32) {
        let id = self.new_id();
        let days = if self.random.u8(0..3) == 0 { vec![day - 1, day] } else { vec![day] };
        let sleep = Sleep { days, duration: self.random.u32(1..50), stages: self.random.u32(0..3) };
        self.sleeps.insert(id, sleep);
    }

    fn add_listed(&mut self, kind: RecordKind, at: i32, uploaded: i32) {
        let (id, value) = (self.new_id(), self.random.u32(1..50));
        self.listed(kind).insert(id, Listed { at, uploaded, value });
    }

    fn listed(&mut self, kind: RecordKind) -> &mut BTreeMap<u32, Listed> {
        if kind == RecordKind::Labs { &mut self.labs } else { &mut self.meals }
    }

    fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// Moves the clock forward. Most of the days that pass have records.
    pub(super) fn advance(&mut self, days: i32) {
        for _ in 0..days {
            self.today += 1;
            self.live(self.today);
        }
        let earliest = if days == 0 { self.hour } else { 0 };
        self.hour = self.random.i32(earliest..24);
    }

    /// Returns a day within the look-back.
    fn recent_day(&mut self) -> i32 {
        self.today - self.random.i32(0..=self.look_back)
    }

    /// Changes a record within the look-back.
    pub(super) fn change_recent(&mut self) {
        let day = self.recent_day();
        let first = self.today - self.look_back;
        self.change(day, first..=self.today);
    }

    /// Moves a record from a day before the look-back to a recent day, or back. Returns an event of both days if the day is no longer recent.
    pub(super) fn move_record(&mut self) -> Option<SyncEvent> {
        let recent = self.recent_day();
        let oldest = self.today - self.look_back;
        let event = |from: i32, to: i32| {
            let days = (date_of(to.min(from) - 1).unwrap(), date_of(from.max(to) + 1).unwrap());
            (from < oldest).then(|| SyncEvent::new(RecordKind::ALL, days))
        };
        match self.kinds[self.random.usize(0..self.kinds.len())] {
            RecordKind::Sleeps | RecordKind::SleepStages => {
                let mut moved = self.moved_sleeps.keys().copied().filter(|_| self.can_move_back);
                let back = moved.find(|id| self.sleeps.contains_key(id));
                if let Some(id) = back {
                    let sleep = self.sleeps.get_mut(&id).unwrap();
                    let from = std::mem::replace(&mut sleep.days, self.moved_sleeps.remove(&id).unwrap());
                    return event(from[0], sleep.days[0]);
                } else if let Some((id, sleep)) =
                    self.sleeps.iter_mut().find(|(_, sleep)| sleep.days.iter().all(|day| *day < self.old_days))
                {
                    self.moved_sleeps.insert(*id, std::mem::replace(&mut sleep.days, vec![recent]));
                }
            }
            // The day of other records is uncertain, so their old days have no digest of their ids.
            RecordKind::Nutrition => {
                let hour = recent * 24 + self.random.i32(0..24);
                let mut moved = self.moved_meals.keys().copied().filter(|_| self.can_move_back);
                let back = moved.find(|id| self.meals.contains_key(id));
                if let Some(id) = back {
                    let meal = self.moved_meals.remove(&id).unwrap();
                    let to = meal.day(true);
                    let from = self.meals.insert(id, meal)?.day(true);
                    return event(from, to);
                } else if let Some((id, meal)) =
                    self.meals.iter_mut().find(|(_, meal)| meal.at == meal.uploaded && meal.day(true) < self.old_days)
                {
                    self.moved_meals.insert(*id, meal.clone());
                    (meal.at, meal.uploaded) = (hour, hour);
                }
            }
            _ => {}
        }
        None
    }

    /// Changes a record before the look-back, and returns the event that announces it.
    pub(super) fn change_old(&mut self) -> SyncEvent {
        let day = self.today - self.look_back - self.random.i32(1..25);
        self.change(day, day..=day);
        let range = (date_of(day - 1).unwrap(), date_of(day + 1).unwrap());
        SyncEvent::new(RecordKind::ALL, range)
    }

    /// Connects a provider, which adds and changes days of the past.
    pub(super) fn connect_provider(&mut self) {
        self.connected = Some(self.today * 24 + self.hour);
        for _ in 0..6 {
            let day = self.today - self.random.i32(0..35);
            match self.random.u8(0..3) {
                0 => {
                    let value = self.random.u32(1..50);
                    self.daily.insert(day, value);
                }
                1 => self.add_sleep(day),
                _ => {
                    let (hour, value) = (day * 24 + self.random.i32(0..24), self.random.u32(1..50));
                    self.hourly.insert(hour, value);
                }
            }
        }
    }

    /// Changes a record on a day. Records move only within some days.
    fn change(&mut self, day: i32, days: std::ops::RangeInclusive<i32>) {
        let kind = self.kinds[self.random.usize(0..self.kinds.len())];
        let value = self.random.u32(1..50);
        match kind {
            RecordKind::Daily => match self.random.bool() {
                true => drop(self.daily.insert(day, value)),
                false => drop(self.daily.remove(&day)),
            },
            RecordKind::Hourly => {
                let hour = day * 24 + self.random.i32(0..24);
                match self.random.bool() {
                    true => drop(self.hourly.insert(hour, value)),
                    false => self.hourly.retain(|hour, _| hour.div_euclid(24) != day),
                }
            }
            RecordKind::Sleeps | RecordKind::SleepStages => self.change_sleep(day, days, value),
            kind => self.change_listed(kind, day, days, value),
        }
    }

    fn change_sleep(&mut self, day: i32, days: std::ops::RangeInclusive<i32>, value: u32) {
        // A sleep can also be listed on the day before.
        let first = *days.start();
        // Removing a record that has just moved would be a change of its older day.
        let is_on_day = |id: &u32, sleep: &Sleep| sleep.days[0] == day && !self.moved_sleeps.contains_key(id);
        let on_day: Vec<u32> = self.sleeps.iter().filter(|(id, sleep)| is_on_day(id, sleep)).map(|(id, _)| *id).collect();
        let moved = self.random.i32(first..=*days.end());
        let stages = self.random.u32(0..3);
        let picked = if on_day.is_empty() { None } else { Some(on_day[self.random.usize(0..on_day.len())]) };
        match (self.random.u8(0..6), picked) {
            (0, Some(id)) => {
                let sleep = self.sleeps.remove(&id).unwrap();
                self.removed.insert(id, sleep);
            }
            (1, Some(id)) => self.sleeps.get_mut(&id).unwrap().duration = value,
            (2, Some(id)) => self.sleeps.get_mut(&id).unwrap().stages = stages,
            (3, Some(id)) => self.sleeps.get_mut(&id).unwrap().days = vec![moved],
            (4, _) => {
                // An id comes back, on any recent day.
                let back = self.removed.keys().next().copied();
                if let Some(id) = back {
                    let mut sleep = self.removed.remove(&id).unwrap();
                    sleep.days = vec![moved];
                    self.sleeps.insert(id, sleep);
                }
            }
            _ => {
                self.add_sleep(day);
                let id = self.next_id;
                let sleep = self.sleeps.get_mut(&id).unwrap();
                sleep.days.retain(|listed| first <= *listed);
            }
        }
    }

    fn change_listed(&mut self, kind: RecordKind, day: i32, days: std::ops::RangeInclusive<i32>, value: u32) {
        super::show(|| format!("changing {kind} of {}", date(day)));
        let by_upload = self.by_upload;
        let moved_ids: Vec<u32> = self.moved_meals.keys().copied().collect();
        let is_on_day = |id: &u32, record: &Listed| record.day(by_upload) == day && !moved_ids.contains(id);
        let on_day: Vec<u32> = self.listed(kind).iter().filter(|(id, record)| is_on_day(id, record)).map(|(id, _)| *id).collect();
        let picked = if on_day.is_empty() { None } else { Some(on_day[self.random.usize(0..on_day.len())]) };
        let hour = day * 24 + self.random.i32(0..24);
        let moved = self.random.i32(*days.start()..=*days.end()) * 24 + self.random.i32(0..24);
        let gap = self.random.i32(0..60);
        match (self.random.u8(0..5), picked) {
            (0, Some(id)) => drop(self.listed(kind).remove(&id)),
            (1, Some(id)) => self.listed(kind).get_mut(&id).unwrap().value = value,
            (2, Some(id)) => {
                let record = self.listed(kind).get_mut(&id).unwrap();
                if by_upload { record.uploaded = moved } else { record.at = moved }
            }
            _ if by_upload => self.add_listed(kind, hour - gap, hour),
            // Nothing is uploaded in the future.
            _ => self.add_listed(kind, hour, (hour + gap).min(hour.max(self.today * 24 + self.hour))),
        }
    }

    /// Returns all records from a day on: value by kind and id.
    pub(super) fn records(&self, first: i32) -> BTreeMap<(RecordKind, String), u64> {
        let mut all = BTreeMap::new();
        let mut add = |kind: RecordKind, id: String, value: u32| {
            if self.has(&[kind]) {
                all.insert((kind, id), value.into());
            }
        };
        self.daily.range(first..).for_each(|(day, value)| add(RecordKind::Daily, date(*day), *value));
        for (hour, value) in self.hourly.range(first * 24..) {
            add(RecordKind::Hourly, format!("{}T{:02}:00:00Z", date(hour.div_euclid(24)), hour.rem_euclid(24)), *value);
        }
        for (id, sleep) in self.sleeps.iter().filter(|(_, sleep)| first <= sleep.days[0]) {
            add(RecordKind::Sleeps, id_text(*id), sleep.duration);
            if sleep.stages > 0 {
                add(RecordKind::SleepStages, id_text(*id), sleep.stages * sleep.duration);
            }
        }
        for (kind, records) in [(RecordKind::Nutrition, &self.meals), (RecordKind::Labs, &self.labs)] {
            for (id, record) in records.iter().filter(|(_, record)| first <= record.day(self.by_upload)) {
                add(kind, id_text(*id), record.value);
            }
        }
        all
    }

    /// Responds to a request.
    pub(super) fn respond(&mut self, request: &Request) -> Reply {
        self.requests += 1;
        if self.random.u8(..) < self.change_chance {
            self.change_recent();
        }
        let time = date_of(self.today + self.clock_error).unwrap().jiff().strftime("%a, %d %b %Y").to_string();
        let time = format!("{time} {:02}:10:00 GMT", self.hour);
        let headers = [("content-type", "application/json"), ("date", &*time), ("vitalwire-sandbox", "seed=1")];
        let fault = (self.random.u8(..) < self.fault_chance)
            .then(|| [Fault::Status(500), Fault::Status(403), Fault::BadItem, Fault::Close][self.random.usize(0..4)]);
        match fault {
            Some(Fault::Status(status)) => return response(status, &headers, b"{}"),
            Some(Fault::Close) => return Reply::Close,
            _ => {}
        }
        let target = request.target().replace("%3A", ":");
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        super::show(|| format!("      {target} {fault:?}"));
        let mut items = match path.trim_start_matches("GET /v3/") {
            "userinfo" => return response(200, &headers, self.user_info().as_bytes()),
            "queries/statistics/daily" => self.daily_items(query),
            "queries/statistics/interval" => self.hourly_items(query),
            "lab_reports" => self.lab_items(query),
            "nutrition_records" => self.meal_items(query),
            path => {
                let id = path.trim_start_matches("queries/sleeps/").replace("%20", " ");
                return match self.sleep(&id, query) {
                    Some(body) => response(200, &headers, body.as_bytes()),
                    None => response(404, &headers, b"{}"),
                };
            }
        };
        if fault == Some(Fault::BadItem) && !items.is_empty() {
            let at = self.random.usize(0..items.len());
            items[at] = "7".to_owned();
        }
        let items = items.join(",");
        let bounds = ["2025-01-01", "2025-01-01"];
        let body = match path.contains("statistics") {
            true if path.ends_with("daily") => {
                format!(r#"{{"from_date":"{}","to_date":"{}","statistics":[{items}]}}"#, bounds[0], bounds[1])
            }
            true => format!(r#"{{"statistics":[{items}]}}"#),
            false => format!("[{items}]"),
        };
        response(200, &headers, body.as_bytes())
    }

    fn user_info(&self) -> String {
        let provider = |hour: i32| format!(r#"{{"created_at":"{}:10:00Z","provider_slug":"oura"}}"#, &instant(hour)[..13]);
        let providers = self.connected.map(provider).unwrap_or_default();
        format!(r#"{{"application_user_id":"user-1","integrated_providers":[{providers}]}}"#)
    }

    fn daily_items(&mut self, query: &str) -> Vec<String> {
        let [first, last] = ["from_date", "to_date"].map(|name| day(parameter(query, name)));
        if !query.contains("include_record_ids=true") {
            let days = self.daily.range(first..=last).filter(|(day, _)| **day <= self.today);
            return days.map(|(day, value)| format!(r#"{{"date":"{}","values":{{"steps":{value}}}}}"#, date(*day))).collect();
        }
        let days: BTreeSet<i32> = self.sleeps.values().flat_map(|sleep| sleep.days.iter().copied()).collect();
        let listed = |day: &i32| {
            let ids = self.sleeps.iter().filter(|(_, sleep)| sleep.days.contains(day)).map(|(id, _)| format!("\"{}\"", id_text(*id)));
            let ids: Vec<String> = ids.collect();
            format!(r#"{{"date":"{}","record_ids":[{}],"values":{{"sleep_duration_total":1}}}}"#, date(*day), ids.join(","))
        };
        days.range(first..=last).map(listed).collect()
    }

    fn hourly_items(&self, query: &str) -> Vec<String> {
        let [first, end] = ["from_timestamp", "to_timestamp"].map(|name| day(&parameter(query, name)[..10]) * 24);
        let hours = self.hourly.range(first..end);
        hours
            .map(|(hour, value)| {
                let start = format!("{}:00:00Z", &instant(*hour)[..13]);
                format!(r#"{{"from_timestamp":"{start}","to_timestamp":"{start}","values":{{"steps":{value}}}}}"#)
            })
            .collect()
    }

    fn sleep(&self, id: &str, query: &str) -> Option<String> {
        let (number, sleep) = self.sleeps.iter().find(|(number, _)| id_text(**number) == id)?;
        let start = instant(sleep.days[0] * 24);
        let stage = |at: u32| {
            format!(r#"{{"stage":"deep","start_at":"{}","duration":{}}}"#, instant(sleep.days[0] * 24 + at.cast_signed()), sleep.duration)
        };
        let stages: Vec<String> = (0..sleep.stages).map(stage).collect();
        let stages = if query.contains("include_stages=true") { format!(r#","stages":[{}]"#, stages.join(",")) } else { String::new() };
        // The date of a sleep is that of the morning, or missing.
        let sleep_date = if number.is_multiple_of(5) { String::new() } else { format!(r#","sleep_date":"{}""#, date(*sleep.days.last()?)) };
        Some(format!(
            r#"{{"sleep_id":"{id}","modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"{start}","duration":{}{sleep_date}{stages}}}"#,
            sleep.duration
        ))
    }

    fn selected<'a>(&self, records: &'a BTreeMap<u32, Listed>, query: &str) -> Vec<(&'a u32, &'a Listed)> {
        let [first, end] = ["from_timestamp", "to_timestamp"].map(|name| day(&parameter(query, name)[..10]));
        records.iter().filter(|(_, record)| (first..end).contains(&record.day(self.by_upload))).collect()
    }

    fn meal_items(&self, query: &str) -> Vec<String> {
        let item = |(id, meal): (&u32, &Listed)| {
            format!(
                r#"{{"record_id":"{}","status":"completed","uploaded_at":"{}","modified_at":"{}","consumed_at":"{}","serving_size":{}}}"#,
                id_text(*id),
                instant(meal.uploaded),
                instant(meal.uploaded),
                instant(meal.at),
                meal.value
            )
        };
        self.selected(&self.meals, query).into_iter().map(item).collect()
    }

    fn lab_items(&self, query: &str) -> Vec<String> {
        let item = |(id, lab): (&u32, &Listed)| {
            format!(
                r#"{{"record_id":"{}","status":"completed","uploaded_at":"{}","collection_date":"{}","sections":[{{"results":[{{"value":{}}},{{"value":0}}]}}]}}"#,
                id_text(*id),
                instant(lab.uploaded),
                date(lab.at.div_euclid(24)),
                lab.value
            )
        };
        self.selected(&self.labs, query).into_iter().map(item).collect()
    }
}

impl Listed {
    /// Returns the day by which the service selects the record.
    fn day(&self, by_upload: bool) -> i32 {
        if by_upload { self.uploaded.div_euclid(24) } else { self.at.div_euclid(24) }
    }
}

fn parameter<'a>(query: &'a str, name: &str) -> &'a str {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value).unwrap()
}

fn day(text: &str) -> i32 {
    day_number(text.parse::<Date>().unwrap())
}
