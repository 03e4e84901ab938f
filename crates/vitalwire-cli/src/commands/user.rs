//! `vitalwire user` and `vitalwire properties`.

use vitalwire::models::UserInfo;

use super::session::Session;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::view::user;

/// Shows information about the user.
pub(crate) async fn info(session: &Session) -> Result<(), Failure> {
    session
        .show(session.client.user().info(), "User", |screen, info| {
            screen.table(&user::identity(info))?;
            screen.line("")?;
            connected(screen, info)
        })
        .await
}

pub(crate) async fn properties(session: &Session) -> Result<(), Failure> {
    session
        .show(session.client.user().properties(), "Properties", |screen, response| match &response.properties {
            Some(properties) => screen.table(&user::properties(properties, screen.available_width())),
            None => screen.line("no properties in the response"),
        })
        .await
}

/// Shows the connected providers.
pub(crate) async fn integrations(session: &Session) -> Result<(), Failure> {
    session.show(session.client.user().info(), "Integrations", connected).await
}

fn connected(screen: &mut Screen, info: &UserInfo) -> Result<(), Failure> {
    if info.integrated_providers.as_slice().is_empty() {
        return screen.line("no provider is connected");
    }
    screen.table(&user::providers(info))
}
