//! Tests of states: their size, their numbers, and states that cannot be used.

use vitalwire::Client;
use vitalwire_sync::{RecordKind, StateError, SyncCall, SyncClient as _, SyncError, SyncKey, generation};

use super::service::{Service, key};
use super::{date, synced};

/// Returns the error of a call that cannot use its state.
fn problem(call: SyncCall) -> StateError {
    match call.start() {
        Err(SyncError::State(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_state_that_does_not_match_fails_with_its_reason_and_without_a_request() {
    let (service, state) = synced(5).await;
    let requests = service.server.count();
    let with_key =
        |secret: &[u8], user: &str| service.client().sync([RecordKind::Daily], SyncKey::new(secret, user).unwrap()).state(state.clone());
    assert_eq!(problem(with_key(b"another secret of the caller", "user-7")), StateError::OtherKey);
    assert_eq!(problem(with_key(b"0123456789abcdef", "user-8")), StateError::OtherUser);
    let other = Client::builder().base_url("https://health.example.org").token("a-token").build().unwrap();
    assert_eq!(problem(other.sync([RecordKind::Daily], key()).state(state.clone())), StateError::OtherService);
    let mut newer = state.clone();
    newer[6] += 1;
    assert_eq!(problem(service.call([RecordKind::Daily]).state(newer)), StateError::UnsupportedVersion);
    for damaged in [&state[..0], &state[..state.len() - 1], b"vwsync\x01", b"{}"] {
        assert_eq!(problem(service.call([RecordKind::Daily]).state(damaged)), StateError::Damaged);
    }
    assert_eq!(service.server.count(), requests, "nothing was requested");
    for problem in [StateError::Damaged, StateError::OtherUser] {
        assert!(problem.to_string().contains("start again without a state"), "{problem}");
    }
}

/// A changed byte at any position is an error and no panic.
#[tokio::test]
async fn a_changed_state_is_rejected() {
    let (service, state) = synced(5).await;
    for at in 0..state.len() {
        for change in [1, 0x80] {
            let mut changed = state.clone();
            changed[at] ^= change;
            let problem = problem(service.call([RecordKind::Daily]).state(changed));
            assert!(matches!(problem, StateError::Damaged | StateError::UnsupportedVersion), "byte {at}: {problem}");
        }
    }
}

#[tokio::test]
async fn a_token_of_another_user_is_an_error_before_records_are_read() {
    let (service, state) = synced(5).await;
    service.world().account = "user-8".to_owned();
    let before = service.server.count();
    let mut stream = service.call([RecordKind::Daily]).state(state).start().unwrap();
    assert!(matches!(stream.next().await, Some(Err(SyncError::State(StateError::OtherUser)))));
    assert!(stream.next().await.is_none());
    let mut stream = service.call([RecordKind::Daily]).expect_account("user-7").start().unwrap();
    let Some(Err(SyncError::Client(error))) = stream.next().await else { panic!("an error") };
    assert_eq!(error.argument(), Some("token"));
    assert_eq!(service.server.count() - before, 2);
}

/// Returns the error of a sync that ends with its first part.
async fn first_problem(call: SyncCall) -> StateError {
    let mut stream = call.start().unwrap();
    let Some(Err(SyncError::State(problem))) = stream.next().await else { panic!("an error") };
    assert!(stream.next().await.is_none());
    problem
}

#[tokio::test]
async fn a_state_belongs_to_an_account_and_to_a_data_set_of_a_sandbox() {
    let service = Service::start("2025-11-20");
    service.world().uid = Some("00000000-0000-4000-8000-000000000001");
    let first = service.call([RecordKind::Daily]).from(date("2025-11-16"));
    let (_, state) = service.changes(first).await;
    let call = || service.call([RecordKind::Daily]).state(state.clone());
    // A service that no longer states the internal id is accepted.
    service.world().uid = None;
    let (_, state_without) = service.changes(call()).await;
    // The account was deleted and created again.
    service.world().uid = Some("00000000-0000-4000-8000-000000000002");
    assert_eq!(first_problem(call()).await, StateError::OtherUser);
    assert_eq!(first_problem(service.call([RecordKind::Daily]).state(state_without)).await, StateError::OtherUser);
    service.world().uid = Some("00000000-0000-4000-8000-000000000001");
    // Another sandbox at the same base URL, or a service in its place.
    for data_set in ["seed=2", ""] {
        service.world().data_set = data_set;
        let before = service.server.count();
        assert_eq!(first_problem(call()).await, StateError::OtherService);
        assert_eq!(service.server.count() - before, 1, "no record was read");
        // Without the user's information, the first records show the data set.
        assert_eq!(first_problem(call().check_account(false)).await, StateError::OtherService);
    }
    service.world().data_set = "seed=1";
    assert_eq!(service.changes(call()).await.0, [""; 0]);
}

#[tokio::test]
async fn a_sync_with_a_closed_client_says_so() {
    let service = Service::start("2025-11-20");
    let client = service.client();
    let call = client.sync([RecordKind::Daily], key());
    client.close(vitalwire::client::CloseMode::Abort);
    for error in [call.clone().start().map(drop), call.plan().map(drop)] {
        let Err(SyncError::Client(error)) = error else { panic!("an error") };
        assert_eq!(error.kind(), vitalwire::ErrorKind::Closed, "{error}");
    }
}

/// The request for the user's information fails, or its response does not name the user.
#[tokio::test]
async fn no_record_is_read_if_the_user_is_unknown() {
    let (service, state) = synced(5).await;
    let first = || service.call([RecordKind::Daily]);
    // A failure says nothing about the user, and a 404 is no user.
    for (status, call) in [(503, first()), (403, first()), (404, first()), (404, first().state(state.clone()))] {
        service.world().failing = Some(("/userinfo", status));
        let mut stream = call.start().unwrap();
        let Some(Err(SyncError::Client(error))) = stream.next().await else { panic!("an error") };
        assert_eq!(error.status(), Some(status));
        assert!(stream.next().await.is_none());
    }
    service.world().failing = None;
    service.world().has_account = false;
    for call in [first(), first().state(state), first().expect_account("user-7")] {
        let mut stream = call.start().unwrap();
        let Some(Err(SyncError::Client(error))) = stream.next().await else { panic!("an error") };
        assert_eq!(error.argument(), Some("token"));
        assert!(stream.next().await.is_none());
    }
    // A service without this operation.
    service.world().failing = Some(("/userinfo", 404));
    assert_eq!(service.parts(first().check_account(false)).await.len(), 1);
}

#[tokio::test]
async fn invalid_arguments_are_rejected() {
    let service = Service::start("2025-11-20");
    let argument = |call: SyncCall| match call.start() {
        Err(SyncError::Client(error)) => error.argument().unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(argument(service.call([RecordKind::Daily]).look_back(0)), "look_back");
    assert_eq!(argument(service.call([RecordKind::Daily]).look_back(3_661)), "look_back");
    assert_eq!(argument(service.call([])), "kinds");
    assert_eq!(argument(service.call([RecordKind::Daily]).expect_account("user-7").check_account(false)), "expect_account");
    assert_eq!(SyncKey::new(b"short", "user-7").unwrap_err().argument(), Some("secret"));
    assert_eq!(SyncKey::new(b"0123456789abcdef", "").unwrap_err().argument(), Some("user"));
}

#[tokio::test]
async fn a_first_day_in_the_future_is_rejected() {
    let service = Service::start("2025-11-20");
    let error = |part| match part {
        Err(SyncError::Client(error)) => (error.kind(), error.argument().map(str::to_owned)),
        other => panic!("{other:?}"),
    };
    let expected = (vitalwire::ErrorKind::InvalidArgument, Some("from".to_owned()));
    let mut stream = service.call([RecordKind::Daily]).from(date("2025-11-22")).start().unwrap();
    assert_eq!(error(stream.next().await.unwrap().map(drop)), expected);
    assert!(stream.next().await.is_none());
    assert_eq!(error(service.call([RecordKind::Daily]).from(date("2999-01-01")).plan().map(drop)), expected);
    // Tomorrow has begun in some time zones.
    assert_eq!(service.parts(service.call([RecordKind::Daily]).from(date("2025-11-21"))).await.len(), 1);
    assert!(service.call([RecordKind::Daily]).from(date("2025-11-21")).plan().is_ok());
}

/// With these numbers, a caller finds out that another sync has stored a state since this sync began.
#[tokio::test]
async fn the_number_of_a_state_increases_with_each_sync() {
    let (service, state) = synced(5).await;
    let start = generation(&state).unwrap();
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let part = service.parts(service.call([RecordKind::Daily]).state(state.clone())).await.remove(0);
        assert!(generation(part.state_before()).unwrap() > start);
        assert_eq!(generation(part.state()).unwrap(), part.generation());
        numbers.push(part.generation());
    }
    // Two syncs that start from one state return states with the same number, so the states of only one of them can be stored.
    assert_eq!(numbers[0], numbers[1]);
    assert!(numbers[0] > start);
    assert_eq!(generation(b"vwsync"), Err(StateError::Damaged));
}

#[tokio::test]
async fn the_state_of_a_year_is_at_most_4_kb_for_each_kind() {
    let service = Service::start("2025-11-20");
    for day in 0..365 {
        let day = date("2025-11-20").plus_days(-day).unwrap();
        let number = i64::from(date("1970-01-01").days_until(day));
        let mut world = service.world();
        world.steps.insert(day, 1);
        world.hours.extend((0..24).map(|hour| (number * 24 + hour, 1)));
        world.sleeps.insert(format!("sleep-0000-4000-8000-{number:016}"), (day, 1));
        for meal in 0..3 {
            world.meals.insert(format!("{number:08}-0000-4000-8000-00000000000{meal}"), (day, 1));
        }
    }
    for (kind, records) in [
        (RecordKind::Daily, 365),
        (RecordKind::Hourly, 365 * 24),
        (RecordKind::Sleeps, 365),
        (RecordKind::SleepStages, 365),
        (RecordKind::Nutrition, 365 * 3),
    ] {
        let parts = service.parts(service.call([kind])).await;
        assert_eq!(parts.iter().map(|part| part.changes().len()).sum::<usize>(), records, "{kind}");
        let size = parts.last().unwrap().state().len();
        assert!(size <= 4_096, "{kind}: {size} bytes");
        // The state contains neither the secret nor the user.
        let state = String::from_utf8_lossy(parts.last().unwrap().state()).into_owned();
        assert!(!state.contains("user-7") && !state.contains("0123456789abcdef"));
    }
}
