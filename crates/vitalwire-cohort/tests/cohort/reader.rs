//! Tests of readers of work items.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use vitalwire::table::ColumnData;
use vitalwire::{Client, ErrorKind};
use vitalwire_cohort::{
    CohortReader, CohortSync, CohortTable, Credential, ItemRows, KeySource, Plan, PseudonymKey, RateLimits, Selection, SyncStates, USER,
    UserCredentials,
};
use vitalwire_sync::RecordKind;
use vitalwire_testkit::{Server, json, problem};

use super::days;
use super::service::Service;

/// Reads a table of users with one work item.
async fn read(reader: &CohortReader, table: CohortTable, first: &str, last: &str) -> Result<ItemRows, vitalwire::Error> {
    let selection = Selection::new(reader.credentials().ids(), [table], days(first, last)).unwrap();
    let plan = Plan::due(&selection, &SyncStates::new(), None);
    Ok(reader.read_all(plan.items()).await?.remove(0))
}

/// Returns users with tokens of their own.
fn with_tokens(count: usize) -> UserCredentials {
    let token = |number: usize| Credential::Token(format!("token-{number}").into());
    UserCredentials::new((0..count).map(|number| (format!("user-{number}"), token(number)))).unwrap()
}

#[tokio::test]
async fn a_failing_user_is_listed_and_the_others_are_read() {
    let service = Service::start(&["anna", "carl"], |user, day| Some(i32::try_from(user).unwrap() * 1000 + day));
    let reader = service.reader(&["anna", "ben", "carl"]);
    let read = read(&reader, CohortTable::Daily, "2025-01-01", "2025-01-02").await.unwrap();
    assert_eq!(read.table.columns().next().unwrap().field().name, USER);
    let ColumnData::Text(users) = read.table.column(USER).unwrap().data() else { panic!("texts") };
    assert_eq!((0..4).map(|row| users.get(row)).collect::<Vec<_>>(), ["anna", "anna", "carl", "carl"]);
    let ColumnData::Number(steps) = read.table.column("steps").unwrap().data() else { panic!("numbers") };
    assert_eq!(steps, &[0.0, 1.0, 1000.0, 1001.0]);
    let [failure] = &read.failures[..] else { panic!("one failure") };
    assert_eq!((&*failure.user, &*failure.kind, failure.status, failure.table), ("ben", "authentication", Some(401), CohortTable::Daily));
    assert!(!failure.message.contains("token-"));
    // `user`, `date`, `record_ids` and 20 statistics, which are columns even if they have no values.
    assert_eq!(read.table.exported().count(), 1 + 1 + 1 + 20);
}

#[tokio::test]
async fn pseudonyms_replace_user_ids_in_rows_and_failures() {
    let service = Service::start(&["user-1"], |_, day| Some(day));
    let key = PseudonymKey::new(b"an-application-key").unwrap();
    let reader = service.reader(&["user-1", "user-2"]).with_pseudonyms(key.clone());
    let read = read(&reader, CohortTable::Daily, "2025-01-01", "2025-01-01").await.unwrap();
    let ColumnData::Text(users) = read.table.column(USER).unwrap().data() else { panic!("texts") };
    assert_eq!(users.get(0), "b6d21240a619a16353e8c662685627a2");
    assert_eq!(read.failures[0].user, key.pseudonym("user-2"));
}

#[tokio::test]
async fn an_exchanged_token_is_reused_until_a_401() {
    let exchanges = AtomicU32::new(0);
    let server = Server::with_script(move |request, _| {
        if request.target().starts_with("POST /v3/auth/hmac") {
            // HMAC-SHA256 of the user id, from the documentation of `sign_user_id`.
            assert!(request.text().contains("b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2"), "{}", request.text());
            return json(200, &format!(r#"{{"access_token":"access-{}"}}"#, exchanges.fetch_add(1, Ordering::SeqCst)));
        }
        match (request.bearer(), request.target().contains("2025-01-01")) {
            (Some("access-0"), true) | (Some("access-1"), false) => {
                json(200, r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}"#)
            }
            _ => problem(401, "expired jwt"),
        }
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "an-application-key\n").unwrap();
    let users = UserCredentials::from_application_key(["user-1"], 7, KeySource::File(file.path().to_owned())).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()), users, RateLimits::new()).unwrap();
    for day in ["2025-01-01", "2025-01-02", "2025-01-02"] {
        assert!(read(&reader, CohortTable::Daily, day, day).await.unwrap().failures.is_empty(), "{day}");
    }
    let exchanged = server.requests().iter().filter(|request| request.target().contains("auth/hmac")).count();
    assert_eq!(exchanged, 2);
}

#[tokio::test]
async fn a_rejected_token_is_exchanged_only_once_more() {
    let server = Server::with_script(|request, _| match request.target().starts_with("POST /v3/auth/hmac") {
        true => json(200, r#"{"access_token":"access"}"#),
        false => problem(401, "expired jwt"),
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "an-application-key\n").unwrap();
    let users = UserCredentials::from_application_key(["user-1"], 7, KeySource::File(file.path().to_owned())).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()), users, RateLimits::new()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sync = CohortSync::new([RecordKind::Daily]).from("2025-01-01".parse().unwrap());
    let (states, changes) = (folder.path().join("states"), folder.path().join("changes"));
    let summary =
        tokio::time::timeout(Duration::from_secs(60), sync.run(&reader, &states, &changes, |_| ())).await.expect("the sync ends").unwrap();
    assert_eq!((summary.failed_users, summary.reasons[0].status), (1, Some(401)));
    let exchanged = server.requests().iter().filter(|request| request.target().contains("auth/hmac")).count();
    assert_eq!(exchanged, 2);
}

#[tokio::test]
async fn an_unreachable_service_is_an_error_of_the_whole_cohort() {
    // The listener is dropped, so connections to its port are refused.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let builder = Client::builder().base_url(format!("http://{address}")).retry_delay_scale(0.0);
    let reader = CohortReader::new(builder, with_tokens(60), RateLimits::new()).unwrap();
    assert_eq!(read(&reader, CohortTable::Daily, "2025-01-01", "2025-01-01").await.unwrap_err().kind(), ErrorKind::Transport);
    assert_eq!(reader.service_time().await.unwrap_err().kind(), ErrorKind::Transport);
}

#[tokio::test]
async fn a_missing_base_url_is_an_error_of_the_whole_cohort() {
    let reader = CohortReader::new(Client::builder(), with_tokens(1), RateLimits::new()).unwrap();
    assert_eq!(read(&reader, CohortTable::Daily, "2025-01-01", "2025-01-01").await.unwrap_err().kind(), ErrorKind::Configuration);
}

#[tokio::test]
async fn requests_stay_within_the_limits_in_every_second_including_retries() {
    let times = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&times);
    let server = Server::with_script(move |_, number| {
        seen.lock().unwrap().push(std::time::Instant::now());
        if number == 3 {
            problem(429, "slow down")
        } else {
            json(200, r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[]}"#)
        }
    });
    let limits = RateLimits::new().per_second(20.0).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()).retry_delay_scale(0.0), with_tokens(30), limits).unwrap();
    assert!(read(&reader, CohortTable::Daily, "2025-01-01", "2025-01-01").await.unwrap().failures.is_empty());
    let times = times.lock().unwrap();
    assert_eq!(times.len(), 31);
    for (at, first) in times.iter().enumerate() {
        let within_second = times[at..].iter().filter(|time| time.duration_since(*first).as_millis() < 1000).count();
        assert!(within_second <= 20, "{within_second} requests in a second");
    }
}
