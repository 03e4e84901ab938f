//! The end of the consent flow: what the browser brings back to the `redirect_uri`.
//!
//! The return is a plain URL in the user's hands: nothing in it is signed. The `state` alone ties it to the flow that your
//! application began, so give each flow a state that cannot be guessed, keep it with the user's session, and name it here.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::{Error, ErrorKind};
use crate::open_sets::ProviderSlug;
use crate::value::Presence;

/// How the flow ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// No error came back: the provider is integrated.
    Completed,
    /// The integration failed.
    Failed(Failure),
}

/// Why an integration failed.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// The text that came back as `error`, perhaps empty. Anybody can write a URL: escape the text before showing it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Redacted: the text may name a person or an account.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Failure(..)")
    }
}

/// What came back from the consent flow.
#[derive(Clone, PartialEq, Eq)]
pub struct ConsentRedirect {
    user_id: Option<String>,
    provider_slug: Option<ProviderSlug>,
    state: Option<String>,
    outcome: Outcome,
    extra: Vec<(String, String)>,
}

impl ConsentRedirect {
    /// Reads a return out of a whole URL (of any scheme), a path with its query, or a query with or without its `?`. A fragment is
    /// left out.
    ///
    /// `expected_state` is the state that the flow began with; it is compared in constant time. Pass `None` only where the flow
    /// began without one: then nothing tells a genuine return from one that somebody made up.
    ///
    /// `+` and `%20` are both a space; a `%` that begins no escape stands for itself. A parameter that comes twice is taken if
    /// both times say the same; of several `error`s the first counts. An empty `user_id` or `provider_slug` counts as absent.
    ///
    /// ```
    /// use vitalwire::consent::{Outcome, ConsentRedirect};
    ///
    /// # fn main() -> Result<(), vitalwire::Error> {
    /// let back = ConsentRedirect::parse("https://app.example.org/connected?user_id=u-1&provider_slug=garmin&state=k3Vt9", Some("k3Vt9"))?;
    /// assert_eq!(back.user_id(), Some("u-1"));
    /// match back.outcome() {
    ///     Outcome::Completed => println!("connected"),
    ///     Outcome::Failed(failure) => println!("not connected, {} characters of explanation", failure.text().len()),
    ///     _ => {}
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Signature`] where the state is missing, ambiguous, or another than the expected one; [`ErrorKind::Decode`]
    /// where it is no return of the consent flow, two values of a parameter contradict each other, or one is no UTF-8;
    /// [`ErrorKind::InvalidArgument`] for an expected state that is empty.
    pub fn parse(url_or_query: &str, expected_state: Option<&str>) -> Result<Self, Error> {
        if expected_state.is_some_and(str::is_empty) {
            return Err(Error::invalid_argument("expected_state", "an empty state protects nothing"));
        }
        let mut given = Given::read(query_of(url_or_query));
        if let Some(expected) = expected_state {
            // First of all: of a return that is not ours nothing is read.
            given.state.check(expected)?;
        }
        let user_id = given.user_id.text("user_id is there twice with different values", "user_id is not UTF-8")?;
        let provider_slug = given.provider_slug.text("provider_slug is there twice with different values", "provider_slug is not UTF-8")?;
        let state = given.state.text("state is there twice with different values", "state is not UTF-8")?;
        // The text of a failure is shown to people at most: the first one counts, whatever is in it.
        let failure = given.error.values.drain(..).next();
        if user_id.is_none() && provider_slug.is_none() && state.is_none() && failure.is_none() {
            return Err(Error::with_reason(ErrorKind::Decode, "not a return URL of the consent flow"));
        }
        Ok(Self {
            user_id: user_id.filter(|text| !text.is_empty()),
            provider_slug: provider_slug.filter(|text| !text.is_empty()).map(ProviderSlug::from),
            state,
            outcome: failure.map_or(Outcome::Completed, |text| Outcome::Failed(Failure(text))),
            extra: given.extra,
        })
    }

    /// The service's id of the user, as it came. It is as trustworthy as the state.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        self.user_id.as_deref()
    }

    /// The provider.
    #[must_use]
    pub fn provider_slug(&self) -> Option<&ProviderSlug> {
        self.provider_slug.as_ref()
    }

    /// The state that came back.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// How the flow ended.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// All other parameters, in their order, repeated ones too: those of your own `redirect_uri`, and what later versions add.
    pub fn extra(&self) -> impl Iterator<Item = (&str, &str)> {
        self.extra.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Shows the shape, no values.
impl fmt::Debug for ConsentRedirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentRedirect")
            .field("user_id", &Presence(self.user_id.is_some()))
            .field("provider_slug", &Presence(self.provider_slug.is_some()))
            .field("state", &Presence(self.state.is_some()))
            .field("outcome", &self.outcome)
            .field("extra", &format_args!("{} parameters", self.extra.len()))
            .finish()
    }
}

/// The values of one parameter, in their order, without repetitions of the first.
#[derive(Default)]
struct Values {
    values: Vec<String>,
}

impl Values {
    /// Two different values say all there is to say: no more are kept.
    fn add(&mut self, value: String) {
        if self.values.len() < 2 && self.values.first() != Some(&value) {
            self.values.push(value);
        }
    }

    fn check(&self, expected: &str) -> Result<(), Error> {
        let reason = match self.values.as_slice() {
            [] => "the return has no state",
            // Digests are compared, so that the time does not tell the expected state's length either.
            [given] if bool::from(Sha256::digest(given).as_slice().ct_eq(Sha256::digest(expected).as_slice())) => return Ok(()),
            [_] => "the return's state is not the expected one",
            _ => "the return has more than one state",
        };
        Err(Error::with_reason(ErrorKind::Signature, reason))
    }

    /// The one value. The decoder puts U+FFFD where bytes are no UTF-8: two ids that differ there would become one, so they are refused.
    fn text(&mut self, twice: &'static str, odd: &'static str) -> Result<Option<String>, Error> {
        match self.values.as_slice() {
            [_, _, ..] => Err(Error::with_reason(ErrorKind::Decode, twice)),
            [value] if value.contains(char::REPLACEMENT_CHARACTER) => Err(Error::with_reason(ErrorKind::Decode, odd)),
            _ => Ok(self.values.pop()),
        }
    }
}

/// A query, sorted into its parameters.
#[derive(Default)]
struct Given {
    user_id: Values,
    provider_slug: Values,
    state: Values,
    error: Values,
    extra: Vec<(String, String)>,
}

impl Given {
    fn read(query: &str) -> Self {
        let mut given = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.into_owned();
            match &*name {
                "user_id" => given.user_id.add(value),
                "provider_slug" => given.provider_slug.add(value),
                "state" => given.state.add(value),
                "error" => given.error.add(value),
                _ => given.extra.push((name.into_owned(), value)),
            }
        }
        given
    }
}

/// The query in a URL, in a path with a query, or in a query alone.
fn query_of(text: &str) -> &str {
    let text = text.trim_ascii();
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    // A query alone has a `=` or `&` before any `?`, which may stand in its values; an address begins with a scheme or a slash.
    let first = text.find(['=', '&', '?']).map(|at| text.as_bytes()[at]);
    let alone = !text.starts_with('/') && !has_scheme(text) && first != Some(b'?');
    if alone { text } else { text.split_once('?').map_or("", |(_, query)| query) }
}

/// Whether a text begins like `https:` or `com.example.app:` (RFC 3986, 3.1).
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()) && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}
