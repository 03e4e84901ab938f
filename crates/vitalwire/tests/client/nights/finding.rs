//! Nights that a search finds, and its requests.

use vitalwire::error::ErrorKind;
use vitalwire::range::OnError;
use vitalwire_testkit::{Server, json};

use crate::nights::{Diary, days, ids, nights_with_days, query_value, record, requested_sleeps, requested_statistics, search, sleep_id};

#[tokio::test]
async fn naps_are_found_and_other_records_are_counted() {
    let server = Diary::new(&[
        ("2025-01-01", &["no-1", "night-1"]),
        // In the order of the response: the nap before the night.
        ("2025-01-02", &["nap-2", "no-2", "night-2"]),
        ("2025-01-04", &["night-4"]),
    ])
    .serve();
    let nights = search(&server, days("2025-01-01", "2025-01-05")).collect().await.unwrap();
    assert_eq!(ids(&nights), ["night-1", "nap-2", "night-2", "night-4"]);
    assert_eq!((nights.not_found(), nights.duplicates(), nights.failures().len(), nights.resume_token()), (2, 0, 0, None));
    let not_found: Vec<_> = nights.not_found_records().iter().map(|record| (&*record.id, record.days[0].to_string())).collect();
    assert_eq!(not_found, [("no-1", "2025-01-01".to_owned()), ("no-2", "2025-01-02".to_owned())]);
    assert_eq!(format!("{:?}", nights.not_found_records()[0]), "NotFoundRecord { .. }", "no id and no day");
    let rows: Vec<_> = nights.parts().iter().map(|day| (day.index, day.rows.clone())).collect();
    assert_eq!(rows, [(0, 0..1), (1, 1..3), (2, 3..3), (3, 3..4), (4, 4..4)], "days without nights are parts too");
    assert_eq!(nights.parts()[1].range, Some(days("2025-01-02", "2025-01-02").into()));
    assert_eq!(requested_statistics(&server), [("2025-01-01".to_owned(), "2025-01-05".to_owned())]);
    let first = &server.requests()[0];
    assert_eq!((query_value(first, "types").as_str(), query_value(first, "include_record_ids").as_str()), ("sleep_duration_total", "true"));
    let other = server.requests().iter().find(|seen| sleep_id(seen).is_some()).map(|seen| query_value(seen, "include_stages"));
    assert_eq!(other.unwrap(), "", "unset parameters are not sent");
}

#[tokio::test]
async fn a_night_of_several_days_is_returned_once_with_all_days() {
    let server = Diary::new(&[("2025-01-01", &["a", "a"]), ("2025-01-02", &["b", "a"]), ("2025-01-03", &["a", "b", "c"])]).serve();
    let nights = search(&server, days("2025-01-01", "2025-01-03")).collect().await.unwrap();
    let all = |days: &[&str]| days.iter().map(|day| format!("2025-01-0{day}")).collect::<Vec<_>>();
    assert_eq!(nights_with_days(&nights), [("a".into(), all(&["1", "2", "3"])), ("b".into(), all(&["2", "3"])), ("c".into(), all(&["3"]))]);
    assert_eq!((nights.duplicates(), requested_sleeps(&server)), (4, vec!["a".to_owned(), "b".into(), "c".into()]));
}

/// Statistics are requested for 90 days at a time. A night that two requests list is returned once.
#[tokio::test]
async fn a_long_range_is_requested_in_parts() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-03-31", &["b"]), ("2025-04-01", &["b", "c"]), ("2025-12-31", &["d"])]).serve();
    let nights = search(&server, days("2025-01-01", "2025-12-31")).collect().await.unwrap();
    assert_eq!(ids(&nights), ["a", "b", "c", "d"]);
    assert_eq!((nights.duplicates(), nights.parts().len()), (1, 365));
    let expected = [
        ("2025-01-01", "2025-03-31"),
        ("2025-04-01", "2025-06-29"),
        ("2025-06-30", "2025-09-27"),
        ("2025-09-28", "2025-12-26"),
        ("2025-12-27", "2025-12-31"),
    ];
    assert_eq!(requested_statistics(&server), expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
}

