//! `vitalwire token`: a user's bearer token, for who holds the application's key or a signature made with it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::secret;
use super::session::Session;
use crate::cli::Token;
use crate::failure::Failure;

/// Prints the token and nothing else, so that a shell can take it into a variable.
pub(crate) async fn run(session: &Session, options: Token) -> Result<(), Failure> {
    let missing = || Failure::Local("the ids of an application and of a user are needed", None);
    let own = session.person();
    let application = options.application_id.or_else(|| own.map(|(sandbox, _)| sandbox.application_id())).ok_or_else(missing)?;
    let user = options.user_id.or_else(|| own.map(|(_, person)| person.user_id.clone())).ok_or_else(missing)?;
    let signature = match (secret::read(&options.signature)?, secret::read(&options.key)?) {
        (Some(signature), _) => String::from_utf8(signature).map_err(|_| Failure::Local("the signature is no text", None))?,
        (None, Some(key)) => sign(&key, &user)?,
        (None, None) => {
            let (sandbox, _) = own.ok_or(Failure::Local("a key or a signature is needed", None))?;
            sign(sandbox.application_key().as_bytes(), &user)?
        }
    };
    session.print(session.client.tokens().exchange(application, user, signature.trim()), |answer| Some(answer.access_token.clone())).await
}

/// The signature of a user id: HMAC-SHA256 under the application's key, in lower-case hex.
pub(crate) fn sign(key: &[u8], user_id: &str) -> Result<String, Failure> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|_| Failure::Local("the application's key is unusable", None))?;
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
        assert_eq!(sign(b"Jefe", "what do ya want for nothing?").expect("any key will do"), expected);
    }
}
