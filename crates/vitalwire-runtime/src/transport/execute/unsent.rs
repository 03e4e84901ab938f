//! Requests that another program sends.

use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use http::header::{ACCEPT_ENCODING, AUTHORIZATION};
use reqwest::Request;
use tokio::runtime::Handle;

use super::super::{CallClock, CallOptions, ClientState};
use super::prepare::prepare;
use super::{NO_RUNTIME, RunningCall};
use crate::auth::Secret;
use crate::error::Error;
use crate::operation::OperationMeta;

/// A request with its token and all headers.
pub struct UnsentRequest {
    pub(crate) request: Box<Request>,
    /// Instant at which the token expires, if known.
    pub(crate) token_expires_at: Option<SystemTime>,
    /// Fingerprint of the token.
    pub(crate) token: Option<String>,
}

/// Checks and completes a request like [`execute`](super::execute), but does not send it. Gets a token within the deadline of the call.
pub(crate) async fn complete_request(
    clock: CallClock,
    client: &ClientState,
    meta: &OperationMeta,
    request: Box<Request>,
    options: &CallOptions,
) -> Result<UnsentRequest, Error> {
    // Timers would panic without a runtime.
    if Handle::try_current().is_err() {
        return Err(Error::configuration(NO_RUNTIME));
    }
    let sending = AtomicBool::new(false);
    let call = RunningCall::new(client, meta, options, clock, &sending);
    let mut request = prepare(client, meta, options, request)?;
    let token = async {
        let auth = call.auth()?;
        let token = call.next_token(auth.as_ref()).await?;
        let expires_at = auth.zip(token.as_ref()).and_then(|(auth, token)| auth.expires_at(token));
        Ok::<_, Error>((token, expires_at))
    };
    let (token, token_expires_at) = client.unless_ended(options, token).await??;
    let headers = request.headers_mut();
    // The program that sends the request requests the codings that it decompresses.
    for (name, value) in client.default_headers.iter().filter(|(name, _)| *name != ACCEPT_ENCODING) {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if let Some(token) = &token {
        headers.insert(AUTHORIZATION, token.bearer());
    }
    Ok(UnsentRequest { request, token_expires_at, token: token.as_ref().map(Secret::fingerprint) })
}
