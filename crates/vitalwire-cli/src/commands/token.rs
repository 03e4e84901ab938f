//! `vitalwire token`: exchanges the application's key, or a signature made with it, for a user's bearer token.

use vitalwire::signing::sign_user_id;

use super::secret;
use super::session::Session;
use crate::cli::Token;
use crate::failure::Failure;

/// Prints the token and nothing else, so that a shell can assign it to a variable.
pub(crate) async fn run(session: &Session, options: Token) -> Result<(), Failure> {
    let missing = || Failure::Local("the ids of an application and of a user are required", None);
    for input in options.signature.file.iter().chain(&options.key.file) {
        session.destination.reject_input(input)?;
    }
    let sandbox_person = session.person();
    let application = options.application_id.or_else(|| sandbox_person.map(|(sandbox, _)| sandbox.application_id())).ok_or_else(missing)?;
    let user = options.user_id.or_else(|| sandbox_person.map(|(_, person)| person.user_id.clone())).ok_or_else(missing)?;
    let signature = match (secret::read_secret(&options.signature)?, secret::read_secret(&options.key)?) {
        (Some(signature), _) => String::from_utf8(signature).map_err(|_| Failure::Settings("the signature must be text".to_owned()))?,
        (None, Some(key)) => sign_user_id(&key, &user)?,
        (None, None) => {
            let (sandbox, _) = sandbox_person.ok_or(Failure::Local("a key or a signature is required", None))?;
            sign_user_id(sandbox.application_key(), &user)?
        }
    };
    session
        .print_line(session.client.tokens().exchange(application, user, signature.trim_start_matches('\u{feff}').trim()), |response| {
            Some(response.access_token.clone())
        })
        .await
}