#[tokio::test]
async fn days_are_ordered_whatever_the_order_of_the_response() {
    let server = Server::with_script(|seen, _| match sleep_id(seen) {
        Some(id) => record(&id),
        // Buckets in reverse order. One has no date, one has a date that was not requested, and one has null ids.
        None => json(
            200,
            r#"{"from_date":"2025-01-01","to_date":"2025-01-03","statistics":[{"date":"2025-01-09","record_ids":["late"]},
                {"date":"2025-01-03","record_ids":["c"]},{"date":"2025-01-02","record_ids":null},{"date":"2025-01-01","record_ids":["a","c"]},
                {"record_ids":["undated"]}]}"#,
        ),
    });
    let nights = search(&server, days("2025-01-01", "2025-01-03")).collect().await.unwrap();
    let day = |text: &str| vec![format!("2025-01-{text}")];
    let both = vec!["2025-01-01".to_owned(), "2025-01-03".into()];
    assert_eq!(
        nights_with_days(&nights),
        [("a".into(), day("01")), ("c".into(), both), ("undated".into(), vec![]), ("late".into(), day("09"))]
    );
}

#[tokio::test]
async fn a_range_without_nights_is_not_a_failure() {
    for list in ["null", "[]", r#"[{"date":"2025-01-01","values":{}}]"#, r#"[{"date":"2025-01-01","values":{"sleep_duration_total":0}}]"#] {
        let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":{list}}}"#);
        let server = Server::always(json(200, &body));
        let nights = search(&server, days("2025-01-01", "2025-01-02")).collect().await.unwrap();
        assert_eq!((nights.len(), nights.parts().len(), server.count()), (0, 2, 1), "{list}");
        let mut stream = search(&server, days("2025-01-01", "2025-01-02")).stream().unwrap();
        assert!(stream.next().await.is_none());
        assert_eq!((stream.progress().done, stream.resume_token()), (2, None));
    }
}

/// Without this failure, a service that does not return record ids would appear to have no nights.
#[tokio::test]
async fn sleep_without_record_ids_is_a_failure_of_its_day() {
    let server = Server::with_script(|seen, _| match sleep_id(seen) {
        Some(id) => record(&id),
        None => json(
            200,
            r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-01","record_ids":["a"]},
                {"date":"2025-01-02","values":{"sleep_duration_total":25200000}}]}"#,
        ),
    });
    let nights = search(&server, days("2025-01-01", "2025-01-02")).on_error(OnError::Collect).collect().await.unwrap();
    let [failure] = nights.failures() else { panic!("{nights:?}") };
    assert_eq!((failure.error().kind(), failure.error().json_path()), (ErrorKind::Decode, Some("statistics[1].record_ids")));
    assert_eq!((failure.range(), ids(&nights)), (Some(days("2025-01-02", "2025-01-02").into()), vec!["a".to_owned()]));
    assert!(!failure.to_string().contains("25200000"));
}

#[tokio::test]
async fn settings_apply_to_the_calls_of_the_search() {
    let server = Diary::new(&[("2025-01-01", &["a"])]).serve();
    let search = search(&server, days("2025-01-01", "2025-01-01")).include_stages(true).include_samples(false);
    search.providers(["oura", "polar"]).exclude_manual(true).collect().await.unwrap();
    let [statistics, sleep] = &server.requests()[..] else { panic!("{} requests", server.count()) };
    assert!(statistics.line().contains("providers=oura&providers=polar") && query_value(statistics, "exclude_manual") == "true");
    assert_eq!((query_value(sleep, "include_stages").as_str(), query_value(sleep, "include_samples").as_str()), ("true", "false"));
}
