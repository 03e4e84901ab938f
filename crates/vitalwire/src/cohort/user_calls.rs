//! The calls that read a user's rows.

use super::plan::WorkItem;
use super::table::CohortTable;
use crate::client::{CallOptions, Client};
use crate::error::Error;
use crate::open_sets::StatisticsInterval;
use crate::range::{DateRange, InstantRange};
use crate::table::Table;
use crate::value::Timestamp;

/// Reads the rows of an item with a user's token. If all statistics are requested, the table has all columns of the specification.
pub(super) async fn read_table(client: &Client, item: &WorkItem, options: CallOptions) -> Result<Table, Error> {
    let (table, days) = (item.table.id(), item.days());
    let read = match item.table {
        CohortTable::Daily => {
            let call = client.statistics().daily(days, statistics(item));
            call.options(options).table(table).await?.into_inner()
        }
        CohortTable::Hourly => {
            let call = client.statistics().interval(StatisticsInterval::OneHour, statistics(item)).range(instants(days)?);
            call.options(options).table(table).await?.into_inner()
        }
        CohortTable::Sleeps | CohortTable::SleepStages => client
            .sleeps()
            .between(days)
            .sleep_dates(true)
            .options(options)
            .table(table)
            .await
            .map_err(|error| error.into_parts().1)?
            .into_inner(),
        CohortTable::Labs => client.lab_reports().list().range(instants(days)?).options(options).table(table).await?.into_inner(),
        CohortTable::Nutrition => {
            client.nutrition_records().list().range(instants(days)?).options(options).table(table).await?.into_inner()
        }
    };
    Ok(if item.statistics.is_empty() { read.with_empty_columns() } else { read })
}

fn statistics(item: &WorkItem) -> Vec<String> {
    if item.statistics.is_empty() { item.table.statistics().into_iter().map(str::to_owned).collect() } else { item.statistics.clone() }
}

/// Returns the instants of days in UTC.
fn instants(days: DateRange) -> Result<InstantRange, Error> {
    let midnight = |day: i32| Timestamp::from_unix(i64::from(day) * 86_400, 0);
    let [first, last] = [days.first(), days.last()].map(super::day_set::day_number);
    match (midnight(first), last.checked_add(1).and_then(midnight)) {
        (Some(from), Some(to)) => InstantRange::new(from, to),
        _ => Err(Error::invalid_argument("days", "must be within the supported instants")),
    }
}
