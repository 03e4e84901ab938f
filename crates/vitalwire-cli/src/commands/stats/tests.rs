use std::collections::BTreeSet;

use super::*;
use crate::cli::{Cli, Command, ServiceCommand};
use crate::commands::signals::Cancellation;
use clap::Parser;

/// A sandbox that lacks a name that the client knows, as a service older than the client does.
#[tokio::test]
async fn names_that_the_service_lacks_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["daily", "interval"] {
        let file = folder.path().join(command);
        let line = ["vitalwire", "--sandbox", "--today", "2025-11-21", "--output", &file.to_string_lossy(), "stats", command];
        let show = async |create: fn(&'static str, Vec<String>) -> RequestedNames| {
            let cli = Cli::try_parse_from(line).expect("a command");
            let session = Session::open(cli.connection, Cancellation::default()).await.expect("a sandbox");
            let requested = create(TYPES, ["steps", "hops_invented", "heartrate"].map(str::to_owned).to_vec());
            match cli.command {
                Command::Service(ServiceCommand::Stats(StatsCommand::Daily(options))) => show_daily(&session, options, requested).await,
                Command::Service(ServiceCommand::Stats(StatsCommand::Interval(options))) => show_hourly(&session, options, requested).await,
                _ => panic!("no statistics"),
            }
        };
        assert!(matches!(show(RequestedNames::from_user).await, Err(Failure::Call(error)) if error.status() == Some(422)));
        assert!(!file.exists());
        show(RequestedNames::all_known).await.expect("the others");
        let shown = std::fs::read_to_string(&file).expect("a response");
        assert!(shown.contains("\n  steps ") && shown.contains("\n  heart rate ") && !shown.contains("invented"), "{shown}");
    }
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

#[test]
fn the_default_days_are_the_fortnight_up_to_yesterday() {
    let today = date("2025-11-21");
    assert_eq!(day_range(today, None, None), (date("2025-11-07"), date("2025-11-20")));
    assert_eq!(day_range(today, Some(date("2025-11-01")), None), (date("2025-11-01"), date("2025-11-20")));
    assert_eq!(day_range(today, None, Some(date("2025-03-14"))), (date("2025-03-01"), date("2025-03-14")));
    // A start of today or later selects that day alone.
    assert_eq!(day_range(today, Some(today), None), (today, today));
}

#[test]
fn the_default_hours_are_the_day_up_to_the_last_full_hour() {
    let at = |text: &str| text.parse::<Timestamp>().expect("a date-time");
    let now = at("2025-11-21T12:30:00Z");
    assert_eq!(hour_range(now, None, None), (at("2025-11-20T12:00:00Z"), at("2025-11-21T12:00:00Z")));
    let (from, to) = (at("2025-11-01T00:00:00Z"), at("2025-11-02T00:00:00Z"));
    assert_eq!(hour_range(now, Some(from), None), (from, at("2025-11-21T12:00:00Z")));
    assert_eq!(hour_range(now, None, Some(to)), (from, to));
    // The current hour is not complete, so the span is the day from there.
    assert_eq!(hour_range(now, Some(now), None), (now, at("2025-11-22T12:30:00Z")));
}

#[test]
fn hourly_statistics_are_those_of_the_interface() {
    let filter = StatisticsFilter::default();
    let names = |known| requested_names(&filter, known).names().iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(StatisticName::KNOWN), StatisticName::KNOWN.iter().map(|name| (*name).to_owned()).collect());
    let hourly = names(HOURLY_TYPES);
    assert!(hourly.is_subset(&names(StatisticName::KNOWN)) && hourly.contains("steps"));
    for removed in ["sleep_duration_total", "sleep_score", "activity_score", "recovery_score", "stress_score"] {
        assert!(!hourly.contains(removed), "{removed}");
    }
}
