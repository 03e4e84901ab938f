//! `vitalwire stats`.

use vitalwire::models::{DailyBucket, DailyStatistics, IntervalBucket, IntervalStatistics, StatisticsValues};
use vitalwire::open_sets::{DeviceType, ProviderSlug, StatisticName, StatisticsInterval};
use vitalwire::operations::{StatisticsDailyParams, StatisticsIntervalParams};
use vitalwire::range::{DateRange, ResumeToken};
use vitalwire::table::TableId;
use vitalwire::value::{Date, OpenSet, Timestamp};

use super::asked::Asked;
use super::export::Wanted;
use super::names::Unknown;
use super::session::Session;
use crate::cli::{Daily, Day, Filter, Interval, Stats};
use crate::days::Days;
use crate::failure::Failure;
use crate::render::style::{FAINT, paint};
use crate::screen::Screen;
use crate::view::interval::HOUR;
use crate::view::records::{self, Behind};
use crate::view::series::Drawn;
use crate::view::statistic::{sorted, words};
use crate::view::{daily, interval};

/// The name of the statistics parameter in the interface.
pub(super) const TYPES: &str = "types";
/// Statistics that the service has per hour. Only the default is limited to these; any other name is requested as given.
const HOURLY: &[&str] = StatisticsIntervalParams::KNOWN_TYPES;
/// Number of days shown by default.
const DAYS: i32 = 14;
/// Seconds shown by default.
const SPAN: i64 = 24 * HOUR;

/// Runs the command.
pub(crate) async fn run(session: &Session, stats: Stats) -> Result<(), Failure> {
    let (filter, types) = match &stats {
        Stats::Daily(options) => (&options.filter, StatisticName::KNOWN),
        Stats::Interval(options) => (&options.filter, HOURLY),
    };
    let unknown = Unknown::default().add_of::<StatisticName>(TYPES, &filter.types, types);
    let unknown = unknown.add::<ProviderSlug>("providers", &filter.providers).add::<DeviceType>("device_types", &filter.device_types);
    let asked = asked(filter, types);
    let done = match stats {
        Stats::Daily(options) => by_day(session, options, asked).await,
        Stats::Interval(options) => by_hour(session, options, asked).await,
    };
    done.map_err(|failure| unknown.hint(failure))
}

async fn by_day(session: &Session, options: Daily, mut asked: Asked) -> Result<(), Failure> {
    let resumed = options.in_parts.token().and_then(ResumeToken::dates);
    // If a run is continued, a missing bound or one relative to today comes from that run.
    let own = |day: Option<Day>| day.filter(|day| resumed.is_none() || !day.is_relative());
    let (from, to) = (own(options.from), own(options.to));
    let is_relative = |day: &Option<Day>| day.is_some_and(Day::is_relative);
    let counts_from_today = is_relative(&from) || is_relative(&to) || (to.is_none() && resumed.is_none());
    let today = if counts_from_today { session.today().await? } else { Date::default() };
    let from = from.map(|day| day.date(today)).or(resumed.map(DateRange::first));
    let to = to.map(|day| day.date(today)).or(resumed.map(DateRange::last));
    let (first, last) = period(today, from, to);
    let filter = &options.filter;
    let call = |first: Date, names: &[String]| {
        let mut params = StatisticsDailyParams::new(first, last, names.iter().map(String::as_str));
        params = params.providers(filter.providers.clone()).device_types(filter.device_types.clone());
        (params.exclude_manual, params.include_record_ids) = (said(filter.exclude_manual), said(filter.record_ids));
        session.client.call(params)
    };
    let probe = async |names: &[String]| call(last, names).cancel_token(&session.stop).send().await.map(drop);
    if options.in_parts.token().is_some() {
        asked.settle(&probe).await;
    }
    let title = format!("Statistics a day, {first} to {last}");
    let show = async |names: &[String]| {
        let draw = |screen: &mut Screen, answer: &DailyStatistics| {
            let (told, silent) = split(names, filter, |name| answer.statistics.iter().any(|bucket| tells(bucket.values.as_ref(), name)));
            let drawn = daily::table(answer, &told, &daily::days(first, last), screen.room());
            draw(screen, &drawn, "days", &silent)?;
            let day = |bucket: &DailyBucket| bucket.date.map_or_else(String::new, |date| date.to_string());
            behind(screen, filter, answer.statistics.iter().map(|bucket| (day(bucket), bucket.record_ids.as_slice())))
        };
        session.show_range(call(first, names), &options.in_parts, wanted(TableId::DailyStatistics, filter), &title, draw).await
    };
    asked.run(probe, show).await
}

