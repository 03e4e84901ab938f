//! The redirect that ends the consent flow: reads and checks the URL that the browser brings back to your `redirect_uri`.
//!
//! The URL passes through the user's browser and is not signed. Only the `state` links it to the flow that your application started. Give
//! each flow an unguessable state, keep it in the user's session, and pass it to [`ConsentRedirect::parse`].

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::{Error, ErrorKind};
use crate::open_sets::ProviderSlug;
use crate::value::Presence;

/// Outcome of the consent flow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The redirect carries no error: the provider is connected.
    Completed,
    /// The provider could not be connected.
    Failed(Failure),
}

/// Explanation of a failed integration.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// Returns the `error` parameter of the redirect. May be empty. Anybody can forge a URL, so escape the text before you show it.
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

/// A parsed redirect from the consent flow.
#[derive(Clone, PartialEq, Eq)]
pub struct ConsentRedirect {
    user_id: Option<String>,
    provider_slug: Option<ProviderSlug>,
    state: Option<String>,
    outcome: Outcome,
    extra: Vec<(String, String)>,
}

impl ConsentRedirect {
    /// Parses a redirect and checks its state.
    ///
    /// `url_or_query` is a whole URL of any scheme, a path with a query, or a query with or without the `?`. A fragment is ignored.
    ///
    /// `expected_state` is the state that the flow started with. It is compared in constant time. Pass `None` only if the flow had no
    /// state: a forged redirect is then accepted.
    ///
    /// Both `+` and `%20` decode to a space. A `%` that starts no escape is kept. A repeated parameter must have the same value each time,
    /// except for `error`, whose first value counts. An empty `user_id` or `provider_slug` counts as absent.
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
    /// * [`ErrorKind::Signature`] if the state is missing, occurs with different values, or is not the expected one.
    /// * [`ErrorKind::Decode`] if this is not a redirect of the consent flow, if a parameter has contradictory values, or if a value is not
    ///   UTF-8.
    /// * [`ErrorKind::InvalidArgument`] if `expected_state` is empty.
    pub fn parse(url_or_query: &str, expected_state: Option<&str>) -> Result<Self, Error> {
        if expected_state.is_some_and(str::is_empty) {
            return Err(Error::invalid_argument("expected_state", "must not be empty"));
        }
        let mut params = QueryParams::read(extract_query(url_or_query));
        if let Some(expected) = expected_state {
            // Check the state before reading anything else: a forged redirect must not cause other errors.
            params.state.check(expected)?;
        }
        let user_id = params.user_id.text("user_id must not occur with different values", "user_id must be UTF-8")?;
        let provider_slug =
            params.provider_slug.text("provider_slug must not occur with different values", "provider_slug must be UTF-8")?;
        let state = params.state.text("state must not occur with different values", "state must be UTF-8")?;
        // The text is only shown to people, so the first value counts, even if it is not UTF-8.
        let failure = params.error.values.drain(..).next();
        if user_id.is_none() && provider_slug.is_none() && state.is_none() && failure.is_none() {
            return Err(Error::with_reason(ErrorKind::Decode, "must be a redirect of the consent flow"));
        }
        Ok(Self {
            user_id: user_id.filter(|text| !text.is_empty()),
            provider_slug: provider_slug.filter(|text| !text.is_empty()).map(ProviderSlug::from),
            state,
            outcome: failure.map_or(Outcome::Completed, |text| Outcome::Failed(Failure(text))),
            extra: params.extra,
        })
    }

    /// Returns the service's id of the user. It is only as trustworthy as the state.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        self.user_id.as_deref()
    }

    /// Returns the provider that was connected, or that failed to connect.
    #[must_use]
    pub fn provider_slug(&self) -> Option<&ProviderSlug> {
        self.provider_slug.as_ref()
    }

    /// Returns the state parameter.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Returns the outcome of the flow.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns all other parameters in their order, repeated ones included: those of your own `redirect_uri`, and any that later versions
    /// of the service add.
    pub fn extra(&self) -> impl Iterator<Item = (&str, &str)> {
        self.extra.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Redacted: shows which parameters are present, no values.
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

/// The distinct values of one parameter, in order. Keeps at most two.
#[derive(Default)]
struct ParamValues {
    values: Vec<String>,
}

impl ParamValues {
    /// Adds a value. Two different values already make the parameter ambiguous, so later ones are dropped.
    fn add(&mut self, value: String) {
        if self.values.len() < 2 && self.values.first() != Some(&value) {
            self.values.push(value);
        }
    }

    fn check(&self, expected: &str) -> Result<(), Error> {
        let reason = match self.values.as_slice() {
            [] => "the redirect has no state",
            // Compare digests, so that the comparison time does not reveal the length of the expected state.
            [state] if bool::from(Sha256::digest(state).as_slice().ct_eq(Sha256::digest(expected).as_slice())) => return Ok(()),
            [_] => "the state of the redirect is not the expected one",
            _ => "the redirect has more than one state",
        };
        Err(Error::with_reason(ErrorKind::Signature, reason))
    }

    /// Takes the value. The decoder replaces invalid UTF-8 with U+FFFD, which could make two different ids equal, so such values are
    /// rejected.
    fn text(&mut self, ambiguous: &'static str, not_utf8: &'static str) -> Result<Option<String>, Error> {
        match self.values.as_slice() {
            [_, _, ..] => Err(Error::with_reason(ErrorKind::Decode, ambiguous)),
            [value] if value.contains(char::REPLACEMENT_CHARACTER) => Err(Error::with_reason(ErrorKind::Decode, not_utf8)),
            _ => Ok(self.values.pop()),
        }
    }
}

#[derive(Default)]
struct QueryParams {
    user_id: ParamValues,
    provider_slug: ParamValues,
    state: ParamValues,
    error: ParamValues,
    extra: Vec<(String, String)>,
}

impl QueryParams {
    fn read(query: &str) -> Self {
        let mut params = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.into_owned();
            match &*name {
                "user_id" => params.user_id.add(value),
                "provider_slug" => params.provider_slug.add(value),
                "state" => params.state.add(value),
                "error" => params.error.add(value),
                _ => params.extra.push((name.into_owned(), value)),
            }
        }
        params
    }
}

/// Returns the query of a URL or of a path, or the text itself if it is a bare query.
fn extract_query(text: &str) -> &str {
    let text = text.trim_ascii();
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    // A bare query has a `=` or `&` before any `?`. A URL begins with a scheme, a path with a slash.
    let first = text.find(['=', '&', '?']).map(|at| text.as_bytes()[at]);
    let is_query = !text.starts_with('/') && !has_scheme(text) && first != Some(b'?');
    if is_query { text } else { text.split_once('?').map_or("", |(_, query)| query) }
}

/// Whether the text begins with a scheme such as `https:` or `com.example.app:` (RFC 3986, section 3.1).
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()) && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}
