//! Division of a range into parts.

use vitalwire::error::ErrorKind;
use vitalwire::range::PartLength;
use vitalwire_testkit::{Server, json};

use crate::range::{calendar, client, daily, days, instants, interval, query_value, requested_days};

/// First day, last day, days per part, and the expected parts.
type Case = (&'static str, &'static str, u32, &'static [(&'static str, &'static str)]);

fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

#[tokio::test]
async fn a_year_in_parts_of_30_days_has_13_parts() {
    let server = calendar();
    let merged = daily(&server, days("2025-01-01", "2025-12-31")).split(PartLength::Days(30)).collect().await.unwrap();
    let expected = [
        ("2025-01-01", "2025-01-30"),
        ("2025-01-31", "2025-03-01"),
        ("2025-03-02", "2025-03-31"),
        ("2025-04-01", "2025-04-30"),
        ("2025-05-01", "2025-05-30"),
        ("2025-05-31", "2025-06-29"),
        ("2025-06-30", "2025-07-29"),
        ("2025-07-30", "2025-08-28"),
        ("2025-08-29", "2025-09-27"),
        ("2025-09-28", "2025-10-27"),
        ("2025-10-28", "2025-11-26"),
        ("2025-11-27", "2025-12-26"),
        ("2025-12-27", "2025-12-31"),
    ];
    assert_eq!(requested_days(&server), texts(&expected));
    assert!(server.requests().iter().all(|seen| query_value(seen, "types") == "steps"), "the other parameters are unchanged");
    assert_eq!((merged.parts().len(), merged.statistics.len(), merged.duplicates()), (13, 365, 0));
    assert_eq!((merged.parts()[12].rows.clone(), merged.parts()[12].range.unwrap().dates().unwrap().days()), (360..365, 5));
    assert_eq!((merged.from_date.to_string(), merged.to_date.to_string()), ("2025-01-01".into(), "2025-12-31".into()));
    let dates: Vec<_> = merged.statistics.iter().map(|day| day.date.unwrap()).collect();
    assert!(dates.is_sorted() && merged.resume_token().is_none() && merged.failures().is_empty());
}

#[tokio::test]
async fn parts_cover_leap_days_single_days_and_short_ranges() {
    let cases: [Case; 4] = [
        ("2024-02-27", "2024-03-02", 2, &[("2024-02-27", "2024-02-28"), ("2024-02-29", "2024-03-01"), ("2024-03-02", "2024-03-02")]),
        ("2025-02-28", "2025-02-28", 1, &[("2025-02-28", "2025-02-28")]),
        ("2025-01-01", "2025-01-10", 400, &[("2025-01-01", "2025-01-10")]),
        ("2025-01-01", "2025-01-10", u32::MAX, &[("2025-01-01", "2025-01-10")]),
    ];
    for (first, last, part_length, expected) in cases {
        let server = calendar();
        daily(&server, days(first, last)).split(PartLength::Days(part_length)).collect().await.unwrap();
        assert_eq!(requested_days(&server), texts(expected), "{first} to {last} by {part_length}");
    }
}

#[tokio::test]
async fn parts_of_instants_share_their_bounds() {
    let server = Server::always(json(200, r#"{"statistics":null}"#));
    let range = instants("2025-01-01T00:00:00Z", "2025-01-01T13:30:00Z");
    let merged = interval(&server, range).split(PartLength::Hours(6)).collect().await.unwrap();
    let mut seen: Vec<_> =
        server.requests().iter().map(|seen| (query_value(seen, "from_timestamp"), query_value(seen, "to_timestamp"))).collect();
    seen.sort();
    let expected = [
        ("2025-01-01T00:00:00Z", "2025-01-01T06:00:00Z"),
        ("2025-01-01T06:00:00Z", "2025-01-01T12:00:00Z"),
        ("2025-01-01T12:00:00Z", "2025-01-01T13:30:00Z"),
    ];
    assert_eq!(seen, texts(&expected));
    assert!(merged.statistics.is_empty());
    assert_eq!((merged.from_timestamp, merged.to_timestamp), (Some(range.start()), Some(range.end())));

    let server = Server::always(json(200, r#"{"statistics":[]}"#));
    interval(&server, range).split(PartLength::Days(1)).collect().await.unwrap();
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn a_range_without_a_part_length_is_one_call() {
    let server = calendar();
    let merged = daily(&server, days("2025-01-01", "2025-12-31")).split(None).collect().await.unwrap();
    assert_eq!((server.count(), merged.statistics.len()), (1, 365));
    // The service decides whether it accepts an open range.
    let server = Server::always(json(200, "null"));
    let merged = client(&server).lab_reports().list().split(None).collect().await.unwrap();
    assert_eq!((merged.len(), merged.parts()[0].range), (0, None));
    assert_eq!(server.requests()[0].line(), "GET /v3/lab_reports HTTP/1.1");
}

#[tokio::test]
async fn an_invalid_split_is_rejected_before_anything_is_sent() {
    let server = calendar();
    let year = days("2025-01-01", "2025-12-31");
    let hours = instants("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z");
    let list = || client(&server).lab_reports().list();
    let errors = [
        (daily(&server, year).split(PartLength::Days(0)).stream().unwrap_err(), "part_length"),
        (daily(&server, year).split(PartLength::Hours(24)).stream().unwrap_err(), "part_length"),
        (interval(&server, hours).split(PartLength::Hours(0)).stream().unwrap_err(), "part_length"),
        (daily(&server, year).split(PartLength::Days(1)).concurrency(0).stream().unwrap_err(), "concurrency"),
        (list().to_timestamp(hours.end()).split(PartLength::Days(1)).stream().unwrap_err(), "from_timestamp"),
        (list().from_timestamp(hours.start()).split(PartLength::Days(1)).stream().unwrap_err(), "to_timestamp"),
        (list().from_timestamp(hours.end()).to_timestamp(hours.start()).split(PartLength::Days(1)).stream().unwrap_err(), "to_timestamp"),
        (
            list().range(instants("1000-01-01T00:00:00Z", "2025-01-01T00:00:00Z")).split(PartLength::Hours(1)).stream().unwrap_err(),
            "part_length",
        ),
    ];
    for (error, argument) in errors {
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some(argument)));
    }
    // 100,000 days from 1900-01-01 are allowed; one more is not.
    let (max, more) = (days("1900-01-01", "2173-10-15"), days("1900-01-01", "2173-10-16"));
    assert_eq!((max.days(), more.days()), (100_000, 100_001));
    assert!(daily(&server, max).split(PartLength::Days(1)).stream().is_ok());
    assert!(daily(&server, more).split(PartLength::Days(1)).stream().is_err());
    assert_eq!(server.count(), 0);
}

#[test]
fn a_part_length_converts_from_and_to_text() {
    for (part_length, text) in [
        (PartLength::Days(30), "30d"),
        (PartLength::Hours(6), "6h"),
        (PartLength::Days(0), "0d"),
        (PartLength::Hours(u32::MAX), "4294967295h"),
    ] {
        assert_eq!((part_length.to_string(), text.parse().ok()), (text.to_owned(), Some(part_length)));
    }
    assert_eq!("2w".parse().ok(), Some(PartLength::Days(14)));
    for text in ["", "d", "h", "w", "30", "30 d", "-1d", "+1d", "1.5d", "30D", "1W", "613566757w", "4294967296h", "1dd"] {
        assert_eq!(text.parse::<PartLength>().unwrap_err().argument(), Some("part_length"), "{text}");
    }
}
