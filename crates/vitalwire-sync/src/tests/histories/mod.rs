//! Random histories of a user: a copy that applies all changes equals the service at the end.
//!
//! Between syncs, days pass and records are added late, corrected, moved, removed and brought back. Requests fail, responses lack items, the
//! service changes between two requests of a sync, its clock goes wrong, and the program is killed between any two steps.

mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use fastrand::Rng;
use vitalwire::Client;
use vitalwire_testkit::Server;

use self::world::{START, World};
use crate::day_set::date_of;
use crate::mistakes::{Mistake, plant};
use crate::{Change, ChangeType, RecordKind, SyncCall, SyncClient as _, SyncError, SyncEvent, SyncKey, SyncPart};

/// Returns how many times as many histories run as usual. Set by the step `histories`.
fn runs() -> Option<u64> {
    std::env::var("VITALWIRE_RUNS").ok()?.parse().ok()
}

/// Prints a step of a history that `VITALWIRE_SEED` plays again.
fn show(step: impl FnOnce() -> String) {
    if std::env::var_os("VITALWIRE_SEED").is_some() {
        println!("{}", step());
    }
}

/// Returns the number of histories. The step `histories` runs 2,000 times as many.
fn histories() -> u64 {
    50 * runs().unwrap_or(1)
}

/// Day, value and content key of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    day: Option<String>,
    value: u64,
}

/// A copy of the service's records, as users keep one.
#[derive(Clone, Debug, Default)]
struct Copy {
    rows: BTreeMap<(RecordKind, String), Row>,
    state: Option<Vec<u8>>,
}

impl Copy {
    fn apply(&mut self, part: &SyncPart, change: &Change) {
        let day = change.day.map(|day| day.to_string());
        let key = || (change.kind, change.id.clone().unwrap());
        match change.change_type {
            ChangeType::DayRemoved => self.rows.retain(|(kind, _), row| *kind != change.kind || row.day != day),
            ChangeType::Removed => drop(self.rows.remove(&key())),
            ChangeType::Added | ChangeType::Changed => {
                let column = match change.kind {
                    RecordKind::Daily | RecordKind::Hourly => "steps",
                    RecordKind::Nutrition => "serving_size",
                    RecordKind::Labs => "value",
                    _ => "duration",
                };
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small whole numbers")]
                let value = part.json_rows(change).iter().filter_map(|row| row.get(column)?.as_f64()).sum::<f64>() as u64;
                self.rows.insert(key(), Row { day, value });
            }
        }
    }

    fn values(&self) -> BTreeMap<(RecordKind, String), u64> {
        self.rows.iter().map(|(key, row)| (key.clone(), row.value)).collect()
    }
}

/// A history: the world behind a server, and the copy.
struct History {
    random: Rng,
    world: Arc<Mutex<World>>,
    client: Client,
    /// Kinds of the next sync.
    kinds: Vec<RecordKind>,
    copy: Copy,
    first: i32,
    look_back: u32,
    has_transactions: bool,
    /// Whether nothing happens after which a change may be reported twice.
    is_simple: bool,
}

impl History {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    fn call(&self, events: &[SyncEvent]) -> SyncCall {
        let key = SyncKey::new(b"0123456789abcdef", "user-1").unwrap();
        let call = self.client.sync(self.kinds.iter().copied(), key).state_or_first(self.copy.state.clone());
        let call = call.from(date_of(self.first).unwrap()).look_back(self.look_back);
        events.iter().fold(call, |call, event| call.event(event.clone()))
    }

