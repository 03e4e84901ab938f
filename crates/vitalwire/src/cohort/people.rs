//! The users of a cohort.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use super::credential::{Credential, KeySource};
use super::error::CohortError;
use super::people_file;
use crate::error::Error;

/// Maximum length of a user id.
const MAX_ID_BYTES: usize = 128;

/// Users of a cohort with their credentials.
#[derive(Clone, Default)]
pub struct People {
    ids: Vec<String>,
    credentials: HashMap<String, Credential>,
}

impl People {
    /// Creates users from their ids and credentials.
    ///
    /// # Errors
    /// `invalid_argument` if an id is empty, longer than 128 bytes or not unique, or contains a control character.
    pub fn new(people: impl IntoIterator<Item = (impl Into<String>, Credential)>) -> Result<Self, Error> {
        let mut all = Self::default();
        for (id, credential) in people {
            all.add(id.into(), credential).map_err(|reason| Error::invalid_argument("people", reason))?;
        }
        Ok(all)
    }

    /// Creates users of an application. Its key signs their ids.
    ///
    /// # Errors
    /// The errors of [`People::new`].
    pub fn of_application(ids: impl IntoIterator<Item = impl Into<String>>, application_id: i64, key: KeySource) -> Result<Self, Error> {
        Self::new(ids.into_iter().map(|id| (id, Credential::Key { application_id, source: key.clone() })))
    }

    /// Reads users from a CSV file. Its header names the columns: `user`, and the columns of a credential.
    ///
    /// | columns | credential |
    /// |---|---|
    /// | `token` | access token |
    /// | `application_id`, `signature` | signature of the user id |
    /// | `application_id`, `key_env` | name of the environment variable with the application key |
    /// | `application_id`, `key_file` | path of the file with the application key |
    ///
    /// Other columns, a byte order mark and empty lines are ignored. Users can have different kinds of credentials.
    ///
    /// # Errors
    /// * [`CohortError::Io`] if the file cannot be read.
    /// * [`CohortError::People`] if the file is invalid. The error states the number of the line, but none of its text.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CohortError> {
        people_file::read(path.as_ref())
    }

    /// Returns the ids of the users, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// Number of users.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no users.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn credential(&self, id: &str) -> Option<&Credential> {
        self.credentials.get(id)
    }

    /// Adds a user, or returns the rule that its id breaks.
    pub(super) fn add(&mut self, id: String, credential: Credential) -> Result<(), &'static str> {
        if id.is_empty() || id.len() > MAX_ID_BYTES {
            return Err("the user id must have 1 to 128 bytes");
        }
        if id.chars().any(char::is_control) {
            return Err("the user id must not contain control characters");
        }
        if self.credentials.insert(id.clone(), credential).is_some() {
            return Err("the user id must be unique");
        }
        self.ids.push(id);
        Ok(())
    }
}

/// Shows only the number of users.
impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").field("len", &self.len()).finish_non_exhaustive()
    }
}
