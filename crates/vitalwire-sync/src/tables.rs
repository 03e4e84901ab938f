//! The calls that read a user's rows.

use std::collections::HashSet;

use serde_json::Value;
use vitalwire::client::{CallOptions, Client, Operation, Response};
use vitalwire::error::Error;
use vitalwire::models::DailyBucket;
use vitalwire::nights::{self, Night, NightSearch};
use vitalwire::open_sets::{StatisticName, StatisticsInterval};
use vitalwire::operations::SleepsGetParams;
use vitalwire::range::{DateRange, InstantRange, NotFoundRecord};
use vitalwire::table::Table;
use vitalwire::value::Date;

use crate::USER;
use crate::day_set::{day_number, midnight};
use crate::generated::RecordKind;
use crate::state::rows::RecordColumns;

/// Maximum number of sleeps of one user in flight. With few users in flight, an interrupted run loses less.
pub const SLEEPS_AT_A_TIME: usize = 8;

/// Names of columns that datasets and readers add. Statistics of these names are left out.
const RESERVED: [&str; 3] = [USER, "table", "month"];

/// A request for the rows of one kind, or of sleeps and their stages together.
#[derive(Clone, Copy, Debug)]
pub struct TableRequest<'a> {
    /// The kinds: one, or sleeps and their stages.
    pub kinds: &'a [RecordKind],
    /// The days.
    pub days: DateRange,
    /// Names of the statistics to request. If it is empty, all are requested.
    pub statistics: &'a [String],
}

/// Reads a user's rows of kinds that share requests. If all statistics are requested, the tables have all columns of the specification.
///
/// # Errors
/// The first error of a call.
pub async fn read_tables(client: &Client, request: TableRequest<'_>, options: CallOptions) -> Result<Vec<UserTable>, Error> {
    let TableRequest { kinds, days, statistics } = request;
    let (tables, skipped, not_found) = match kinds {
        [kind] if *kind != RecordKind::SleepStages => {
            let list = read_list(client, *kind, days, statistics, options).await?;
            (vec![list.rows], list.skipped, list.not_found)
        }
        [_] | [_, _] => {
            let search = night_search(client, days, options).include_stages(true).include_samples(false);
            let nights = search.collect().await.map_err(|error| error.into_parts().1)?;
            let tables = tables_of_nights(kinds, &nights, |night| night.sleep_date.or(first_listed_day(night)))?
                .into_iter()
                .map(|(table, _)| table)
                .collect();
            (tables, nights.skipped_count(), nights.not_found_records().to_vec())
        }
        _ => return Err(Error::internal("more than two kinds share requests")),
    };
    let user_table =
        |(kind, rows): (&RecordKind, Table)| Ok(UserTable { not_found: not_found.clone(), ..UserTable::new(*kind, days, rows, skipped)? });
    kinds.iter().zip(tables).map(user_table).collect()
}

/// Reads a user's rows of one kind. Also returns whether the list of the response is null.
pub(crate) async fn read_table(
    client: &Client,
    kind: RecordKind,
    days: DateRange,
    options: CallOptions,
) -> Result<(UserTable, bool), Error> {
    let list = read_list(client, kind, days, &[], options.keep_body(true)).await?;
    Ok((UserTable::new(kind, days, list.rows, list.skipped)?, list.is_null))
}

/// Reads the sleeps that are first listed on one of the days, for kinds that share requests. Returns the rows with the first day that lists
/// each of them, and whether no day lists a sleep.
///
/// Statistics can list a sleep on two days. The list therefore begins one day before the first day, so that a sleep always belongs to the
/// same day.
pub(crate) async fn read_sleeps(
    client: &Client,
    kinds: &[RecordKind],
    days: DateRange,
    options: CallOptions,
) -> Result<(Vec<(UserTable, Vec<i32>)>, bool), Error> {
    let listed = with_day_before(days);
    let has_stages = kinds.contains(&RecordKind::SleepStages);
    let search = || night_search(client, listed, options.clone()).include_stages(has_stages);
    // The day before is only listed: without part 0, its sleeps are not requested.
    let token = search().stream()?.resume_token().filter(|_| listed.days() > days.days());
    let search = match token {
        Some(mut token) => {
            token.todo = vec![(1, listed.days().saturating_sub(1))];
            search().resume(&token)
        }
        None => search(),
    };
    let nights = search.collect().await.map_err(|error| error.into_parts().1)?;
    let left_out = nights.skipped_count();
    let is_empty = nights.is_empty() && nights.not_found() == 0;
    let tables = tables_of_nights(kinds, &nights, first_listed_day)?;
    let user_table = |(rows, days): (Table, Vec<i32>)| {
        let left_out_values = rows.skipped_values();
        let not_found = nights.not_found_records().to_vec();
        (UserTable { rows: without_reserved(rows), left_out, left_out_values, not_found }, days)
    };
    Ok((tables.into_iter().map(user_table).collect(), is_empty))
}

