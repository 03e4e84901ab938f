//! Checks of credentials on this machine, before the first request.

use std::collections::HashMap;

use vitalwire::error::Error;
use vitalwire::signing::sign_user_id;
use zeroize::Zeroizing;

use super::{Credential, KeySource, UserCredentials};
use crate::error::CohortError;

/// Application keys by source.
pub(crate) type Keys = HashMap<KeySource, Zeroizing<Vec<u8>>>;

impl UserCredentials {
    /// Checks the credentials without a request: environment variables are set, key files can be read, and no two users have the same token.
    ///
    /// # Errors
    /// [`CohortError::Users`] for the first user with an invalid credential. It states the line of the file, but no token and no key.
    pub fn check(&self) -> Result<(), CohortError> {
        self.read_keys().map(drop)
    }

    /// Checks the credentials, and returns the application keys.
    pub(crate) fn read_keys(&self) -> Result<Keys, CohortError> {
        let mut tokens: HashMap<&str, Option<u64>> = HashMap::new();
        let mut keys = Keys::new();
        for user in self.ids.iter().filter_map(|id| self.users.get(id)) {
            match &user.credential {
                Credential::Token(token) => {
                    if let Some(reason) = token_problem(token) {
                        return Err(self.invalid(user.line, reason));
                    }
                    if let Some(first) = tokens.insert(token, user.line) {
                        let other = first.map_or_else(|| "another user".to_owned(), |line| format!("the user of line {line}"));
                        return Err(self.invalid(
                            user.line,
                            format!("the token must differ from the token of {other}; each user needs their own token"),
                        ));
                    }
                }
                Credential::Signature { .. } => {}
                Credential::Key { source, .. } => {
                    if !keys.contains_key(source) {
                        let invalid = |error: Error| self.invalid(user.line, describe(source, error.reason().unwrap_or_default()));
                        let key = source.read().map_err(invalid)?;
                        sign_user_id(&*key, "user").map_err(invalid)?;
                        keys.insert(source.clone(), key);
                    }
                }
            }
        }
        Ok(keys)
    }

    fn invalid(&self, line: Option<u64>, reason: impl Into<String>) -> CohortError {
        CohortError::Users { path: self.path.clone(), line, reason: reason.into() }
    }
}

/// Returns the rule that a token breaks.
fn token_problem(token: &Zeroizing<String>) -> Option<&'static str> {
    if token.is_empty() {
        return Some("the token must not be empty");
    }
    if token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")) {
        return Some("the token must not begin with `Bearer `; the client adds it");
    }
    token.contains(char::is_whitespace).then_some("the token must not contain white space")
}

/// Names the environment variable or the path of a key that cannot be read.
fn describe(source: &KeySource, reason: &str) -> String {
    let reason = if reason.starts_with("must ") { format!("the key {reason}") } else { reason.to_owned() };
    match source {
        KeySource::Environment(name) if is_variable_name(name) => format!("{reason} ({name})"),
        // Another text may be the key itself.
        KeySource::Environment(_) => reason,
        KeySource::File(path) => format!("{reason} ({})", path.display()),
    }
}

/// Whether a text is a usual name of a variable, and not a key that was entered in its place.
fn is_variable_name(text: &str) -> bool {
    text.len() <= 40
        && text.contains(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
        && text.chars().filter(char::is_ascii_digit).count() < 4
}
