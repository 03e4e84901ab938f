//! `vitalwire sleep`.

use super::session::Session;
use crate::failure::Failure;
use crate::view::night;

/// A night by its id, or the last one of a sandbox's person.
pub(crate) async fn run(session: &Session, id: Option<String>) -> Result<(), Failure> {
    let id = match id {
        Some(id) => id,
        None => session.last_night().await?.ok_or(Failure::Local("the id of a sleep is needed", None))?.id,
    };
    let call = session.client.sleeps().get(id).include_stages(true).include_samples(true);
    session.show(call, "Sleep", night::show).await
}