/// Lists the sleeps of days again, after a list without sleeps. Returns whether the list is null, or has sleeps that are first listed on one
/// of the days.
pub(crate) async fn may_have_sleeps(client: &Client, days: DateRange, options: CallOptions) -> Result<bool, Error> {
    let call = client.statistics().daily(with_day_before(days), [StatisticName::SleepDurationTotal]).include_record_ids(true);
    let list = call.options(options.keep_body(true)).await?;
    let (before, on_days): (Vec<_>, Vec<_>) = list.statistics.iter().partition(|day| day.date.is_some_and(|date| date < days.first()));
    let ids_before: HashSet<&str> = before.iter().flat_map(|day| day.record_ids.iter()).map(|id| id.as_str()).collect();
    let has_sleep = |day: &&DailyBucket| {
        let duration = day.values.as_ref().and_then(|values| values.sleep_duration_total());
        (day.record_ids.is_null() && duration.is_some_and(|duration| duration > 0.0))
            || day.record_ids.iter().any(|id| !ids_before.contains(id.as_str()))
    };
    Ok(list.body().is_some_and(|body| is_null_list(body)) || on_days.iter().any(has_sleep))
}

/// Adds the day before, whose sleeps do not belong to the days.
fn with_day_before(days: DateRange) -> DateRange {
    days.first().plus_days(-1).map_or(days, |before| DateRange::from((before, days.last())))
}

fn night_search(client: &Client, days: DateRange, options: CallOptions) -> NightSearch {
    let search = client.sleeps().between(days).strict_ids(true).concurrency(SLEEPS_AT_A_TIME);
    search.options(options.keep_body(true))
}

/// Returns the first day that lists a sleep. It depends on the requested days, unless they include the day before.
fn first_listed_day(night: &Night) -> Option<Date> {
    night.days.first().copied()
}

/// Returns a table of each kind from sleeps that were read once, with the first day of each row's sleep. Stages get the date of `stage_date`.
fn tables_of_nights(
    kinds: &[RecordKind],
    nights: &[Night],
    stage_date: impl Fn(&Night) -> Option<Date>,
) -> Result<Vec<(Table, Vec<i32>)>, Error> {
    let table = |kind: &RecordKind| {
        let (mut table, mut days) = (kind.without_rows()?, Vec::new());
        for night in nights {
            let body = night.response.body().ok_or_else(|| Error::internal("the body of a sleep was not kept"))?;
            let rows = Table::read(kind.id(), SleepsGetParams::META.id, body)?;
            let day = first_listed_day(night).or(night.sleep_date);
            days.extend(std::iter::repeat_n(day.map_or(i32::MAX, day_number), rows.len()));
            table.append(match stage_date(night) {
                Some(date) if *kind == RecordKind::SleepStages => nights::with_sleep_date(rows, date)?,
                _ => rows,
            })?;
        }
        Ok((table, days))
    };
    kinds.iter().map(table).collect()
}

/// Removes columns whose names readers and datasets use.
fn without_reserved(rows: Table) -> Table {
    RESERVED.iter().fold(rows, |rows, name| rows.without_column(name))
}

