//! `vitalwire stats`.

use vitalwire::models::{DailyBucket, DailyStatistics, IntervalBucket, IntervalStatistics, StatisticsValues};
use vitalwire::open_sets::{DeviceType, ProviderSlug, StatisticName, StatisticsInterval};
use vitalwire::operations::{StatisticsDailyParams, StatisticsIntervalParams};
use vitalwire::range::{DateRange, ResumeToken};
use vitalwire::table::TableId;
use vitalwire::value::{Date, OpenSet, Timestamp};

use super::export::TableSelection;
use super::range::check_order;
use super::requested_names::RequestedNames;
use super::session::Session;
use super::unknown_names::UnknownNames;
use crate::cli::{DailyOptions, Day, IntervalOptions, StatisticsFilter, StatsCommand};
use crate::days::Days;
use crate::failure::Failure;
use crate::render::style::{FAINT, paint};
use crate::screen::Screen;
use crate::view::interval::HOUR;
use crate::view::records::{self, BucketRecords};
use crate::view::series::ChartTable;
use crate::view::statistic::{sort_by_topic, words};
use crate::view::{daily, interval};

/// The name of the statistics parameter in the interface.
pub(super) const TYPES: &str = "types";
/// Statistics that the service has per hour. They are the default; names from the user are requested unchanged.
const HOURLY_TYPES: &[&str] = StatisticsIntervalParams::KNOWN_TYPES;
const DEFAULT_DAYS: i32 = 14;
const DEFAULT_SECONDS: i64 = 24 * HOUR;

pub(crate) async fn run(session: &Session, stats: StatsCommand) -> Result<(), Failure> {
    let (filter, types) = match &stats {
        StatsCommand::Daily(options) => (&options.filter, StatisticName::KNOWN),
        StatsCommand::Interval(options) => (&options.filter, HOURLY_TYPES),
    };
    let unknown = UnknownNames::default().add_limited::<StatisticName>(TYPES, &filter.types, types);
    let unknown = unknown.add::<ProviderSlug>("providers", &filter.providers).add::<DeviceType>("device_types", &filter.device_types);
    let requested = requested_names(filter, types);
    let outcome = match stats {
        StatsCommand::Daily(options) => show_daily(session, options, requested).await,
        StatsCommand::Interval(options) => show_hourly(session, options, requested).await,
    };
    outcome.map_err(|failure| unknown.hint(failure))
}

async fn show_daily(session: &Session, options: DailyOptions, mut requested: RequestedNames) -> Result<(), Failure> {
    let resumed = options.part_options.token().and_then(ResumeToken::dates);
    // If a run is continued, a missing bound or one relative to today comes from that run.
    let usable = |day: Option<Day>| day.filter(|day| resumed.is_none() || !day.is_relative());
    let (from, to) = (usable(options.from), usable(options.to));
    let is_relative = |day: &Option<Day>| day.is_some_and(Day::is_relative);
    let counts_from_today = is_relative(&from) || is_relative(&to) || (to.is_none() && resumed.is_none());
    let today = if counts_from_today { session.today().await? } else { Date::default() };
    let from = from.map(|day| day.date(today)).or(resumed.map(DateRange::first));
    let to = to.map(|day| day.date(today)).or(resumed.map(DateRange::last));
    let (first, last) = day_range(today, from, to);
    check_order(first, last)?;
    let filter = &options.filter;
    let call = |first: Date, names: &[String]| {
        let mut params = StatisticsDailyParams::new(first, last, names.iter().map(String::as_str));
        params = params.providers(filter.providers.clone()).device_types(filter.device_types.clone());
        (params.exclude_manual, params.include_record_ids) = (filter.exclude_manual.then_some(true), filter.record_ids.then_some(true));
        session.client.call(params)
    };
    let probe = async |names: &[String]| call(last, names).cancel_token(&session.cancel_token).send().await.map(drop);
    if options.part_options.token().is_some() {
        requested.remove_all_rejected(&probe).await;
    }
    let title = format!("Statistics a day, {first} to {last}");
    let show = async |names: &[String]| {
        let draw = |screen: &mut Screen, response: &DailyStatistics| {
            let values = response.statistics.iter().map(|bucket| bucket.values.as_ref());
            let (shown, empty) = partition_by_values(session, names, filter, values);
            let chart = daily::table(response, &shown, &daily::days(first, last), screen.available_width());
            draw(screen, &chart, "days", &empty)?;
            let day = |bucket: &DailyBucket| bucket.date.map_or_else(String::new, |date| date.to_string());
            show_records(screen, filter, response.statistics.iter().map(|bucket| (day(bucket), bucket.record_ids.as_slice())))
        };
        session.show_range(call(first, names), &options.part_options, table_selection(TableId::DailyStatistics, filter), &title, draw).await
    };
    requested.run(probe, show).await
}

