//! `vitalwire sleep`.

use vitalwire::client::{CallOptions, Response};
use vitalwire::models::SleepRecord;
use vitalwire::open_sets::StatisticName;
use vitalwire::operations::SleepsGetParams;
use vitalwire::table::TableId;
use vitalwire::value::{Date, Id};
use vitalwire::{Error, ErrorKind};

use super::session::Session;
use crate::cli::{Format, NightTable};
use crate::failure::{Failure, note};
use crate::progress::asked;
use crate::view::night;

/// A night by its id, or the last one of a sandbox's person.
pub(crate) async fn run(session: &Session, id: Option<String>, table: NightTable) -> Result<(), Failure> {
    let id = match id {
        Some(id) => id,
        None => session.last_night().ok_or(Failure::Local("the id of a sleep is needed", None))?.id,
    };
    session.show_or_export(session.client.call(whole(session, id, table)), TableId::from(table), "Sleep", night::show).await
}

/// The longest sleep of a date, and what else there is of it.
pub(crate) async fn of_date(session: &Session, date: Date, table: NightTable) -> Result<(), Failure> {
    let mut sleeps = Vec::new();
    for id in behind(session, date).await? {
        sleeps.extend(sleep(session, &id, table).await?);
    }
    let main = (0..sleeps.len()).max_by_key(|at| rank(&sleeps[*at], date));
    let main = sleeps.swap_remove(main.ok_or_else(none)?);
    sleeps.sort_by_key(|sleep| sleep.start_at_timestamp);
    if session.format != Format::Table && !sleeps.is_empty() {
        note(&format!("more sleeps of that date, not written: {}; without --format they are listed", sleeps.len()));
    }
    session.show_answer::<SleepsGetParams, _>(&main, TableId::from(table), "Sleep", |screen, main| {
        night::show(screen, main)?;
        night::others(screen, &session.afterwards.reading("sleep ID"), sleeps.iter().map(|sleep| &**sleep))
    })
}

/// A call for a sleep. A table for other programs needs no more than itself.
fn whole(session: &Session, id: impl Into<String>, table: NightTable) -> SleepsGetParams {
    let all = !session.format.is_for_programs();
    let asked = SleepsGetParams::new(id).include_stages(all || table == NightTable::Stages);
    asked.include_samples(all || table == NightTable::Samples)
}

/// The ids of what a date's time asleep was made of. The score would not do: naps have none.
async fn behind(session: &Session, date: Date) -> Result<Vec<Id>, Failure> {
    let call = session.client.statistics().daily((date, date), [StatisticName::SleepDurationTotal]).include_record_ids(true);
    let days = asked(call.cancel_token(&session.stop).send()).await?.into_inner();
    let mut ids: Vec<Id> = days.statistics.into_iter().flat_map(|day| day.record_ids.into_list().unwrap_or_default()).collect();
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// The sleep of an id; `None` where the record is none. The ids are the service's own, so one that it refuses is nobody's mistake.
async fn sleep(session: &Session, id: &Id, table: NightTable) -> Result<Option<Response<SleepRecord>>, Error> {
    let options = CallOptions::new().keep_raw(true).cancel_token(&session.stop);
    let call = session.client.call(whole(session, id.as_str(), table)).options(options);
    match asked(call.send()).await {
        Ok(sleep) => Ok(Some(sleep)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidRequest | ErrorKind::InvalidArgument) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What makes a sleep the one that is meant by its date: that it is said to be of that date, then how long it is, in seconds.
fn rank(sleep: &SleepRecord, date: Date) -> (bool, i64) {
    let length = sleep.end_at_timestamp.map_or(0, |end| end.unix_seconds() - sleep.start_at_timestamp.unix_seconds());
    (sleep.sleep_date == Some(date), length)
}

fn none() -> Failure {
    let error = Error::with_reason(ErrorKind::NotFound, "no sleep of that date");
    Failure::Hinted(
        error,
        "the date of a night is that of its morning, in the user's local time; `stats daily` shows which days have data".to_owned(),
    )
}
