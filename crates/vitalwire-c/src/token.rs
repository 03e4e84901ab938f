//! Tokens from the application.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::error::Error as StdError;
use std::ffi::c_void;
use std::fmt;
use std::time::{Duration, SystemTime};

use vitalwire::client::{BlockingProvider, ClientBuilder, Token, TokenReason};
use vitalwire::error::BoxError;

use crate::client::vitalwire_client_builder;
use crate::error::vitalwire_error;
use crate::given::set;
use crate::guard::catch;
use crate::kind;
use crate::user_data::UserData;
use crate::value::vitalwire_str;
use crate::view;

/// Why a token is requested. Later versions may add reasons: whatever it is, a new token is wanted.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_token_reason {
    /// There is none yet.
    VITALWIRE_TOKEN_REASON_MISSING = 0,
    /// The one that there is ends soon, or has ended.
    VITALWIRE_TOKEN_REASON_EXPIRING = 1,
    /// The service has just refused the one that there is: a cached one would not help.
    VITALWIRE_TOKEN_REASON_REJECTED = 2,
}

/// Where a provider's answer goes. It is there until the provider returns; the last answer counts.
pub struct vitalwire_token_request(Option<Result<Token, Said>>);

/// Provides tokens: it gives one to `reply`, or fails there, and returns.
///
/// It is called on a thread of the library, once for many calls, when the first needs a token, shortly before one ends, and once more after
/// one was refused. So it must be ready for any thread; it may block, within the deadlines of the calls that wait, and must not unwind. It
/// may make calls, also with the client that asks it, such as vitalwire_client_tokens_exchange. One that needs the token which it is to
/// give ends with VITALWIRE_ERROR_CONFIGURATION. It must free neither that client nor what it was given.
pub type vitalwire_token_provider =
    Option<extern "C" fn(user_data: *mut c_void, reason: vitalwire_token_reason, reply: &mut vitalwire_token_request)>;

/// A provider that is there.
type Function = extern "C" fn(*mut c_void, vitalwire_token_reason, &mut vitalwire_token_request);

/// A provider as the core has it.
pub(crate) type Provider = BlockingProvider<Box<dyn Fn(TokenReason) -> Result<Token, BoxError> + Send + Sync>>;

/// What a provider said as it failed.
#[derive(Clone)]
struct Said(String);

/// Shows no text: it may hold anything.
impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Said(..)")
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what the token provider said")
    }
}

impl StdError for Said {}

impl From<TokenReason> for vitalwire_token_reason {
    fn from(reason: TokenReason) -> Self {
        match reason {
            TokenReason::Expiring => Self::VITALWIRE_TOKEN_REASON_EXPIRING,
            TokenReason::Rejected => Self::VITALWIRE_TOKEN_REASON_REJECTED,
            // What there may be later asks for a new token too.
            _ => Self::VITALWIRE_TOKEN_REASON_MISSING,
        }
    }
}

/// Gives a token, which is used until the service refuses it. It is copied.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_complete(reply: Option<&mut vitalwire_token_request>, token: vitalwire_str) {
    answer(reply, || Ok(Token::new(text(&token)?)));
}

/// Gives a token that ends in so many milliseconds. Another one is asked for shortly before. It is copied.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_complete_with_lifetime(
    reply: Option<&mut vitalwire_token_request>,
    token: vitalwire_str,
    lifetime_ms: u64,
) {
    answer(reply, || {
        let text = text(&token)?;
        let end = SystemTime::now().checked_add(Duration::from_millis(lifetime_ms));
        Ok(end.map_or_else(|| Token::new(text), |end| Token::expiring(text, end)))
    });
}

/// Gives no token: calls that need one end with VITALWIRE_ERROR_AUTHENTICATION. What is said here is in no message; vitalwire_error_cause
/// has it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_token_request_fail(reply: Option<&mut vitalwire_token_request>, said: vitalwire_str) {
    answer(reply, || Err(Said(said.read().unwrap_or_default().to_owned())));
}

/// What the token provider said as it failed. It may hold anything, and is in no message.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_cause(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| {
        let mut source = error.error.source();
        while let Some(cause) = source {
            if let Some(said) = cause.downcast_ref::<Said>() {
                return Some(said.0.as_str());
            }
            source = cause.source();
        }
        None
    })
}

/// Has a client's builder take a provider. Its user data is the library's from here on, also where it is refused.
pub(crate) fn set_provider(
    builder: Option<&mut vitalwire_client_builder>,
    setting: &'static str,
    function: vitalwire_token_provider,
    user_data: UserData,
    tell: impl FnOnce(ClientBuilder, Provider) -> ClientBuilder,
) {
    set(builder, |settings, given| match function {
        Some(function) => {
            let provider = Provider::new(Box::new(move |reason| ask(function, &user_data, reason)));
            *settings = settings.take().map(|settings| tell(settings, provider));
        }
        None => given.refuse(setting, "it is NULL"),
    });
}

fn ask(function: Function, user_data: &UserData, reason: TokenReason) -> Result<Token, BoxError> {
    let mut reply = vitalwire_token_request(None);
    kind::shown(&reply);
    function(user_data.get(), reason.into(), &mut reply);
    kind::gone(&reply);
    match reply.0 {
        Some(answer) => Ok(answer?),
        None => Err("the provider gave no token".into()),
    }
}

fn answer(reply: Option<&mut vitalwire_token_request>, read: impl FnOnce() -> Result<Token, Said>) {
    if let (Some(reply), Some(answer)) = (kind::known(reply), catch(read)) {
        reply.0 = Some(answer);
    }
}

fn text(token: &vitalwire_str) -> Result<&str, Said> {
    token.read().map_err(|reason| Said(reason.to_owned()))
}
