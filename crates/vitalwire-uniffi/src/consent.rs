//! Parser for the redirect at the end of the consent flow.

use std::fmt;

use vitalwire::consent::{self, Outcome};

use crate::call::catch_panics;
use crate::error::ApiError;
use crate::generated::ProviderSlug;

/// A query parameter of a URL.
#[derive(Clone, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct UrlParameter {
    /// Name of the parameter.
    pub name: String,
    /// Value of the parameter.
    pub value: String,
}

/// Omits the value from debug output.
impl fmt::Debug for UrlParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrlParameter(..)")
    }
}

/// The redirect at the end of the consent flow. It is not signed; only its `state` ties it to the flow that your app started.
#[derive(Clone, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ConsentRedirect {
    /// The service's id of the user, unverified.
    pub user_id: Option<String>,
    /// The provider that the user connected.
    pub provider_slug: Option<ProviderSlug>,
    /// The `state` parameter.
    pub state: Option<String>,
    /// Reason of a failed integration; absent after a success. Anybody can write a URL, so escape this text before you show it.
    pub failure: Option<String>,
    /// All other parameters in their original order, including repeated ones.
    pub extra: Vec<UrlParameter>,
}

/// Omits the value from debug output.
impl fmt::Debug for ConsentRedirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConsentRedirect(..)")
    }
}

impl From<consent::ConsentRedirect> for ConsentRedirect {
    fn from(core: consent::ConsentRedirect) -> Self {
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

/// Parses the redirect: a full URL, a path with a query, or a query.
///
/// `expected_state` is the state that the flow started with. Without it, forged redirects are accepted.
///
/// # Errors
/// Kind `signature` if the state differs, `decode` if the URL is no consent redirect, or `invalid_argument` if the expected state is
/// empty.
#[uniffi::export]
pub fn parse_consent_redirect(url: String, expected_state: Option<String>) -> Result<ConsentRedirect, ApiError> {
    catch_panics(|| Ok(consent::ConsentRedirect::parse(&url, expected_state.as_deref())?.into()))
}
