//! Screen: two weeks of days.

use vitalwire::open_sets::StatisticName;
use vitalwire::value::{Date, OpenSet};

use super::story::Story;
use crate::failure::Failure;
use crate::view::{daily, statistic};

/// Days shown.
const DAYS: i32 = 14;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("A fortnight, day by day")?;
    // Up to yesterday: today is not over.
    let last = Date::from(story.today()).plus_days(-1).unwrap_or_default();
    let first = last.plus_days(1 - DAYS).unwrap_or_default();
    let names = statistic::sorted(StatisticName::KNOWN.iter().copied());
    let answer = story.call(story.client.statistics().daily(first, last, names.clone())).await?;
    let table = daily::table(&answer, &names, &daily::days(first, last), story.room());
    story.table(&table.picture)
}
