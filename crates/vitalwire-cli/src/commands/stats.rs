//! `vitalwire stats`.

use vitalwire::models::{DailyBucket, IntervalBucket, StatisticsValues};
use vitalwire::open_sets::{DeviceType, ProviderSlug, StatisticName, StatisticsInterval};
use vitalwire::operations::{StatisticsDailyParams, StatisticsIntervalParams};
use vitalwire::table::TableId;
use vitalwire::value::{Date, OpenSet, Timestamp};

use super::export::Wanted;
use super::names::Unknown;
use super::range::resumed;
use super::session::Session;
use crate::cli::{Bound, Daily, Filter, Interval, Stats};
use crate::failure::Failure;
use crate::render::style::{FAINT, paint};
use crate::screen::Screen;
use crate::view::interval::HOUR;
use crate::view::records::{self, Behind};
use crate::view::series::Drawn;
use crate::view::statistic::{sorted, words};
use crate::view::{daily, interval};

/// What the service has by the hour. Only the default goes by this; whatever is named is asked for.
const HOURLY: &[&str] = StatisticsIntervalParams::KNOWN_TYPES;
/// Days shown unless told.
const DAYS: i32 = 14;
/// Seconds shown unless told.
const SPAN: i64 = 24 * HOUR;

/// Runs the command.
pub(crate) async fn run(session: &Session, stats: Stats) -> Result<(), Failure> {
    let (filter, types) = match &stats {
        Stats::Daily(options) => (&options.filter, StatisticName::KNOWN),
        Stats::Interval(options) => (&options.filter, HOURLY),
    };
    let unknown = Unknown::default().add_of::<StatisticName>("types", &filter.types, types);
    let unknown = unknown.add::<ProviderSlug>("providers", &filter.providers).add::<DeviceType>("device_types", &filter.device_types);
    let done = match stats {
        Stats::Daily(options) => by_day(session, options).await,
        Stats::Interval(options) => by_hour(session, options).await,
    };
    done.map_err(|failure| unknown.hint(failure))
}

async fn by_day(session: &Session, options: Daily) -> Result<(), Failure> {
    let today = session.now().local(0).map(|local| Date::from(local.date())).unwrap_or_default();
    let resumed = options.in_parts.resume.as_ref().and_then(|token| token.dates());
    let resumed = resumed.filter(|_| options.from.is_none() && options.to.is_none());
    let (first, last) = resumed.map_or_else(|| period(today, options.from, options.to), |range| (range.first(), range.last()));
    let names = names(&options.filter, StatisticName::KNOWN);
    let filter = &options.filter;
    let mut asked = StatisticsDailyParams::new(first, last, names.clone());
    asked = asked.providers(filter.providers.clone()).device_types(filter.device_types.clone());
    (asked.exclude_manual, asked.include_record_ids) = (said(filter.exclude_manual), said(filter.record_ids));
    let title = format!("Statistics a day, {first} to {last}");
    session
        .show_range(session.client.call(asked), &options.in_parts, wanted(TableId::DailyStatistics, filter), &title, |screen, answer| {
            let (told, silent) = split(names, filter, |name| answer.statistics.iter().any(|bucket| tells(bucket.values.as_ref(), name)));
            let drawn = daily::table(answer, &told, &daily::days(first, last), screen.room());
            draw(screen, &drawn, "days", &silent)?;
            let day = |bucket: &DailyBucket| bucket.date.map_or_else(String::new, |date| date.to_string());
            behind(screen, filter, answer.statistics.iter().map(|bucket| (day(bucket), bucket.record_ids.as_slice())))
        })
        .await
}

