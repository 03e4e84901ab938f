//! Screen: two weeks of daily statistics.

use vitalwire::open_sets::StatisticName;
use vitalwire::value::{Date, OpenSet};

use super::state::DemoState;
use crate::commands::requested_names::RequestedNames;
use crate::commands::stats::TYPES;
use crate::failure::Failure;
use crate::view::{daily, statistic};

/// Number of days shown.
const DAYS: i32 = 14;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("A fortnight, day by day")?;
    // End yesterday: today is not complete.
    let last = Date::from(demo.today()).plus_days(-1).unwrap_or_default();
    let first = last.plus_days(1 - DAYS).unwrap_or_default();
    let client = demo.client.clone();
    let days = |names: &[String]| client.statistics().daily((first, last), names.iter().map(String::as_str));
    let mut requested = RequestedNames::all_known(TYPES, statistic::sort_by_topic(StatisticName::KNOWN.iter().copied()));
    let response = loop {
        match demo.attempt(days(requested.names())).await? {
            Ok(response) => break response,
            Err(error) if requested.remove_rejected(&error, async |names| days(names).send().await.map(drop)).await => {}
            Err(error) => return Err(error.into()),
        }
    };
    let chart = daily::table(&response, requested.names(), &daily::days(first, last), demo.available_width());
    demo.table(&chart.table)?;
    requested.left_out_note().map_or(Ok(()), |text| demo.note(&text))
}
