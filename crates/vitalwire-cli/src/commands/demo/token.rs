//! Screen: the application exchanges its key for a user's token.

use vitalwire::signing::sign_user_id;

use super::state::DemoState;
use crate::commands::local_sandbox;
use crate::failure::Failure;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("The application asks for a user's token")?;
    let user = demo.person.user_id.clone();
    // Belongs on a server: an app that users install must not contain the key.
    let signature = sign_user_id(demo.sandbox.application_key(), &user)?;
    let exchange = demo.client.tokens().exchange(demo.sandbox.application_id(), user.as_str(), signature);
    let response = demo.call(exchange).await?;
    let text = format!(
        "Application {} signed the user id \"{user}\" with its key (HMAC-SHA256) and got a bearer token of {} characters for \
         this one user. It is not shown: it is a credential. The calls below carry it.",
        demo.sandbox.application_id(),
        response.access_token.len()
    );
    demo.note(&text)?;
    demo.client = local_sandbox::client(demo.sandbox, Some(&response.access_token))?;
    Ok(())
}
