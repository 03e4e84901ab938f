//! `vitalwire token`: exchanges the application's key, or a signature made with it, for a user's bearer token.

use vitalwire::client::CallOptions;
use vitalwire::operations::TokensExchangeParams;
use vitalwire::signing::sign_user_id;

use super::session::Session;
use super::{file, on_thread, secret};
use crate::cli::TokenOptions;
use crate::failure::{Failure, unread_file, while_waiting};

/// Prints the token and nothing else, so that a shell can assign it to a variable.
pub(crate) async fn run(session: &Session, options: TokenOptions) -> Result<(), Failure> {
    let missing = || Failure::Local("the ids of an application and of a user are required", None);
    let (signature, key) = (options.signature(), options.key());
    for input in signature.file.iter().chain(&key.file) {
        session.destination.reject_input(input)?;
    }
    let sandbox_person = session.person();
    let application = options.application_id.or_else(|| sandbox_person.map(|(sandbox, _)| sandbox.application_id())).ok_or_else(missing)?;
    let user = options.user_id.or_else(|| sandbox_person.map(|(_, person)| person.user_id.clone())).ok_or_else(missing)?;
    let file = signature.file.as_ref().or(key.file.as_ref()).map(|path| file::display_path(path)).unwrap_or_default();
    let read = move || Ok((secret::read_secret(&signature)?, secret::read_secret(&key)?));
    let call_options = CallOptions::new().cancel_token(&session.cancel_token);
    let read = while_waiting(unread_file(&file), on_thread(read));
    let (secrets, call_options) = session.client.prepare::<TokensExchangeParams, _, _>(read, call_options).await?;
    let signature = match secrets {
        (Some(signature), _) => String::from_utf8(signature).map_err(|_| Failure::Settings("the signature must be text".to_owned()))?,
        (None, Some(key)) => sign_user_id(&key, &user)?,
        (None, None) => {
            let (sandbox, _) = sandbox_person.ok_or(Failure::Local("a key or a signature is required", None))?;
            sign_user_id(sandbox.application_key(), &user)?
        }
    };
    let signature = signature.trim_start_matches('\u{feff}').trim();
    let call = session.client.tokens().exchange(application, user, signature).options(call_options);
    session.print_line(call, |response| Some(response.access_token.clone())).await
}
