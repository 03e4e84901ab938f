//! `vitalwire integrations`.

use vitalwire::open_sets::ProviderSlug;

use super::names::Unknown;
use super::session::{Afterwards, Session};
use super::user;
use crate::cli::Integrations;
use crate::failure::{Failure, note};

/// Runs the command.
pub(crate) async fn run(session: &Session, what: Integrations) -> Result<(), Failure> {
    let integrations = session.client.integrations();
    let unknown = match &what {
        Integrations::InitUrl { provider, .. } | Integrations::Delete { provider } => {
            Unknown::default().add::<ProviderSlug>("provider_slug", [provider])
        }
        Integrations::List => Unknown::default(),
    };
    let done = match what {
        Integrations::InitUrl { provider, redirect_uri, state, provider_user_id } => {
            let mut call = integrations.init_url(provider);
            if let Some(url) = redirect_uri {
                call = call.redirect_uri(url);
            }
            if let Some(state) = state {
                call = call.state(state);
            }
            if let Some(name) = provider_user_id {
                call = call.provider_user_id(name);
            }
            let shown = session.print(call, |answer| answer.path.clone()).await;
            // With a file too: the next sandbox listens elsewhere.
            if shown.is_ok() && session.afterwards != Afterwards::Service {
                note("nobody answers at this URL: the sandbox of this command has ended; `vitalwire sandbox` serves one that stays");
            }
            shown
        }
        Integrations::List => user::integrations(session).await,
        Integrations::Delete { provider } => {
            session.print(integrations.delete(provider), |()| Some("The integration is gone; the data it brought stay.".to_owned())).await
        }
    };
    done.map_err(|failure| unknown.hint(failure))
}
