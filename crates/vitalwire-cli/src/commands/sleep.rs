//! `vitalwire sleep`.

use vitalwire::table::TableId;

use super::session::Session;
use crate::cli::NightTable;
use crate::failure::Failure;
use crate::view::night;

/// A night by its id, or the last one of a sandbox's person.
pub(crate) async fn run(session: &Session, id: Option<String>, table: NightTable) -> Result<(), Failure> {
    let id = match id {
        Some(id) => id,
        None => session.last_night().ok_or(Failure::Local("the id of a sleep is needed", None))?.id,
    };
    // A table for other programs needs no more than itself.
    let all = !session.format.is_for_programs();
    let call = session.client.sleeps().get(id).include_stages(all || table == NightTable::Stages);
    let call = call.include_samples(all || table == NightTable::Samples);
    session.show_or_export(call, TableId::from(table), "Sleep", night::show).await
}
