//! What the browser brings back at the end of the consent flow.

use std::fmt;

use vitalwire::redirect::{Outcome, Return};

use crate::call::guarded;
use crate::error::ApiError;
use crate::generated::ProviderSlug;

/// A parameter of a URL.
#[derive(Clone, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct UrlParameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// Shows no value.
impl fmt::Debug for UrlParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrlParameter(..)")
    }
}

/// What came back from the consent flow. Nothing in it is signed: the `state` alone ties it to the flow that was begun.
#[derive(Clone, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ConsentReturn {
    /// The service's id of the user, as it came.
    pub user_id: Option<String>,
    /// The provider.
    pub provider_slug: Option<ProviderSlug>,
    /// The state that came back.
    pub state: Option<String>,
    /// Why the integration failed; absent where the provider is integrated. Anybody can write a URL: escape it before showing it.
    pub failure: Option<String>,
    /// All other parameters, in their order, repeated ones too.
    pub extra: Vec<UrlParameter>,
}

/// Shows no value.
impl fmt::Debug for ConsentReturn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConsentReturn(..)")
    }
}

impl From<Return> for ConsentReturn {
    fn from(core: Return) -> Self {
        let failure = match core.outcome() {
            Outcome::Failed(failure) => Some(failure.text().to_owned()),
            _ => None,
        };
        Self {
            user_id: core.user_id().map(str::to_owned),
            provider_slug: core.provider_slug().cloned().map(Into::into),
            state: core.state().map(str::to_owned),
            failure,
            extra: core.extra().map(|(name, value)| UrlParameter { name: name.to_owned(), value: value.to_owned() }).collect(),
        }
    }
}

/// Reads a return out of a whole URL, a path with its query, or a query. `expected_state` is the state that the flow began with;
/// without it nothing tells a genuine return from one that somebody made up.
///
/// # Errors
/// Kind `signature` where the state is another, `decode` where it is no return, `invalid_argument` for an empty expected state.
#[uniffi::export]
pub fn parse_return(url: String, expected_state: Option<String>) -> Result<ConsentReturn, ApiError> {
    guarded(|| Ok(Return::parse(&url, expected_state.as_deref())?.into()))
}
