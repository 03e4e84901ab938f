//! `vitalwire nutrition`.

use vitalwire::client::CallOptions;
use vitalwire::models::NutritionRecord;
use vitalwire::table::TableId;
use vitalwire::{Error, ErrorKind};

use super::confirm::{deletion, look_first};
use super::session::Session;
use super::upload;
use super::user_days::zone_of;
use super::waiting::{Awaited, is_plain};
use crate::cli::Nutrition;
use crate::failure::Failure;
use crate::progress::asked;
use crate::screen::Screen;
use crate::view::nutrition;

/// Default length of a list: a week, in seconds.
const BACK: i64 = 7 * 86_400;

/// Runs the command.
pub(crate) async fn run(session: &Session, what: Nutrition) -> Result<(), Failure> {
    let records = session.client.nutrition_records();
    if let Nutrition::Get { id, .. } | Nutrition::Wait { id, .. } | Nutrition::Update { id, .. } | Nutrition::Delete { id, .. } = &what {
        session.check_record_id(id, "nutrition list")?;
    }
    match what {
        Nutrition::List { range, table } => {
            let (from, to, days) = range.bounds(session, BACK).await?;
            let mut call = records.list().from_timestamp(from);
            if let Some(to) = to {
                call = call.to_timestamp(to);
            }
            let lines = |screen: &mut Screen, list: &Vec<_>| {
                if list.is_empty() {
                    return screen.line(&format!("no meal in that time{}", zone_of(days.as_ref())));
                }
                screen.table(&nutrition::list(list, days.as_ref()))?;
                screen.line("")?;
                screen.note(&nutrition::zones(list, days.as_ref()))
            };
            session.show_range(call, &range.in_parts, TableId::from(table.unwrap_or_default()), "Meals", lines).await
        }
        Nutrition::Get { id, table } => {
            session.show_or_export(records.get(id), TableId::from(table.unwrap_or_default()), "Meal", draw).await
        }
        Nutrition::Upload(options) => upload::meal(session, options, draw).await,
        Nutrition::Wait { id, patience } => session.show_end(records.get(id), CallOptions::new(), patience, &Awaited::MEAL, draw).await,
        Nutrition::Update { id, serving_size } => {
            let more = session.afterwards.command("nutrition get ID");
            let draw = |screen: &mut Screen, record: &_| nutrition::changed(screen, record, more.as_deref());
            session.show(records.update(id, serving_size), "Meal, changed", draw).await
        }
        Nutrition::Delete { id, yes } => delete(session, id, yes).await,
    }
}

/// Deletes a meal after checking that it exists: the service returns the same response for unknown ids.
async fn delete(session: &Session, id: String, yes: bool) -> Result<(), Failure> {
    let records = session.client.nutrition_records();
    let meal = match asked(records.get(&id).cancel_token(&session.stop).send()).await {
        Ok(record) => nutrition::summary(&record),
        Err(error) if error.kind() == ErrorKind::Decode => "a record that this program cannot read".to_owned(),
        // A gateway or another service returns 404 without a problem document.
        Err(error) if error.is_not_found() && error.problem().is_some() => {
            let hint = format!("nothing was deleted; {} prints ids", session.afterwards.reading("nutrition list"));
            return Err(Failure::Hinted(Error::with_reason(ErrorKind::NotFound, "no meal has this id"), hint));
        }
        Err(error) => return Err(error.into()),
    };
    deletion(session, format!("Delete {meal}? It cannot be restored."), yes).await?;
    let look = session.afterwards.reading(&format!("nutrition get {}", if is_plain(&id) { &id } else { "ID" }));
    let deleted = session.print(records.delete(&id), |()| Some(format!("Deleted {meal}."))).await;
    deleted.map_err(|failure| look_first(failure, &look))
}

/// Draws a meal.
pub(super) fn draw(screen: &mut Screen, record: &NutritionRecord) -> Result<(), Failure> {
    nutrition::show(screen, record, &[], 0)
}