async fn by_hour(session: &Session, options: Interval) -> Result<(), Failure> {
    let (from, to) = match resumed(&options.in_parts, options.from, options.to) {
        Some(range) => (range.from(), range.to()),
        None => stretch(session.now(), options.from.map(Bound::start), options.to.map(Bound::end)),
    };
    let names = names(&options.filter, HOURLY);
    let filter = &options.filter;
    let mut asked = StatisticsIntervalParams::new(StatisticsInterval::OneHour, names.clone()).from_timestamp(from).to_timestamp(to);
    asked = asked.providers(filter.providers.clone()).device_types(filter.device_types.clone());
    (asked.exclude_manual, asked.include_record_ids) = (said(filter.exclude_manual), said(filter.record_ids));
    let title = format!("Statistics an hour, {} to {} UTC", minute(from), minute(to));
    session
        .show_range(session.client.call(asked), &options.in_parts, wanted(TableId::IntervalStatistics, filter), &title, |screen, answer| {
            let (told, silent) = split(names, filter, |name| answer.statistics.iter().any(|bucket| tells(bucket.values.as_ref(), name)));
            let drawn = interval::table(answer, &told, from, to, screen.room());
            draw(screen, &drawn, "hours", &silent)?;
            let hour = |bucket: &IntervalBucket| bucket.from_timestamp.map_or_else(String::new, minute);
            behind(screen, filter, answer.statistics.iter().map(|bucket| (hour(bucket), bucket.record_ids.as_slice())))
        })
        .await
}

/// A switch as a parameter: what was not said is not sent.
fn said(on: bool) -> Option<bool> {
    on.then_some(true)
}

/// The table of the answer, without the column of ids that nothing asked for.
fn wanted(table: TableId, filter: &Filter) -> Wanted {
    if filter.record_ids { table.into() } else { Wanted::from(table).without("record_ids") }
}

/// Draws the ids behind the statistics, where they were asked for.
fn behind<'a>(screen: &mut Screen, filter: &Filter, buckets: impl Iterator<Item = Behind<'a>>) -> Result<(), Failure> {
    if filter.record_ids { records::show(screen, buckets) } else { Ok(()) }
}

/// The days asked for, both included. The client refuses an end before the beginning.
fn period(today: Date, from: Option<Date>, to: Option<Date>) -> (Date, Date) {
    let yesterday = today.plus_days(-1).unwrap_or(today);
    let last = to.unwrap_or_else(|| from.map_or(yesterday, |from| from.max(yesterday)));
    (from.unwrap_or_else(|| last.plus_days(1 - DAYS).unwrap_or(last)), last)
}

/// The half-open stretch asked for.
fn stretch(now: Timestamp, from: Option<Timestamp>, to: Option<Timestamp>) -> (Timestamp, Timestamp) {
    let at = |seconds: i64| Timestamp::from_unix(seconds, 0).unwrap_or(now);
    let full = at(now.unix_seconds().div_euclid(HOUR) * HOUR);
    let to = to.unwrap_or_else(|| from.map_or(full, |from| if from < full { full } else { at(from.unix_seconds() + SPAN) }));
    (from.unwrap_or_else(|| at(to.unix_seconds() - SPAN)), to)
}

/// What is asked for: what was named, or everything known that there is.
fn names(filter: &Filter, known: &[&str]) -> Vec<String> {
    if filter.types.is_empty() { sorted(known.iter().copied()) } else { filter.types.clone() }
}

fn tells(values: Option<&StatisticsValues>, name: &str) -> bool {
    values.is_some_and(|values| values.get_text(name).is_some())
}

/// Those with a line of their own, and those without any value. Whoever names a statistic sees its line, empty or not.
fn split(names: Vec<String>, filter: &Filter, told: impl Fn(&str) -> bool) -> (Vec<String>, Vec<String>) {
    names.into_iter().partition(|name| !filter.types.is_empty() || told(name))
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

/// A date and a time to the minute.
fn minute(at: Timestamp) -> String {
    at.local(0).map(|local| local.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn without_dates_it_is_the_fortnight_up_to_yesterday() {
        let today = date("2025-11-21");
        assert_eq!(period(today, None, None), (date("2025-11-07"), date("2025-11-20")));
        assert_eq!(period(today, Some(date("2025-11-01")), None), (date("2025-11-01"), date("2025-11-20")));
        assert_eq!(period(today, None, Some(date("2025-03-14"))), (date("2025-03-01"), date("2025-03-14")));
        // From today on, or later: that day alone.
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
        // From the hour that runs on there is no full hour yet: a day from there.
        assert_eq!(stretch(now, Some(now), None), (now, at("2025-11-22T12:30:00Z")));
    }

    #[test]
    fn hourly_statistics_are_those_the_interface_leaves() {
        let filter = Filter::default();
        assert_eq!(names(&filter, StatisticName::KNOWN).len(), 20);
        let hourly = names(&filter, HOURLY);
        assert_eq!(hourly.len(), 15);
        assert!(hourly.iter().all(|name| name != "sleep_duration_total" && name != "stress_score"));
    }
}
