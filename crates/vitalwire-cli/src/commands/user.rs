//! `vitalwire user` and `vitalwire properties`.

use super::session::Session;
use crate::failure::Failure;
use crate::view::user;

/// Who the user is.
pub(crate) async fn info(session: &Session) -> Result<(), Failure> {
    session
        .show(session.client.user().info(), "User", |screen, info| {
            screen.table(&user::identity(info))?;
            screen.line("")?;
            if info.integrated_providers.iter().next().is_none() {
                return screen.line("no provider is connected");
            }
            screen.table(&user::providers(info))
        })
        .await
}

/// What is known of the user.
pub(crate) async fn properties(session: &Session) -> Result<(), Failure> {
    session
        .show(session.client.user().properties(), "Properties", |screen, answer| match &answer.properties {
            Some(properties) => screen.table(&user::facts(properties)),
            None => screen.line("no properties are told"),
        })
        .await
}