async fn by_hour(session: &Session, options: Interval, mut asked: Asked) -> Result<(), Failure> {
    let given = session.instants(options.from, options.to, &options.in_parts).await?;
    let (from, to) = stretch(session.now(), given.from, given.to);
    let days = given.days.unwrap_or_else(Days::utc);
    let minute = |at: Timestamp| minute(at, days.offset_minutes(at));
    let filter = &options.filter;
    let call = |from: Timestamp, names: &[String]| {
        let mut params = StatisticsIntervalParams::new(StatisticsInterval::OneHour, names.iter().map(String::as_str))
            .from_timestamp(from)
            .to_timestamp(to);
        params = params.providers(filter.providers.clone()).device_types(filter.device_types.clone());
        (params.exclude_manual, params.include_record_ids) = (said(filter.exclude_manual), said(filter.record_ids));
        session.client.call(params)
    };
    let last = Timestamp::from_unix(to.unix_seconds() - HOUR, 0).unwrap_or(from).max(from);
    let probe = async |names: &[String]| call(last, names).cancel_token(&session.stop).send().await.map(drop);
    if options.in_parts.token().is_some() {
        asked.settle(&probe).await;
    }
    let title = format!("Statistics an hour, {} to {} {days}", minute(from), minute(to));
    let show = async |names: &[String]| {
        let draw = |screen: &mut Screen, answer: &IntervalStatistics| {
            let (told, silent) = split(names, filter, |name| answer.statistics.iter().any(|bucket| tells(bucket.values.as_ref(), name)));
            let drawn = interval::table(answer, &told, (from, to), |at| days.offset_minutes(at), screen.room());
            draw(screen, &drawn, "hours", &silent)?;
            let hour = |bucket: &IntervalBucket| bucket.from_timestamp.map_or_else(String::new, minute);
            behind(screen, filter, answer.statistics.iter().map(|bucket| (hour(bucket), bucket.record_ids.as_slice())))
        };
        session.show_range(call(from, names), &options.in_parts, wanted(TableId::IntervalStatistics, filter), &title, draw).await
    };
    asked.run(probe, show).await
}

/// Converts a switch to a parameter, which is sent only if the switch is on.
fn said(on: bool) -> Option<bool> {
    on.then_some(true)
}

/// Returns the table of the response, without the column of record ids unless it was requested.
fn wanted(table: TableId, filter: &Filter) -> Wanted {
    if filter.record_ids { table.into() } else { Wanted::from(table).without("record_ids") }
}

/// Draws the record ids of the statistics, if they were requested.
fn behind<'a>(screen: &mut Screen, filter: &Filter, buckets: impl Iterator<Item = Behind<'a>>) -> Result<(), Failure> {
    if filter.record_ids { records::show(screen, buckets) } else { Ok(()) }
}

/// Returns the requested days, both included. The client rejects an end before the start.
fn period(today: Date, from: Option<Date>, to: Option<Date>) -> (Date, Date) {
    let yesterday = today.plus_days(-1).unwrap_or(today);
    let last = to.unwrap_or_else(|| from.map_or(yesterday, |from| from.max(yesterday)));
    (from.unwrap_or_else(|| last.plus_days(1 - DAYS).unwrap_or(last)), last)
}

/// Returns the requested time span, without its end.
fn stretch(now: Timestamp, from: Option<Timestamp>, to: Option<Timestamp>) -> (Timestamp, Timestamp) {
    let at = |seconds: i64| Timestamp::from_unix(seconds, 0).unwrap_or(now);
    let full = at(now.unix_seconds().div_euclid(HOUR) * HOUR);
    let to = to.unwrap_or_else(|| from.map_or(full, |from| if from < full { full } else { at(from.unix_seconds() + SPAN) }));
    (from.unwrap_or_else(|| at(to.unix_seconds() - SPAN)), to)
}

/// Returns the names to request: those that were given, or all known ones.
fn asked(filter: &Filter, known: &[&str]) -> Asked {
    match filter.types.as_slice() {
        [] => Asked::known(TYPES, sorted(known.iter().copied())),
        given => Asked::given(TYPES, given.to_vec()),
    }
}

fn tells(values: Option<&StatisticsValues>, name: &str) -> bool {
    values.is_some_and(|values| values.get_text(name).is_some())
}

