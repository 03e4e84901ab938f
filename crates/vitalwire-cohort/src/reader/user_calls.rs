//! The calls that read a user's rows.

use std::collections::HashSet;

use vitalwire::client::{CallOptions, Client, Operation, Response};
use vitalwire::error::Error;
use vitalwire::nights;
use vitalwire::open_sets::StatisticsInterval;
use vitalwire::operations::SleepsGetParams;
use vitalwire::range::{DateRange, InstantRange};
use vitalwire::table::{Table, TableId};
use vitalwire::value::Timestamp;

use crate::USER;
use crate::day_set::day_number;
use crate::failure::Failure;
use crate::generated::CohortTable;
use crate::plan::WorkItem;
use crate::state::rows::RecordColumns;

/// Maximum number of sleeps of one user that are requested at a time. Few users with many sleeps each lose less if a run is interrupted.
pub(super) const SLEEPS_AT_A_TIME: usize = 8;

/// Names of columns that datasets and readers add. Statistics of these names are left out.
const RESERVED: [&str; 3] = [USER, "table", "month"];

/// Reads the rows of items that share requests, with a user's token. If all statistics are requested, the tables have all columns
/// of the specification.
pub(super) async fn read_tables(client: &Client, items: &[WorkItem], options: CallOptions) -> Result<Vec<UserTable>, Error> {
    let (tables, skipped) = match items {
        [item] => {
            let (rows, skipped) = read_table(client, item, options).await?;
            (vec![rows], skipped)
        }
        [sleeps, stages] => read_sleeps_and_stages(client, sleeps, stages, options).await?,
        _ => return Err(Error::internal("more than two items share requests")),
    };
    items.iter().zip(tables).map(|(item, rows)| UserTable::new(item, rows, skipped)).collect()
}

/// The rows of a user for an item.
#[derive(Clone, Debug)]
pub struct UserTable {
    /// The rows, without those that cannot be stored.
    pub rows: Table,
    /// Number of items of the responses that are left out: they cannot be decoded, have no key, or are outside the requested days.
    pub left_out: u64,
    /// Number of values that are left out, because they cannot be decoded. The rows have nulls instead.
    pub left_out_values: u64,
}

impl UserTable {
    fn new(item: &WorkItem, rows: Table, skipped: u64) -> Result<Self, Error> {
        let left_out_values = rows.skipped_values();
        let rows = RESERVED.iter().fold(rows, |rows, name| rows.without_column(name));
        let columns = RecordColumns::new(item.table, &rows);
        let valid = columns.valid_rows(item.table, item.days());
        if valid.len() == rows.len() {
            return Ok(Self { rows, left_out: skipped, left_out_values });
        }
        // Duplicates of a record are no loss.
        let keys = |rows: &[usize]| rows.iter().map(|row| columns.key(*row)).collect::<HashSet<_>>().len();
        let all: Vec<usize> = (0..rows.len()).collect();
        let invalid = (keys(&all) - keys(&valid)) as u64;
        Ok(Self { rows: rows.take(&valid)?, left_out: skipped + invalid, left_out_values })
    }

    /// Returns the failure of a response that is incomplete. `None` if nothing is left out.
    pub(crate) fn failure(&self, user: &str, item: &WorkItem) -> Option<Failure> {
        let counts = [self.left_out, self.left_out_values];
        (counts != [0, 0]).then(|| Failure::incomplete(user.to_owned(), item.table, [item.first, item.last], counts))
    }
}

async fn read_table(client: &Client, item: &WorkItem, options: CallOptions) -> Result<(Table, u64), Error> {
    let (table, days) = (item.table.id(), item.days());
    let (read, skipped) = match item.table {
        CohortTable::Daily => {
            let call = client.statistics().daily(days, statistics(item));
            with_skipped(call.options(options).table(table).await?)
        }
        CohortTable::Hourly => {
            let call = client.statistics().interval(StatisticsInterval::OneHour, statistics(item)).range(instants(days)?);
            with_skipped(call.options(options).table(table).await?)
        }
        CohortTable::Sleeps | CohortTable::SleepStages => {
            let search = client.sleeps().between(days).sleep_dates(true).strict_ids(true).concurrency(SLEEPS_AT_A_TIME);
            let read = search.options(options).table(table).await.map_err(|error| error.into_parts().1)?;
            let skipped = read.skipped_count();
            (read.into_inner(), skipped)
        }
        CohortTable::Labs => with_skipped(client.lab_reports().list().range(instants(days)?).options(options).table(table).await?),
        CohortTable::Nutrition => {
            with_skipped(client.nutrition_records().list().range(instants(days)?).options(options).table(table).await?)
        }
    };
    Ok((if item.statistics.is_empty() { read.with_empty_columns() } else { read }, skipped))
}

/// Returns the rows of a response, and the number of its list items that cannot be decoded.
fn with_skipped(response: Response<Table>) -> (Table, u64) {
    let skipped = response.skipped_count();
    (response.into_inner(), skipped)
}

/// Reads each sleep once, with its stages, and makes both tables from the response.
async fn read_sleeps_and_stages(
    client: &Client,
    one: &WorkItem,
    other: &WorkItem,
    options: CallOptions,
) -> Result<(Vec<Table>, u64), Error> {
    let ids = [one.table.id(), other.table.id()];
    let mut tables: Vec<Table> = Vec::new();
    for item in [one, other] {
        tables.push(item.table.without_rows()?);
    }
    let search = client.sleeps().between(one.days()).strict_ids(true).include_stages(true).concurrency(SLEEPS_AT_A_TIME);
    let nights = search.options(options.keep_body(true)).collect().await.map_err(|error| error.into_parts().1)?;
    for night in nights.iter() {
        let body = night.response.body().ok_or_else(|| Error::internal("the body of a sleep was not kept"))?;
        for (table, id) in tables.iter_mut().zip(ids) {
            let rows = Table::read(id, SleepsGetParams::META.id, body)?;
            let day = night.days.first().copied();
            table.append(match day {
                Some(day) if id == TableId::SleepStages => nights::with_sleep_date(rows, day)?,
                _ => rows,
            })?;
        }
    }
    Ok((tables, nights.skipped_count()))
}

fn statistics(item: &WorkItem) -> Vec<String> {
    match &*item.statistics {
        [] => item.table.statistics().iter().map(|name| (*name).to_owned()).collect(),
        some => some.to_vec(),
    }
}

/// Returns the instants of days in UTC.
fn instants(days: DateRange) -> Result<InstantRange, Error> {
    let midnight = |day: i32| Timestamp::from_unix(i64::from(day) * 86_400, 0);
    let [first, last] = [days.first(), days.last()].map(day_number);
    match (midnight(first), last.checked_add(1).and_then(midnight)) {
        (Some(from), Some(to)) => InstantRange::new(from, to),
        _ => Err(Error::invalid_argument("days", "must be within the supported instants")),
    }
}