/// The rows of a user for one kind and a span of days.
#[derive(Clone, Debug)]
pub struct UserTable {
    /// The rows, without those that cannot be stored.
    pub rows: Table,
    /// Number of items of the responses that are left out: they cannot be decoded, have no key, or are outside the requested days.
    pub left_out: u64,
    /// Number of values that are left out, because they cannot be decoded. The rows have nulls instead.
    pub left_out_values: u64,
    /// Ids that the statistics list, but whose requests fail with 404. Most are not ids of sleeps. A sleep that was read earlier is not
    /// removed, because the statistics still list it.
    pub not_found: Vec<NotFoundRecord>,
}

impl UserTable {
    fn new(kind: RecordKind, days: DateRange, rows: Table, skipped: u64) -> Result<Self, Error> {
        let left_out_values = rows.skipped_values();
        let rows = without_reserved(rows);
        let columns = RecordColumns::new(kind, &rows);
        let valid = columns.valid_rows(kind, days);
        if valid.len() == rows.len() {
            return Ok(Self { rows, left_out: skipped, left_out_values, not_found: Vec::new() });
        }
        // Duplicates of a record are no loss.
        let keys = |rows: &[usize]| rows.iter().map(|row| columns.key(*row)).collect::<HashSet<_>>().len();
        let all: Vec<usize> = (0..rows.len()).collect();
        let invalid = (keys(&all) - keys(&valid)) as u64;
        Ok(Self { rows: rows.take(&valid)?, left_out: skipped + invalid, left_out_values, not_found: Vec::new() })
    }
}

/// Rows of a list.
struct List {
    rows: Table,
    /// Number of items that cannot be decoded.
    skipped: u64,
    not_found: Vec<NotFoundRecord>,
    /// Whether the list is null. Known only if the body was kept.
    is_null: bool,
}

async fn read_list(client: &Client, kind: RecordKind, days: DateRange, statistics: &[String], options: CallOptions) -> Result<List, Error> {
    let table = kind.id();
    let names = || match statistics {
        [] => kind.statistics().iter().map(|name| (*name).to_owned()).collect(),
        some => some.to_vec(),
    };
    let list = match kind {
        RecordKind::Daily => {
            let call = client.statistics().daily(days, names());
            List::new(call.options(options).table(table).await?)
        }
        RecordKind::Hourly => {
            let call = client.statistics().interval(StatisticsInterval::OneHour, names()).range(instants(days)?);
            List::new(call.options(options).table(table).await?)
        }
        RecordKind::SleepStages => return Err(Error::internal("stages are read from records of sleeps")),
        RecordKind::Sleeps => {
            let search = client.sleeps().between(days).strict_ids(true).concurrency(SLEEPS_AT_A_TIME);
            let read = search.options(options).table(table).await.map_err(|error| error.into_parts().1)?;
            let (skipped, not_found) = (read.skipped_count(), read.not_found_records().to_vec());
            List { rows: read.into_inner(), skipped, not_found, is_null: false }
        }
        RecordKind::Labs => List::new(client.lab_reports().list().range(instants(days)?).options(options).table(table).await?),
        RecordKind::Nutrition => List::new(client.nutrition_records().list().range(instants(days)?).options(options).table(table).await?),
    };
    Ok(if statistics.is_empty() { List { rows: list.rows.with_empty_columns(), ..list } } else { list })
}

impl List {
    fn new(response: Response<Table>) -> Self {
        let skipped = response.skipped_count();
        let is_null = response.is_empty() && response.body().is_some_and(|body| is_null_list(body));
        Self { rows: response.into_inner(), skipped, not_found: Vec::new(), is_null }
    }
}

/// Returns whether the list of a response is null: the whole body, or its statistics.
fn is_null_list(body: &[u8]) -> bool {
    let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => object.get("statistics").is_some_and(Value::is_null),
        Ok(value) => value.is_null(),
        Err(_) => false,
    }
}

/// Returns the instants of days in UTC.
fn instants(days: DateRange) -> Result<InstantRange, Error> {
    let [first, last] = [days.first(), days.last()].map(day_number);
    match (midnight(first), last.checked_add(1).and_then(midnight)) {
        (Some(from), Some(to)) => InstantRange::new(from, to),
        _ => Err(Error::invalid_argument("days", "must be within the supported instants")),
    }
}
