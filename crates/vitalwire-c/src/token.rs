//! Token providers.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::error::Error as StdError;
use std::ffi::c_void;
use std::fmt;
use std::time::{Duration, SystemTime};

use vitalwire::client::{BlockingProvider, ClientBuilder, RefreshReason, Token};
use vitalwire::error::BoxError;

use crate::arguments::set;
use crate::client::vitalwire_client_builder;
use crate::error::vitalwire_error;
use crate::guard::catch;
use crate::handles;
use crate::user_data::UserData;
use crate::value::vitalwire_str;
use crate::view;

/// Reason why a token is requested. Later versions may add reasons; always return a new token.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_refresh_reason {
    /// No token is known yet.
    VITALWIRE_REFRESH_REASON_MISSING = 0,
    /// The current token expires soon or has expired.
    VITALWIRE_REFRESH_REASON_EXPIRING = 1,
    /// The service has rejected the current token. Do not return it from a cache.
    VITALWIRE_REFRESH_REASON_REJECTED = 2,
}

/// Receives the token or failure of a provider; the last one set is used. Valid until the provider returns.
pub struct vitalwire_token_request(Option<Result<Token, FailureMessage>>);

/// Provides tokens: sets a token or a failure on `reply`, and returns.
///
/// Called on a library thread, once for all calls that wait for a token: when the first call needs a token, shortly before the token
/// expires, and after the service rejected it. A provider must be thread-safe and must not unwind. It may block, within the deadlines of
/// the waiting calls.
///
/// A provider may make calls such as vitalwire_client_tokens_exchange, also with the client that requests the token. A call that needs the
/// requested token fails with VITALWIRE_ERROR_CONFIGURATION. The provider must not free that client or its own arguments.
pub type vitalwire_token_provider =
    Option<extern "C" fn(user_data: *mut c_void, reason: vitalwire_refresh_reason, reply: &mut vitalwire_token_request)>;

/// A provider function that is not NULL.
type ProviderFunction = extern "C" fn(*mut c_void, vitalwire_refresh_reason, &mut vitalwire_token_request);

/// A token provider as the core calls it.
pub(crate) type Provider = BlockingProvider<Box<dyn Fn(RefreshReason) -> Result<Token, BoxError> + Send + Sync>>;

#[derive(Clone)]
struct FailureMessage(String);

/// Hides the message, which may contain secrets.
impl fmt::Debug for FailureMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FailureMessage(..)")
    }
}

impl fmt::Display for FailureMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failure message of the token provider")
    }
}

impl StdError for FailureMessage {}

impl From<RefreshReason> for vitalwire_refresh_reason {
    fn from(reason: RefreshReason) -> Self {
        match reason {
            RefreshReason::Expiring => Self::VITALWIRE_REFRESH_REASON_EXPIRING,
            RefreshReason::Rejected => Self::VITALWIRE_REFRESH_REASON_REJECTED,
            // Reasons that this version does not know also require a new token.
            _ => Self::VITALWIRE_REFRESH_REASON_MISSING,
        }
    }
}

/// Sets a token, which is used until the service rejects it. The text is copied.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_complete(reply: Option<&mut vitalwire_token_request>, token: vitalwire_str) {
    set_reply(reply, || Ok(Token::new(read_token(&token)?)));
}

/// Sets a token that expires in `lifetime_ms` milliseconds. The provider is called again shortly before the token expires. The text
/// is copied.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_complete_with_lifetime(
    reply: Option<&mut vitalwire_token_request>,
    token: vitalwire_str,
    lifetime_ms: u64,
) {
    set_reply(reply, || {
        let text = read_token(&token)?;
        let end = SystemTime::now().checked_add(Duration::from_millis(lifetime_ms));
        Ok(end.map_or_else(|| Token::new(text), |end| Token::expiring(text, end)))
    });
}

/// Reports that there is no token. Calls that need a token fail with VITALWIRE_ERROR_AUTHENTICATION. The text is copied and appears only in
/// vitalwire_error_cause, not in messages.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_fail(reply: Option<&mut vitalwire_token_request>, message: vitalwire_str) {
    set_reply(reply, || {
        // An invalid text must not look like a failure without a text.
        let text = message.read().unwrap_or_else(|reason| if message.data.is_null() { "" } else { reason });
        Err(FailureMessage(text.to_owned()))
    });
}

/// Returns the failure text of the token provider. It may contain secrets and is not part of the message. It is valid as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_cause(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| {
        let mut source = error.error.source();
        while let Some(cause) = source {
            if let Some(message) = cause.downcast_ref::<FailureMessage>() {
                return Some(message.0.as_str());
            }
            source = cause.source();
        }
        None
    })
}

/// Sets a token provider. Takes ownership of the user data, even if the provider is rejected.
pub(crate) fn set_provider(
    builder: Option<&mut vitalwire_client_builder>,
    setting: &'static str,
    function: vitalwire_token_provider,
    user_data: UserData,
    change: impl FnOnce(ClientBuilder, Provider) -> ClientBuilder,
) {
    set(builder, |settings, arguments| match function {
        Some(function) => {
            let provider = Provider::new(Box::new(move |reason| request_token(function, &user_data, reason)));
            *settings = settings.take().map(|settings| change(settings, provider));
        }
        None => arguments.reject(setting, "must not be NULL"),
    });
}

fn request_token(function: ProviderFunction, user_data: &UserData, reason: RefreshReason) -> Result<Token, BoxError> {
    let mut reply = vitalwire_token_request(None);
    handles::register(&reply);
    function(user_data.get(), reason.into(), &mut reply);
    handles::unregister(&reply);
    match reply.0 {
        Some(outcome) => Ok(outcome?),
        None => Err("the token provider set neither a token nor a failure".into()),
    }
}

fn set_reply(reply: Option<&mut vitalwire_token_request>, read: impl FnOnce() -> Result<Token, FailureMessage>) {
    if let (Some(reply), Some(outcome)) = (handles::valid(reply), catch(read)) {
        reply.0 = Some(outcome);
    }
}

fn read_token(token: &vitalwire_str) -> Result<&str, FailureMessage> {
    token.read().map_err(|reason| FailureMessage(reason.to_owned()))
}
