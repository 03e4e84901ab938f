//! `vitalwire nutrition`.

use super::session::Session;
use crate::cli::{Nutrition, Stretch};
use crate::failure::Failure;
use crate::view::nutrition;

/// How far back a list goes unless told: a week, in seconds.
const BACK: i64 = 7 * 86_400;

/// Runs the command.
pub(crate) async fn run(session: &Session, what: Nutrition) -> Result<(), Failure> {
    let records = session.client.nutrition_records();
    match what {
        Nutrition::List { stretch: Stretch { from, to }, table } => {
            let mut call = records.list().from_timestamp(from.unwrap_or_else(|| session.before(BACK)));
            if let Some(to) = to {
                call = call.to_timestamp(to);
            }
            let draw = |screen: &mut crate::screen::Screen, list: &Vec<_>| {
                if list.is_empty() {
                    return screen.line("no meal in that time");
                }
                screen.table(&nutrition::list(list))
            };
            session.show_or_export(call, table.unwrap_or_default().into(), "Meals", draw).await
        }
        Nutrition::Get { id, table } => {
            let draw = |screen: &mut crate::screen::Screen, record: &_| nutrition::show(screen, record, &[], 0);
            session.show_or_export(records.get(id), table.unwrap_or_default().into(), "Meal", draw).await
        }
        Nutrition::Delete { id } => {
            session.print(records.delete(id), |()| Some("The meal is deleted; a second time would be answered the same.".to_owned())).await
        }
    }
}
