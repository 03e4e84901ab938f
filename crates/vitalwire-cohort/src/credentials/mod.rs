//! Users of a cohort with their credentials.

mod check;
mod credential;
mod file;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use vitalwire::error::Error;

pub(crate) use self::check::Keys;
pub use self::credential::{Credential, KeySource};
use crate::error::CohortError;

/// Maximum length of a user id.
pub(crate) const MAX_ID_BYTES: usize = 128;

/// Error reason of a duplicate user.
const DUPLICATE_USER: &str = "the user id must be unique";

/// Users of a cohort with their credentials.
#[derive(Clone, Default)]
pub struct UserCredentials {
    ids: Vec<String>,
    users: HashMap<String, User>,
    /// The file that the users are from.
    path: Option<PathBuf>,
}

#[derive(Clone)]
struct User {
    credential: Credential,
    /// Line of the file, counted from 1.
    line: Option<u64>,
}

impl UserCredentials {
    /// Creates users from their ids and credentials.
    ///
    /// # Errors
    /// `invalid_argument` if an id is empty, longer than 128 bytes or not unique, or contains a control character.
    pub fn new(users: impl IntoIterator<Item = (impl Into<String>, Credential)>) -> Result<Self, Error> {
        let mut all = Self::default();
        for (id, credential) in users {
            all.add(id.into(), credential, None).map_err(|reason| Error::invalid_argument("users", reason))?;
        }
        Ok(all)
    }

    /// Creates users of an application. Its key signs their ids.
    ///
    /// # Errors
    /// The errors of [`UserCredentials::new`].
    pub fn from_application_key(
        ids: impl IntoIterator<Item = impl Into<String>>,
        application_id: i64,
        key: KeySource,
    ) -> Result<Self, Error> {
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
    /// * [`CohortError::Users`] if the file is invalid. The error states the number of the line, but none of its text.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CohortError> {
        file::read(path.as_ref())
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

    /// Whether there is a user with this id.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.users.contains_key(id)
    }

    /// Returns the credential of a user.
    #[must_use]
    pub fn credential(&self, id: &str) -> Option<&Credential> {
        self.users.get(id).map(|user| &user.credential)
    }

    /// Returns these users. Ids of other users are ignored.
    #[must_use]
    pub fn only<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Self {
        let kept: HashSet<&str> = ids.into_iter().collect();
        Self {
            ids: self.ids.iter().filter(|id| kept.contains(&***id)).cloned().collect(),
            users: self.users.iter().filter(|(id, _)| kept.contains(&***id)).map(|(id, user)| (id.clone(), user.clone())).collect(),
            path: self.path.clone(),
        }
    }

    /// Returns the number of users without an access token. Each needs a token exchange.
    pub(crate) fn token_exchanges<'a>(&self, users: impl IntoIterator<Item = &'a str>) -> u64 {
        let users: HashSet<&str> = users.into_iter().collect();
        let has_exchange = |user: &&str| self.credential(user).is_some_and(|credential| !matches!(credential, Credential::Token(_)));
        users.into_iter().filter(has_exchange).count() as u64
    }

    /// Adds a user, or returns the rule that its id breaks.
    fn add(&mut self, id: String, credential: Credential, line: Option<u64>) -> Result<(), &'static str> {
        if id.is_empty() || id.len() > MAX_ID_BYTES {
            return Err("the user id must have 1 to 128 bytes");
        }
        if id.chars().any(char::is_control) {
            return Err("the user id must not contain control characters");
        }
        if self.users.contains_key(&id) {
            return Err(DUPLICATE_USER);
        }
        self.users.insert(id.clone(), User { credential, line });
        self.ids.push(id);
        Ok(())
    }
}

/// Shows only the number of users.
impl fmt::Debug for UserCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserCredentials").field("len", &self.len()).finish_non_exhaustive()
    }
}
