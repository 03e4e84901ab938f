//! `vitalwire sleep`.

use std::collections::{BTreeMap, BTreeSet};

use vitalwire::client::{CallOptions, Operation as _, Response};
use vitalwire::models::SleepRecord;
use vitalwire::open_sets::StatisticName;
use vitalwire::operations::SleepsGetParams;
use vitalwire::table::{Table, TableId};
use vitalwire::value::{Date, Id};
use vitalwire::{Error, ErrorKind};

use super::session::Session;
use crate::cli::{Format, NightTable};
use crate::failure::{Failure, note};
use crate::progress::with_progress;
use crate::screen::Screen;
use crate::view::night;

/// Shows a night by its id, or last night.
pub(crate) async fn run(session: &Session, id: Option<String>, table: NightTable) -> Result<(), Failure> {
    let Some(id) = id else {
        // Last night ends this morning. If it has not ended, or the user's date differs, show the night before.
        let today = session.today().await?;
        return show_days(session, today.plus_days(-1).unwrap_or(today), today, table).await;
    };
    session.check_sleep_id(&id)?;
    let days = session.requested_days()?;
    let draw = |screen: &mut Screen, sleep: &SleepRecord| night::show(screen, sleep, days.as_ref());
    session.show_or_export(session.client.call(sleep_params(session, id, table)), TableId::from(table), "Sleep", draw).await
}

/// Shows the longest sleep of the last of these days that has one, with the other sleeps of that day.
pub(crate) async fn show_days(session: &Session, first: Date, last: Date, table: NightTable) -> Result<(), Failure> {
    let mut sleeps = Vec::new();
    let (date, ids) = find_sleeps(session, first, last).await?.ok_or_else(|| no_sleep(session, first, last))?;
    for id in ids {
        sleeps.extend(fetch_sleep(session, &id, table).await?);
    }
    if table == NightTable::Sleeps && session.format.exports_table() && !sleeps.is_empty() {
        note_earlier_night(date, last);
        return session.export(TableId::Sleeps.into(), sleeps_table(sleeps)?);
    }
    let main = (0..sleeps.len()).max_by_key(|at| rank(&sleeps[*at], date));
    let main = sleeps.swap_remove(main.ok_or_else(|| no_sleep(session, first, last))?);
    sleeps.sort_by_key(|sleep| sleep.start_at_timestamp);
    note_earlier_night(date, last);
    if session.format != Format::Table && !sleeps.is_empty() {
        note(&format!("more sleeps of that date, not written: {}; without --format they are listed", sleeps.len()));
    }
    let days = session.requested_days()?;
    session.show_response::<SleepsGetParams, _>(&main, TableId::from(table), "Sleep", |screen, main| {
        night::show(screen, main, days.as_ref())?;
        let more = session.follow_up.read_command("sleep ID");
        night::show_other_sleeps(screen, &more, sleeps.iter().map(|sleep| &**sleep), days.as_ref())
    })
}

/// Prints a note if the sleeps are not those of the last date that was searched.
fn note_earlier_night(date: Date, last: Date) {
    if date < last {
        note(&format!("no sleep ended on {last} so far; this is the night of {date}"));
    }
}

/// Creates a call for a sleep. A table format requests only the fields of that table.
fn sleep_params(session: &Session, id: impl Into<String>, table: NightTable) -> SleepsGetParams {
    let all = !session.format.exports_table();
    let params = SleepsGetParams::new(id).include_stages(all || table == NightTable::Stages);
    params.include_samples(all || table == NightTable::Samples)
}

/// Returns the last of these days with time asleep, and the ids of its records. The score cannot be used: naps have none.
async fn find_sleeps(session: &Session, first: Date, last: Date) -> Result<Option<(Date, Vec<Id>)>, Failure> {
    let call = session.client.statistics().daily((first, last), [StatisticName::SleepDurationTotal]).include_record_ids(true);
    let days = with_progress(call.cancel_token(&session.cancel_token).send()).await?.into_inner();
    let mut by_day: BTreeMap<Date, BTreeSet<Id>> = BTreeMap::new();
    for day in days.statistics {
        by_day.entry(day.date.unwrap_or(last)).or_default().extend(day.record_ids.into_list().unwrap_or_default());
    }
    by_day.retain(|_, ids| !ids.is_empty());
    Ok(by_day.pop_last().map(|(date, ids)| (date, ids.into_iter().collect())))
}

/// Requests a sleep by id. Returns `None` if the record is not a sleep. The service chose the id, so its rejection is not a user error.
async fn fetch_sleep(session: &Session, id: &Id, table: NightTable) -> Result<Option<Response<SleepRecord>>, Error> {
    let options = CallOptions::new().keep_body(true).cancel_token(&session.cancel_token);
    let call = session.client.call(sleep_params(session, id.as_str(), table)).options(options);
    match with_progress(call.send()).await {
        Ok(sleep) => Ok(Some(sleep)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidRequest | ErrorKind::InvalidArgument) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns a table with a row for each sleep, in order of their starts.
fn sleeps_table(mut sleeps: Vec<Response<SleepRecord>>) -> Result<Table, Error> {
    sleeps.sort_by_key(|sleep| sleep.start_at_timestamp);
    let mut table = Table::empty(TableId::Sleeps);
    for sleep in &sleeps {
        table.append(Table::read(TableId::Sleeps, SleepsGetParams::META.id, sleep.body().map_or(&[][..], |body| body))?)?;
    }
    Ok(table)
}

/// Returns the sort key of a sleep: whether it states this date, then its length in seconds.
fn rank(sleep: &SleepRecord, date: Date) -> (bool, i64) {
    let length = sleep.end_at_timestamp.map_or(0, |end| end.unix_seconds() - sleep.start_at_timestamp.unix_seconds());
    (sleep.sleep_date == Some(date), length)
}

fn no_sleep(session: &Session, first: Date, last: Date) -> Failure {
    let what = if first == last { "no sleep of that date" } else { "no sleep of last night" };
    let hint = session.clock_difference().unwrap_or_else(|| {
        "a night has the date of its morning in the user's local time; `vitalwire stats daily` shows the days with data".to_owned()
    });
    Failure::Hinted(Error::with_reason(ErrorKind::NotFound, what), hint)
}
