//! `vitalwire nutrition`.

use vitalwire::client::CallOptions;
use vitalwire::models::NutritionRecord;
use vitalwire::table::TableId;
use vitalwire::{Error, ErrorKind};

use super::confirm::{add_check_hint, confirm_deletion};
use super::session::Session;
use super::upload;
use super::user_days::zone_clause;
use super::wait::{RecordKind, shell_id};
use crate::cli::NutritionCommand;
use crate::failure::Failure;
use crate::progress::with_progress;
use crate::screen::Screen;
use crate::view::nutrition;

/// Default length of a list: a week, in seconds.
const DEFAULT_LENGTH: i64 = 7 * 86_400;

pub(crate) async fn run(session: &Session, command: NutritionCommand) -> Result<(), Failure> {
    let records = session.client.nutrition_records();
    if let NutritionCommand::Get { id, .. }
    | NutritionCommand::Wait { id, .. }
    | NutritionCommand::Update { id, .. }
    | NutritionCommand::Delete { id, .. } = &command
    {
        session.check_record_id(id, "nutrition list")?;
    }
    match command {
        NutritionCommand::List { range, table } => {
            let (from, to, days) = range.bounds(session, DEFAULT_LENGTH).await?;
            let mut call = records.list().from_timestamp(from);
            if let Some(to) = to {
                call = call.to_timestamp(to);
            }
            let lines = |screen: &mut Screen, list: &Vec<_>| {
                if list.is_empty() {
                    session.note_clock_difference();
                    return screen.line(&format!("no meal in that time{}", zone_clause(days.as_ref())));
                }
                screen.table(&nutrition::list(list, days.as_ref()))?;
                screen.line("")?;
                screen.note(&nutrition::zone_text(list, days.as_ref()))
            };
            session.show_range(call, &range.part_options, TableId::from(table.unwrap_or_default()), "Meals", lines).await
        }
        NutritionCommand::Get { id, table } => {
            session.show_or_export(records.get(id), TableId::from(table.unwrap_or_default()), "Meal", draw).await
        }
        NutritionCommand::Upload(options) => upload::meal(session, options, draw).await,
        NutritionCommand::Wait { id, wait_options } => {
            session.show_analysis(records.get(id), CallOptions::new(), wait_options, &RecordKind::MEAL, draw).await
        }
        NutritionCommand::Update { id, serving_size } => {
            let more = session.follow_up.next_command(&format!("nutrition get {}", shell_id(&id)));
            let draw = |screen: &mut Screen, record: &_| nutrition::show_change(screen, record, more.as_deref());
            session.show(records.update(id, serving_size), "Meal, changed", draw).await
        }
        NutritionCommand::Delete { id, yes } => delete(session, id, yes).await,
    }
}

/// Deletes a meal after checking that it exists: the service returns the same response for unknown ids.
async fn delete(session: &Session, id: String, yes: bool) -> Result<(), Failure> {
    let records = session.client.nutrition_records();
    let meal = match with_progress(records.get(&id).cancel_token(&session.cancel_token).send()).await {
        Ok(record) => nutrition::summary(&record),
        Err(error) if error.kind() == ErrorKind::Decode => "a record that this program cannot read".to_owned(),
        // A gateway or another service returns 404 without a problem document.
        Err(error) if error.is_not_found() && error.problem().is_some() => {
            let hint = format!("nothing was deleted; {} prints ids", session.follow_up.read_command("nutrition list"));
            return Err(Failure::Hinted(Error::with_reason(ErrorKind::NotFound, "no meal has this id"), hint));
        }
        Err(error) => return Err(error.into()),
    };
    confirm_deletion(session, format!("Delete {meal}? It cannot be restored."), yes).await?;
    let look = session.follow_up.read_command(&format!("nutrition get {}", shell_id(&id)));
    let deleted = session.print_line(records.delete(&id), |()| Some(format!("Deleted {meal}."))).await;
    deleted.map_err(|failure| add_check_hint(failure, &look))
}

pub(super) fn draw(screen: &mut Screen, record: &NutritionRecord) -> Result<(), Failure> {
    nutrition::show(screen, record, &[], 0)?;
    screen.record_id(record.record_id.as_str())
}