/// Separates the names that get a line from those without values. A name that was given always gets a line.
fn split(names: &[String], filter: &Filter, told: impl Fn(&str) -> bool) -> (Vec<String>, Vec<String>) {
    names.iter().cloned().partition(|name| !filter.types.is_empty() || told(name))
}

fn draw(screen: &mut Screen, drawn: &Drawn, unit: &str, silent: &[String]) -> Result<(), Failure> {
    screen.table(&drawn.picture)?;
    if drawn.values_a_mark > 1 {
        screen.line(&paint(FAINT, &format!("a mark is the mean of {} {unit}", drawn.values_a_mark)))?;
    }
    if !silent.is_empty() {
        screen.line("")?;
        let names: Vec<String> = silent.iter().map(|name| words(name)).collect();
        screen.note(&format!("No values: {}.", names.join(", ")))?;
    }
    Ok(())
}

/// Formats a local date and a time, to the minute.
fn minute(at: Timestamp, offset_minutes: i64) -> String {
    at.local(offset_minutes).map(|local| local.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::{Cli, Command, Service};
    use crate::commands::signals::Stop;
    use clap::Parser;

    /// A sandbox that lacks a name that the client knows, as a service older than the client does.
    #[tokio::test]
    async fn a_service_that_lacks_a_name_gives_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        for command in ["daily", "interval"] {
            let file = folder.path().join(command);
            let line = ["vitalwire", "--sandbox", "--today", "2025-11-21", "--output", &file.to_string_lossy(), "stats", command];
            let show = async |asked: fn(&'static str, Vec<String>) -> Asked| {
                let cli = Cli::try_parse_from(line).expect("a command");
                let session = Session::open(cli.connection, Stop::default()).await.expect("a sandbox");
                let asked = asked(TYPES, ["steps", "hops_invented", "heartrate"].map(str::to_owned).to_vec());
                match cli.command {
                    Command::Service(Service::Stats(Stats::Daily(options))) => by_day(&session, options, asked).await,
                    Command::Service(Service::Stats(Stats::Interval(options))) => by_hour(&session, options, asked).await,
                    _ => panic!("no statistics"),
                }
            };
            assert!(matches!(show(Asked::given).await, Err(Failure::Call(error)) if error.status() == Some(422)));
            assert!(!file.exists());
            show(Asked::known).await.expect("the others");
            let shown = std::fs::read_to_string(&file).expect("an answer");
            assert!(shown.contains("\n  steps ") && shown.contains("\n  heart rate ") && !shown.contains("invented"), "{shown}");
        }
    }

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn without_dates_it_is_the_fortnight_up_to_yesterday() {
        let today = date("2025-11-21");
        assert_eq!(period(today, None, None), (date("2025-11-07"), date("2025-11-20")));
        assert_eq!(period(today, Some(date("2025-11-01")), None), (date("2025-11-01"), date("2025-11-20")));
        assert_eq!(period(today, None, Some(date("2025-03-14"))), (date("2025-03-01"), date("2025-03-14")));
        // A start of today or later selects that day alone.
        assert_eq!(period(today, Some(today), None), (today, today));
    }

    #[test]
    fn without_times_it_is_the_day_up_to_the_last_full_hour() {
        let at = |text: &str| text.parse::<Timestamp>().expect("a date-time");
        let now = at("2025-11-21T12:30:00Z");
        assert_eq!(stretch(now, None, None), (at("2025-11-20T12:00:00Z"), at("2025-11-21T12:00:00Z")));
        let (from, to) = (at("2025-11-01T00:00:00Z"), at("2025-11-02T00:00:00Z"));
        assert_eq!(stretch(now, Some(from), None), (from, at("2025-11-21T12:00:00Z")));
        assert_eq!(stretch(now, None, Some(to)), (from, to));
        // The current hour is not complete, so the span is the day from there.
        assert_eq!(stretch(now, Some(now), None), (now, at("2025-11-22T12:30:00Z")));
    }

    #[test]
    fn hourly_statistics_are_those_the_interface_leaves() {
        let filter = Filter::default();
        let names = |known| asked(&filter, known).names().iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(StatisticName::KNOWN), StatisticName::KNOWN.iter().map(|name| (*name).to_owned()).collect());
        let hourly = names(HOURLY);
        assert!(hourly.is_subset(&names(StatisticName::KNOWN)) && hourly.contains("steps"));
        for removed in ["sleep_duration_total", "sleep_score", "activity_score", "recovery_score", "stress_score"] {
            assert!(!hourly.contains(removed), "{removed}");
        }
    }
}
