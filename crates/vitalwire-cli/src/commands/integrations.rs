//! `vitalwire integrations`.

use vitalwire::open_sets::ProviderSlug;
use vitalwire::operations::IntegrationsInitUrlParams;
use vitalwire::value::OpenSet;
use vitalwire::{Error, ErrorKind};

use super::confirm::{add_check_hint, confirm_deletion};
use super::session::{FollowUp, Session};
use super::unknown_names::UnknownNames;
use super::user;
use crate::cli::IntegrationsCommand;
use crate::failure::{Failure, note};
use crate::progress::with_progress;
use crate::render::style::clean;

pub(crate) async fn run(session: &Session, command: IntegrationsCommand) -> Result<(), Failure> {
    let unknown = match &command {
        IntegrationsCommand::InitUrl { provider, .. } | IntegrationsCommand::Delete { provider, .. } => {
            UnknownNames::default().add::<ProviderSlug>("provider_slug", [provider])
        }
        IntegrationsCommand::List => UnknownNames::default(),
    };
    let outcome = match command {
        IntegrationsCommand::InitUrl { provider, redirect_uri, state, provider_user_id } => {
            let mut params = IntegrationsInitUrlParams::new(provider);
            (params.redirect_uri, params.state, params.provider_user_id) = (redirect_uri, state, provider_user_id);
            let shown = session.print_line(session.client.call(params), |response| response.path.clone()).await;
            // Applies to a sandbox with a file too: the next sandbox uses another port.
            if shown.is_ok() && !matches!(session.follow_up, FollowUp::Service(_)) {
                note("this URL cannot be reached: the sandbox of this command has ended; `vitalwire sandbox` keeps one running");
            }
            shown
        }
        IntegrationsCommand::List => user::integrations(session).await,
        IntegrationsCommand::Delete { provider, yes } => delete(session, provider, yes).await,
    };
    outcome.map_err(|failure| unknown.hint(failure))
}

/// Disconnects a connected provider.
async fn delete(session: &Session, provider: String, yes: bool) -> Result<(), Failure> {
    let info = with_progress(session.client.user().info().cancel_token(&session.cancel_token).send()).await?;
    let connected = info.integrated_providers.iter().filter_map(|integration| integration.provider_slug.as_ref());
    let connected: Vec<&str> = connected.map(OpenSet::as_str).collect();
    // A missing list proves nothing.
    if !info.integrated_providers.is_absent() && !connected.contains(&provider.as_str()) {
        let hint = match connected.as_slice() {
            [] => "no provider is connected".to_owned(),
            connected => format!("connected: {}", clean(&connected.join(", "))),
        };
        return Err(Failure::Hinted(Error::with_reason(ErrorKind::NotFound, "this provider is not connected"), hint));
    }
    let shown = clean(&provider).into_owned();
    confirm_deletion(session, format!("Disconnect {shown}? The user has to consent again to connect it."), yes).await?;
    let deleted = session.print_line(session.client.integrations().delete(provider), |()| Some(format!("Disconnected {shown}."))).await;
    deleted.map_err(|failure| add_check_hint(failure, &session.follow_up.read_command("integrations list")))
}
