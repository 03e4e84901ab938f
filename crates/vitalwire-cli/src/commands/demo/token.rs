//! Screen: the application exchanges its key for a user's token.

use vitalwire::signing::sign_user_id;

use super::story::Story;
use crate::commands::local;
use crate::failure::Failure;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("The application asks for a user's token")?;
    let user = story.person.user_id.clone();
    // Belongs on a server: an app that users install must not contain the key.
    let signature = sign_user_id(story.sandbox.application_key(), &user)?;
    let exchange = story.client.tokens().exchange(story.sandbox.application_id(), user.as_str(), signature);
    let answer = story.call(exchange).await?;
    let text = format!(
        "Application {} signed the user id \"{user}\" with its key (HMAC-SHA256) and got a bearer token of {} characters for \
         this one user. It is not shown: it is a credential. The calls below carry it.",
        story.sandbox.application_id(),
        answer.access_token.len()
    );
    story.note(&text)?;
    story.client = local::client(story.sandbox, Some(&answer.access_token))?;
    Ok(())
}
