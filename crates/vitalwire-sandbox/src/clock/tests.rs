use jiff::civil::date;

use super::*;

const DAY: Date = date(2025, 11, 21);

fn noon() -> Timestamp {
    "2025-11-21T12:00:00Z".parse().unwrap()
}

/// Plans and applies a change.
fn change(clock: &Clock, to: Option<ClockMove>, scale: Option<f64>) -> Result<(), ClockError> {
    clock.plan_change(ClockChange { to, scale }).map(|rate| clock.apply(rate))
}

fn stored_clock(rate: ClockRate, seen: Option<Timestamp>) -> StoredClock {
    StoredClock { rate: Some(rate), seen }
}

fn advance(clock: &Clock, by: Duration) {
    change(clock, Some(ClockMove::By(by)), None).unwrap();
}

fn stopped_clock() -> Clock {
    Clock::start(Some(DAY), None, &StoredClock::default()).unwrap()
}

#[test]
fn a_stopped_clock_moves_only_by_hand_and_never_back() {
    let clock = stopped_clock();
    assert_eq!(clock.now(), noon());
    advance(&clock, Duration::from_secs(90));
    advance(&clock, Duration::from_secs(30));
    assert_eq!(clock.now().as_second() - noon().as_second(), 120);
    assert_eq!(change(&clock, Some(ClockMove::To(noon())), None), Err(ClockError::Backwards));
    let later = plus(noon(), SignedDuration::from_hours(1));
    assert_eq!(change(&clock, Some(ClockMove::To(later)), None), Ok(()));
    assert_eq!(clock.now(), later);
    advance(&clock, Duration::MAX);
    assert_eq!(clock.now(), Timestamp::MAX);
}

#[test]
fn the_rate_multiplies_elapsed_time() {
    let rate = ClockRate { machine_time: Timestamp::UNIX_EPOCH, sandbox_time: noon(), scale: 60.0, moved: SignedDuration::ZERO };
    let real = Timestamp::from_second(90).unwrap();
    assert_eq!(rate.at(real), plus(noon(), SignedDuration::from_mins(90)));
    assert_eq!(rate.at(Timestamp::MIN), noon());
    assert_eq!(ClockRate { scale: 0.0, ..rate }.at(real), noon());
    assert_eq!(ClockRate { scale: 1.0, ..rate }.at(real), plus(noon(), SignedDuration::from_secs(90)));
}

#[test]
fn speeds_have_limits() {
    for scale in [-1.0, f64::NAN, f64::INFINITY, 1_000_001.0] {
        assert_eq!(change(&stopped_clock(), None, Some(scale)), Err(ClockError::Scale), "{scale}");
        assert!(Clock::start(None, Some(scale), &StoredClock::default()).is_err());
    }
    let clock = stopped_clock();
    change(&clock, None, Some(1e6)).unwrap();
    std::thread::sleep(Duration::from_millis(2));
    assert!(clock.now() >= plus(noon(), SignedDuration::from_secs(2_000)));
    change(&clock, None, Some(0.0)).unwrap();
    assert_eq!(clock.now(), clock.now());
}

#[test]
fn a_restart_continues_at_the_stored_time() {
    let clock = stopped_clock();
    advance(&clock, Duration::from_secs(3_600));
    let later = clock.now();
    let restarted = Clock::start(Some(DAY), None, &stored_clock(clock.rate(), None)).unwrap();
    assert_eq!(restarted.now(), later);
    // A later date than before is accepted, an earlier one is not.
    let next = Clock::start(Some(date(2025, 12, 1)), None, &stored_clock(clock.rate(), None)).unwrap();
    assert_eq!(next.now().to_string(), "2025-12-01T12:00:00Z");
    let before = Clock::start(Some(date(2025, 11, 1)), None, &stored_clock(clock.rate(), None)).unwrap();
    assert_eq!(before.now(), later);
}

#[test]
fn setting_the_machine_back_does_not_move_the_clock_back() {
    let clock = Clock::start(Some(DAY), Some(1e6), &StoredClock::default()).unwrap();
    let saved = ClockRate { machine_time: plus(Timestamp::now(), SignedDuration::from_hours(2)), ..clock.rate() };
    std::thread::sleep(Duration::from_millis(5));
    let seen = clock.now();
    assert!(seen > noon());
    let without_limit = Clock::start(Some(DAY), None, &stored_clock(saved, None)).unwrap();
    assert_eq!(without_limit.now(), noon(), "the rate alone is too early");
    let restarted = Clock::start(Some(DAY), None, &stored_clock(saved, Some(seen))).unwrap();
    assert_eq!(restarted.now(), seen);
}

#[test]
fn the_stored_limit_is_ahead_of_a_running_clock() {
    let running = Clock::start(Some(DAY), Some(60.0), &StoredClock::default()).unwrap();
    let seen = running.now();
    assert!(running.seen_after(Duration::from_secs(10)) >= plus(seen, SignedDuration::from_mins(10)));
    assert_eq!(running.seen_after(Duration::ZERO), seen);
    let stopped = Clock::start(Some(DAY), None, &StoredClock::default()).unwrap();
    assert_eq!(stopped.seen_after(Duration::from_secs(10)), noon());
}

#[test]
fn instants_shown_while_a_change_is_stored_stay_in_the_past() {
    let clock = Clock::start(Some(DAY), Some(1e6), &StoredClock::default()).unwrap();
    let stop = clock.plan_change(ClockChange { scale: Some(0.0), ..ClockChange::default() }).unwrap();
    std::thread::sleep(Duration::from_millis(5));
    let meanwhile = clock.now();
    clock.apply(stop);
    assert!(clock.now() >= meanwhile);
    assert_eq!(clock.now(), clock.now());
}

#[tokio::test]
async fn a_sleeper_wakes_when_the_clock_is_moved_far_enough() {
    let clock = std::sync::Arc::new(stopped_clock());
    let sleeper = tokio::spawn({
        let clock = std::sync::Arc::clone(&clock);
        async move { clock.sleep_until(plus(noon(), SignedDuration::from_secs(10))).await }
    });
    for _ in 0..9 {
        advance(&clock, Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert!(!sleeper.is_finished());
    }
    advance(&clock, Duration::from_secs(1));
    tokio::time::timeout(Duration::from_secs(5), sleeper).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_sleeper_wakes_on_a_fast_clock() {
    let clock = Clock::start(Some(DAY), Some(3_600.0), &StoredClock::default()).unwrap();
    let minute = plus(noon(), SignedDuration::from_mins(1));
    tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(minute)).await.unwrap();
    assert!(clock.now() >= minute);
    // Starting a stopped clock wakes sleepers too.
    change(&clock, None, Some(0.0)).unwrap();
    let more = plus(clock.now(), SignedDuration::from_mins(1));
    let (_, result) = tokio::join!(tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(more)), async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        change(&clock, None, Some(3_600.0))
    });
    result.unwrap();
    assert!(clock.now() >= more);
}