    /// Runs a sync until its end or a kill. Returns whether all parts were read and applied.
    async fn sync(&mut self, events: &[SyncEvent], kill_chance: u8) -> bool {
        let mut stream = self.call(events).start().unwrap();
        let (mut is_complete, mut has_parts) = (true, false);
        let killed = |random: &mut Rng| random.u8(..) < kill_chance;
        while let Some(part) = stream.next().await {
            if killed(&mut self.random) {
                return false;
            }
            let part = match part {
                Ok(part) => part,
                Err(SyncError::Client(error)) => {
                    show(|| format!("  {error}"));
                    is_complete = false;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            is_complete &= part.left_out() == 0;
            has_parts = true;
            show(|| {
                let kinds: Vec<RecordKind> = part.kinds().collect();
                format!("  {kinds:?} {} to {}: {} changes", part.days().first(), part.days().last(), part.changes().len())
            });
            // With a transaction, changes and state are stored together.
            let kill_within = if self.has_transactions { 0 } else { kill_chance };
            if !self.has_transactions && !part.changes().is_empty() {
                self.copy.state = Some(part.state_before().to_vec());
            }
            for change in part.changes() {
                if self.is_simple {
                    self.check(change);
                }
                show(|| {
                    format!(
                        "    {} {} {:?} {:?}",
                        change.kind,
                        change.change_type.as_str(),
                        change.id,
                        change.day.map(|day| day.to_string())
                    )
                });
                self.copy.apply(&part, change);
                if self.random.u8(..) < kill_within {
                    return false;
                }
            }
            self.copy.state = Some(part.state().to_vec());
            if killed(&mut self.random) {
                return false;
            }
        }
        // Without a part there is no new state, so the events must be passed again.
        is_complete && has_parts
    }

    /// Checks that a change of a simple history is reported once.
    fn check(&self, change: &Change) {
        let known = change.id.clone().is_some_and(|id| self.copy.rows.contains_key(&(change.kind, id)));
        match change.change_type {
            ChangeType::Added => assert!(!known, "added twice"),
            ChangeType::Changed => assert!(known, "changed without being known"),
            ChangeType::Removed => assert!(known, "removed twice"),
            // A sleep without a record makes its day due once more, however old it is.
            ChangeType::DayRemoved => {
                let look_back = i32::try_from(self.look_back).unwrap();
                assert!(change.day < date_of(self.world().today - look_back), "a day of the look-back was removed");
            }
        }
    }

    /// Reads all parts and applies them. Returns their changes.
    async fn read_without_news(&mut self) -> Result<Vec<Change>, String> {
        let (mut stream, mut changes) = (self.call(&[]).start().unwrap(), Vec::new());
        while let Some(part) = stream.next().await {
            let part = part.map_err(|error| error.to_string())?;
            part.changes().iter().for_each(|change| self.copy.apply(&part, change));
            self.copy.state = Some(part.state().to_vec());
            changes.extend(part.changes().iter().cloned());
        }
        Ok(changes)
    }

    fn compare(&self) -> Result<(), String> {
        let (copy, service) = (self.copy.values(), self.world().records(self.first));
        if copy == service {
            return Ok(());
        }
        let missing = service.iter().filter(|(key, value)| copy.get(*key) != Some(value));
        let extra = copy.iter().filter(|(key, _)| !service.contains_key(*key));
        Err(format!("missing or different: {:?}, extra: {:?}", missing.collect::<Vec<_>>(), extra.collect::<Vec<_>>()))
    }
}

/// Plays a history. Returns the difference between copy and service at its end.
async fn play(seed: u64, server: &Server, shared: &Arc<Mutex<World>>) -> Result<(), String> {
    let mut random = Rng::with_seed(seed ^ 0x5eed);
    let mut world = World::new(seed);
    let is_simple = seed.is_multiple_of(4);
    let (look_back, first, all_kinds) = (world.look_back, START - random.i32(0..40), world.kinds.clone());
    let has_shifts = !is_simple && random.bool();
    world.change_chance = if has_shifts { 30 } else { 0 };
    *shared.lock().unwrap() = world;
    let client = Client::builder().base_url(server.url()).token("a-token").retry_delay_scale(0.0).max_retries(0).build().unwrap();
    let look_back = look_back.unsigned_abs();
    let mut history = History {
        random,
        world: Arc::clone(shared),
        client,
        kinds: all_kinds.clone(),
        copy: Copy::default(),
        first,
        look_back,
        has_transactions: seed.is_multiple_of(3),
        is_simple,
    };
    let mut events: Vec<SyncEvent> = Vec::new();
    for _ in 0..history.random.u8(2..6) {
        let (days, changes) = ([0, 0, 1, 1, 2, 5, 30][history.random.usize(0..7)], history.random.u8(0..5));
        let (is_old, connects, clock_error) = match is_simple {
            true => (false, false, 0),
            false => (
                history.random.u8(0..3) == 0,
                history.random.u8(0..6) == 0,
                if history.random.u8(0..8) == 0 { history.random.i32(-20..60) } else { 0 },
            ),
        };
        {
            let mut world = history.world();
            world.advance(days);
            (0..changes).for_each(|_| world.change_recent());
            if is_old {
                events.push(world.change_old());
            }
            if !is_simple && world.random.bool() {
                events.extend(world.move_record());
            }
            if connects {
                world.connect_provider();
            }
            world.clock_error = clock_error;
            world.can_move_back &= !is_old && !connects && clock_error == 0;
            world.fault_chance = 0;
        }
        if !is_simple {
            history.world().fault_chance = [0, 0, 20][history.random.usize(0..3)];
            if history.random.u8(0..8) == 0 {
                // A longer copy, and a longer look-back.
                history.first -= history.random.i32(0..10);
                history.look_back += history.random.u32(0..4);
                history.world().can_move_back = false;
            }
        }
        // The receiver of webhooks stores some events before the sync.
        if !events.is_empty() && history.copy.state.is_some() && history.random.bool() {
            history.copy.state = Some(history.call(&events).record_events().unwrap());
            events.clear();
        }
        show(|| {
            let world = history.world();
            format!(
                "day {}, clock {}, faults {}, look-back {}",
                world.today - START,
                world.clock_error,
                world.fault_chance,
                history.look_back
            )
        });
        let kill_chance = if is_simple { 0 } else { [0, 10, 60, 250][history.random.usize(0..4)] };
        if !is_simple && history.random.u8(0..4) == 0 {
            history.kinds = vec![all_kinds[history.random.usize(0..all_kinds.len())]];
            history.sync(&[], kill_chance).await;
            history.kinds.clone_from(&all_kinds);
        }
        if history.sync(&events, kill_chance).await && !is_simple {
            events.clear();
            let look_back = i32::try_from(history.look_back).unwrap();
            let mut world = history.world();
            // With a wrong clock, days before the look-back may be due.
            world.old_days = if world.clock_error == 0 { world.today - look_back - 3 } else { i32::MIN };
        }
        let was_ahead = history.world().clock_error > 0;
        {
            let mut world = history.world();
            (world.clock_error, world.fault_chance) = (0, 0);
        }
        // A clock that went back is noticed by a sync before the time that it showed.
        if was_ahead {
            history.sync(&[], 0).await;
        }
    }
    history.world().change_chance = 0;
    if !history.sync(&events, 0).await {
        return Err("the last sync is incomplete".to_owned());
    }
    history.compare().map_err(|difference| format!("{difference}; kinds {:?}", history.world().kinds))?;
    // A sync without news reports nothing. In a list, the day of a record can become uncertain after it was folded, because a longer request
    // selects it by more days. Its day is then reported again, once.
    for may_repeat in [!is_simple, false] {
        for change in history.read_without_news().await? {
            if !may_repeat || !matches!(change.kind, RecordKind::Labs | RecordKind::Nutrition) {
                return Err(format!("{change:?} without news"));
            }
        }
        history.compare()?;
    }
    Ok(())
}

/// Plays histories until one fails. Returns the seed and the difference of that one.
fn play_all(seeds: std::ops::Range<u64>) -> Option<(u64, String)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = Arc::new(Mutex::new(World::new(0)));
    let shown = Arc::clone(&world);
    let server = Server::with_script(move |request, _| shown.lock().unwrap().respond(request));
    for seed in seeds {
        let played = runtime.block_on(play(seed, &server, &world));
        server.forget_requests();
        if let Err(difference) = played {
            return Some((seed, difference));
        }
    }
    None
}

#[test]
fn a_copy_equals_the_service_after_any_history() {
    // Plays one history again.
    if let Some(seed) = std::env::var("VITALWIRE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        assert_eq!(play_all(seed..seed + 1), None);
        return;
    }
    let threads = 2;
    let parts = (0..threads).map(|thread| {
        let (from, to) = (histories() * thread / threads, histories() * (thread + 1) / threads);
        std::thread::spawn(move || play_all(from..to))
    });
    for part in parts.collect::<Vec<_>>() {
        if let Some((seed, difference)) = part.join().unwrap() {
            panic!("seed {seed}: {difference}");
        }
    }
}

#[test]
fn the_histories_find_planted_mistakes() {
    let mistakes = [
        Mistake::ForgetsPlan,
        Mistake::ShortLookBack,
        Mistake::EndsDayEarly,
        Mistake::KeepsRemoved,
        Mistake::IgnoresContent,
        Mistake::FoldsIdsOnly,
        Mistake::TrustsIncomplete,
        Mistake::ForgetsFailure,
        Mistake::IgnoresProviders,
        Mistake::IgnoresEvents,
        Mistake::TrustsFuture,
        Mistake::GuessesColumn,
        Mistake::ForgetsMoves,
    ];
    // Each of them takes some seconds.
    let planted = if runs().is_some() { mistakes.len() } else { 2 };
    let missed: Vec<Mistake> = mistakes
        .into_iter()
        .take(planted)
        .filter(|mistake| {
            plant(Some(*mistake));
            let found = std::panic::catch_unwind(|| play_all(0..20_000));
            plant(None);
            matches!(found, Ok(None))
        })
        .collect();
    assert_eq!(missed, [], "not found");
}
