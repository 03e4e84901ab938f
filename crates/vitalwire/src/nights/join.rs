//! Joins what two runs of one search found.

use std::collections::{BTreeMap, HashSet};

use super::stream::Night;
use crate::error::Error;
use crate::range::{DateRange, Makeup, MergedPart};
use crate::table::Table;

/// The column of a table of sleeps that tells them apart.
const KEY: &str = "sleep_id";

/// The day of nights, and they.
type Day = (Option<DateRange>, Vec<Night>);

/// NightSearch in the order of their days. One that several days have stays at the first.
pub(super) fn join_nights(
    (nights, made): (Vec<Night>, Makeup<DateRange>),
    (later, made_later): (Vec<Night>, Makeup<DateRange>),
) -> Result<(Vec<Night>, Makeup<DateRange>), Error> {
    if made.origin != made_later.origin {
        return Err(Error::invalid_argument("later", "the nights are of different searches"));
    }
    let mut days: BTreeMap<u32, Day> = each(later, made_later.parts).collect();
    days.extend(each(nights, made.parts.clone()));
    let resume = made.missing(|day| days.contains_key(day));
    let duplicates = made.duplicates + made_later.duplicates;
    let mut joined = Makeup { duplicates, skipped: made.skipped + made_later.skipped, resume, ..Makeup::new(made.origin, made.count) };
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    for (index, (range, nights)) in days {
        let start = all.len();
        for night in nights {
            if night.sleep_id.clone().is_none_or(|id| known.insert(id)) {
                all.push(night);
            } else {
                joined.duplicates += 1;
            }
        }
        joined.parts.push(MergedPart::new(index, range, start..all.len()));
    }
    Ok((all, joined))
}

/// Rows in the order of their days.
pub(super) fn join_tables(
    table: (Table, Makeup<DateRange>),
    later: (Table, Makeup<DateRange>),
) -> Result<(Table, Makeup<DateRange>), Error> {
    let key = table.0.spec().fields().iter().position(|field| field.name == KEY);
    crate::range::join_tables(table, later, key)
}

/// The nights of each day.
fn each(nights: Vec<Night>, days: Vec<MergedPart<DateRange>>) -> impl Iterator<Item = (u32, Day)> {
    let mut nights = nights.into_iter();
    days.into_iter().map(move |day| (day.index, (day.range, nights.by_ref().take(day.rows.len()).collect())))
}
