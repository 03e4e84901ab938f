//! Screen: two weeks of daily statistics.

use vitalwire::open_sets::StatisticName;
use vitalwire::value::{Date, OpenSet};

use super::story::Story;
use crate::commands::asked::Asked;
use crate::commands::stats::TYPES;
use crate::failure::Failure;
use crate::view::{daily, statistic};

/// Number of days shown.
const DAYS: i32 = 14;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("A fortnight, day by day")?;
    // End yesterday: today is not complete.
    let last = Date::from(story.today()).plus_days(-1).unwrap_or_default();
    let first = last.plus_days(1 - DAYS).unwrap_or_default();
    let client = story.client.clone();
    let days = |names: &[String]| client.statistics().daily((first, last), names.iter().map(String::as_str));
    let mut asked = Asked::known(TYPES, statistic::sorted(StatisticName::KNOWN.iter().copied()));
    let answer = loop {
        match story.attempt(days(asked.names())).await? {
            Ok(answer) => break answer,
            Err(error) if asked.finds_out(&error, async |names| days(names).send().await.map(drop)).await => {}
            Err(error) => return Err(error.into()),
        }
    };
    let table = daily::table(&answer, asked.names(), &daily::days(first, last), story.room());
    story.table(&table.picture)?;
    asked.left_out().map_or(Ok(()), |text| story.note(&text))
}
