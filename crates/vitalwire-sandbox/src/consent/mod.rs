//! Consent flow: a page of the sandbox replaces the provider's page and redirects the user with the result.

mod page;
mod redirect;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

pub(crate) use self::page::{consent_page, expired_page, rejected_page};
pub(crate) use self::redirect::RedirectSettings;
use crate::values::crypto;

/// Lifetime of a consent URL in real time, because a person has to read and click however fast the sandbox's clock runs.
/// Moving the clock by hand counts too.
pub(crate) const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// Number of hexadecimal digits of a token: 128 bits.
const TOKEN_LENGTH: usize = 32;

/// Data of a consent URL, stored until it is used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Consent {
    pub(crate) user_id: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    /// Redirect target. `None` for the application's default.
    pub(crate) redirect_uri: Option<String>,
    /// Opaque value of the caller, returned unchanged in the redirect.
    pub(crate) state: Option<String>,
    /// The user's id at the provider, if the caller sent one.
    pub(crate) provider_user_id: Option<String>,
    /// Measured by [`Clock::link_time`](crate::clock::Clock::link_time).
    pub(crate) expires_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsentChoice {
    Allow,
    Refuse,
    /// The person agreed, but the provider failed.
    Fail,
}

impl ConsentChoice {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
            Self::Fail => "fail",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Allow, Self::Refuse, Self::Fail].into_iter().find(|choice| choice.name() == name)
    }

    /// Returns the error text for the application. The interface does not define the texts.
    const fn error_text(self) -> Option<&'static str> {
        match self {
            Self::Allow => None,
            Self::Refuse => Some("access denied"),
            Self::Fail => Some("provider unavailable"),
        }
    }
}

/// Returns the token of a page URL. The number makes it unique.
pub(crate) fn token(signing_key: &[u8], number: u64) -> String {
    crypto::hex(&crypto::digest(&[b"consent", signing_key, &number.to_be_bytes()])[..TOKEN_LENGTH / 2])
}

pub(crate) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the secret token of the page's form, against cross-site request forgery.
pub(crate) fn form_token(signing_key: &[u8], token: &str) -> String {
    crypto::hex(&crypto::digest(&[b"consent form", signing_key, token.as_bytes()])[..16])
}

impl Consent {
    pub(crate) fn redirect_url(&self, redirects: &RedirectSettings, choice: ConsentChoice) -> Option<Url> {
        // After consent, the provider knows its user even if the caller sent no id.
        let invented = || crypto::digest_uuid(&[b"account", self.slug.as_bytes(), self.user_id.as_bytes()]).to_string();
        let account = match (&self.provider_user_id, choice) {
            (Some(account), _) => account.clone(),
            (None, ConsentChoice::Allow) => invented(),
            (None, _) => String::new(),
        };
        let mut url = match &self.redirect_uri {
            Some(text) => Url::parse(text).ok()?,
            None => redirects.default_url(&self.user_id, &self.slug, &account)?,
        };
        url.query_pairs_mut().append_pair("user_id", &self.user_id).append_pair("provider_slug", &self.slug);
        if let Some(state) = &self.state {
            url.query_pairs_mut().append_pair("state", state);
        }
        if let Some(error) = choice.error_text() {
            url.query_pairs_mut().append_pair("error", error);
        }
        Some(url)
    }
}

#[cfg(test)]
mod tests;