async fn show_hourly(session: &Session, options: IntervalOptions, mut requested: RequestedNames) -> Result<(), Failure> {
    let bounds = session.instant_bounds(options.from, options.to, &options.part_options).await?;
    let (from, to) = hour_range(session.now(), bounds.from, bounds.to);
    let days = bounds.days.unwrap_or_else(Days::utc);
    let minute = |at: Timestamp| minute(at, days.offset_minutes(at));
    let filter = &options.filter;
    let call = |from: Timestamp, names: &[String]| {
        let mut params = StatisticsIntervalParams::new(StatisticsInterval::OneHour, names.iter().map(String::as_str))
            .from_timestamp(from)
            .to_timestamp(to);
        params = params.providers(filter.providers.clone()).device_types(filter.device_types.clone());
        (params.exclude_manual, params.include_record_ids) = (filter.exclude_manual.then_some(true), filter.record_ids.then_some(true));
        session.client.call(params)
    };
    let last = Timestamp::from_unix(to.unix_seconds() - HOUR, 0).unwrap_or(from).max(from);
    let probe = async |names: &[String]| call(last, names).cancel_token(&session.cancel_token).send().await.map(drop);
    if options.part_options.token().is_some() {
        requested.remove_all_rejected(&probe).await;
    }
    let title = format!("Statistics an hour, {} to {} {days}", minute(from), minute(to));
    let show = async |names: &[String]| {
        let draw = |screen: &mut Screen, response: &IntervalStatistics| {
            let values = response.statistics.iter().map(|bucket| bucket.values.as_ref());
            let (shown, empty) = partition_by_values(session, names, filter, values);
            let chart = interval::table(response, &shown, (from, to), |at| days.offset_minutes(at), screen.available_width());
            draw(screen, &chart, "hours", &empty)?;
            let hour = |bucket: &IntervalBucket| bucket.from_timestamp.map_or_else(String::new, minute);
            show_records(screen, filter, response.statistics.iter().map(|bucket| (hour(bucket), bucket.record_ids.as_slice())))
        };
        session
            .show_range(call(from, names), &options.part_options, table_selection(TableId::IntervalStatistics, filter), &title, draw)
            .await
    };
    requested.run(probe, show).await
}

/// Returns the table of the response, with the statistics that the user named. Leaves out the column of record ids unless it was requested.
fn table_selection(table: TableId, filter: &StatisticsFilter) -> TableSelection<'_> {
    let selection = TableSelection::from(table).with_columns(&filter.types);
    if filter.record_ids { selection } else { selection.without_empty("record_ids") }
}

/// Draws the record ids of the statistics, if they were requested.
fn show_records<'a>(
    screen: &mut Screen,
    filter: &StatisticsFilter,
    buckets: impl Iterator<Item = BucketRecords<'a>>,
) -> Result<(), Failure> {
    if filter.record_ids { records::show(screen, buckets) } else { Ok(()) }
}

/// Returns the requested days, both included.
fn day_range(today: Date, from: Option<Date>, to: Option<Date>) -> (Date, Date) {
    let yesterday = today.plus_days(-1).unwrap_or(today);
    let last = to.unwrap_or_else(|| from.map_or(yesterday, |from| from.max(yesterday)));
    (from.unwrap_or_else(|| last.plus_days(1 - DEFAULT_DAYS).unwrap_or(last)), last)
}

/// Returns the requested time span, without its end.
fn hour_range(now: Timestamp, from: Option<Timestamp>, to: Option<Timestamp>) -> (Timestamp, Timestamp) {
    let at = |seconds: i64| Timestamp::from_unix(seconds, 0).unwrap_or(now);
    let full = at(now.unix_seconds().div_euclid(HOUR) * HOUR);
    let to = to.unwrap_or_else(|| from.map_or(full, |from| if from < full { full } else { at(from.unix_seconds() + DEFAULT_SECONDS) }));
    (from.unwrap_or_else(|| at(to.unix_seconds() - DEFAULT_SECONDS)), to)
}

/// Returns the names to request: the names from the user, or all known names.
fn requested_names(filter: &StatisticsFilter, known: &[&str]) -> RequestedNames {
    match filter.types.as_slice() {
        [] => RequestedNames::all_known(TYPES, sort_by_topic(known.iter().copied())),
        names => RequestedNames::from_user(TYPES, names.to_vec()),
    }
}

/// Separates the names that get a line from the names without values. A name from the user always gets a line. Prints a note if no bucket
/// has values because of the clocks.
fn partition_by_values<'a>(
    session: &Session,
    names: &[String],
    filter: &StatisticsFilter,
    buckets: impl Iterator<Item = Option<&'a StatisticsValues>> + Clone,
) -> (Vec<String>, Vec<String>) {
    if buckets.clone().all(|values| values.is_none()) {
        session.note_clock_difference();
    }
    let has_values = |name: &str| buckets.clone().flatten().any(|values| values.get_text(name).is_some());
    names.iter().cloned().partition(|name| !filter.types.is_empty() || has_values(name))
}

fn draw(screen: &mut Screen, chart: &ChartTable, unit: &str, empty: &[String]) -> Result<(), Failure> {
    screen.table(&chart.table)?;
    if chart.values_per_mark > 1 {
        screen.line(&paint(FAINT, &format!("a mark is the mean of {} {unit}", chart.values_per_mark)))?;
    }
    if !empty.is_empty() {
        screen.line("")?;
        let names: Vec<String> = empty.iter().map(|name| words(name)).collect();
        screen.note(&format!("No values: {}.", names.join(", ")))?;
    }
    Ok(())
}

/// Formats a local date and a time, to the minute.
fn minute(at: Timestamp, offset_minutes: i64) -> String {
    at.local(offset_minutes).map(|local| local.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
