//! Screen: the application exchanges its key for a user's token.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::story::Story;
use crate::commands::local;
use crate::failure::Failure;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("The application asks for a user's token")?;
    let user = story.person.user_id.clone();
    // On a server: no app that users install may hold the key.
    let signature = sign(story.sandbox.application_key(), &user)?;
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

/// The signature of a user id: HMAC-SHA256 under the application's key, in lower-case hex.
fn sign(key: &str, user_id: &str) -> Result<String, Failure> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).map_err(|_| Failure::Local("the application's key is unusable", None))?;
    mac.update(user_id.as_bytes());
    Ok(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_lower_case_hex_of_hmac_sha256() {
        // RFC 4231, test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(sign("Jefe", "what do ya want for nothing?").expect("any key will do"), expected);
    }
}
