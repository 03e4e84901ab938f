//! Reading of work items.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream::{self, Stream, StreamExt};
use zeroize::Zeroizing;

use super::budget::Budget;
use super::failure::UserFailure;
use super::people::People;
use super::plan::WorkItem;
use super::pseudonym::PseudonymKey;
use super::{USER, user_calls};
use crate::client::{CallOptions, Client, ClientBuilder};
use crate::error::{Error, ErrorKind};
use crate::table::Table;

/// Maximum number of retries of a call.
const MAX_RETRIES: u32 = 5;

/// Number of consecutive users without a response after which the service counts as unreachable.
const OUTAGE: usize = 20;

/// Reads the work items of a cohort. Clones share connections, tokens and the budget.
#[derive(Clone)]
pub struct CohortReader(Arc<Inner>);

struct Inner {
    client: Client,
    people: People,
    budget: Budget,
    pseudonyms: Option<PseudonymKey>,
    /// Access tokens of the users of the last item.
    tokens: Mutex<HashMap<String, Zeroizing<String>>>,
    /// Number of consecutive users without a response.
    unanswered: AtomicUsize,
}

/// The rows of a user.
#[derive(Clone, Debug)]
pub struct UserRows {
    /// The user, as in the column `user`.
    pub user: String,
    /// The rows, or the failure.
    pub rows: Result<Table, UserFailure>,
}

/// The rows of a work item.
#[derive(Clone, Debug)]
pub struct ItemRows {
    /// Rows of all users who did not fail, in the order of the users.
    pub table: Table,
    /// Users whose rows could not be read.
    pub failures: Vec<UserFailure>,
}

impl CohortReader {
    /// Creates a reader. The builder must have a base URL and needs no token. The budget sets its maximum number of connections.
    ///
    /// # Errors
    /// `configuration` if a setting of the builder is invalid.
    pub fn new(builder: ClientBuilder, people: People, budget: Budget) -> Result<Self, Error> {
        let mut builder = builder.max_connections(budget.requests_in_flight());
        if let Some(rate) = budget.requests_per_second() {
            builder = builder.max_requests_per_second(rate);
        }
        let inner =
            Inner { client: builder.build()?, people, budget, pseudonyms: None, tokens: Mutex::default(), unanswered: AtomicUsize::new(0) };
        Ok(Self(Arc::new(inner)))
    }

    /// Replaces user ids in rows and failures with pseudonyms.
    #[must_use]
    pub fn with_pseudonyms(self, key: PseudonymKey) -> Self {
        let Inner { client, people, budget, .. } = &*self.0;
        Self(Arc::new(Inner {
            client: client.clone(),
            people: people.clone(),
            budget: *budget,
            pseudonyms: Some(key),
            tokens: Mutex::default(),
            unanswered: AtomicUsize::new(0),
        }))
    }

    /// Returns the users.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.0.people
    }

    /// Whether pseudonyms replace user ids.
    #[must_use]
    pub fn has_pseudonyms(&self) -> bool {
        self.0.pseudonyms.is_some()
    }

    /// Returns the user id, or the pseudonym that replaces it.
    #[must_use]
    pub fn shown_id(&self, user: &str) -> String {
        self.0.pseudonyms.as_ref().map_or_else(|| user.to_owned(), |key| key.pseudonym(user))
    }

    /// Reads an item. The stream returns the rows of each user, in order, without the column `user`. Several users are requested at a time.
    ///
    /// The stream ends with an error if an argument is invalid, the base URL is missing, or 20 consecutive users got no response.
    pub fn read(&self, item: &WorkItem) -> impl Stream<Item = Result<UserRows, Error>> + Send + use<> {
        self.keep_tokens_of(item);
        let item = Arc::new(item.clone());
        let users: Vec<String> = item.users.clone();
        let inner = Arc::clone(&self.0);
        let shown = self.clone();
        let in_flight = inner.budget.requests_in_flight();
        stream::iter(users)
            .map(move |user| {
                let (inner, item, shown) = (Arc::clone(&inner), Arc::clone(&item), shown.shown_id(&user));
                async move {
                    let read = inner.read_user(&user, &item).await;
                    let is_outage = inner.record_outcome(read.as_ref().err());
                    match read {
                        Ok(table) => Ok(UserRows { user: shown, rows: Ok(table) }),
                        Err(error) if is_outage || is_fatal(&error) => Err(error),
                        Err(error) => {
                            let failure = UserFailure::new(shown.clone(), item.table, [item.from, item.to], &error);
                            Ok(UserRows { user: shown, rows: Err(failure) })
                        }
                    }
                }
            })
            .buffered(in_flight)
    }

    /// Reads the rows of all users of an item into one table, with the column `user` in front.
    ///
    /// # Errors
    /// The errors that end [`CohortReader::read`]; `decode` if the rows exceed memory limits.
    pub async fn read_all(&self, item: &WorkItem) -> Result<ItemRows, Error> {
        let mut rows = std::pin::pin!(self.read(item));
        let mut all: Option<Table> = None;
        let mut failures = Vec::new();
        while let Some(user) = rows.next().await {
            let UserRows { user, rows } = user?;
            match rows {
                Ok(table) => {
                    let table = table.with_key(USER, &user)?;
                    match &mut all {
                        Some(all) => all.append(table)?,
                        None => all = Some(table),
                    }
                }
                Err(failure) => failures.push(failure),
            }
        }
        let none = || item.table.empty()?.with_key(USER, "");
        Ok(ItemRows { table: all.map_or_else(none, Ok)?, failures })
    }

    /// Forgets the tokens of users who are not in the item, so that memory does not grow with the number of users.
    fn keep_tokens_of(&self, item: &WorkItem) {
        let mut tokens = self.0.tokens();
        if tokens.len() > item.users.len() {
            tokens.retain(|user, _| item.users.contains(user));
        }
    }
}

/// Whether an error would occur for every user.
fn is_fatal(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Configuration => true,
        ErrorKind::InvalidArgument => !matches!(error.argument(), Some("token" | "key" | "user_id" | "application_user_id" | "people")),
        ErrorKind::Cancelled | ErrorKind::Closed => true,
        _ => false,
    }
}

impl Inner {
    async fn read_user(&self, user: &str, item: &WorkItem) -> Result<Table, Error> {
        let token = self.token(user).await?;
        match self.read_with(&token, item).await {
            // An exchanged token may have expired, so exchange a new one. A fixed token stays rejected.
            Err(error) if error.kind() == ErrorKind::Authentication && self.forget_token(user) => {
                let token = self.token(user).await?;
                self.read_with(&token, item).await
            }
            read => read,
        }
    }

    async fn read_with(&self, token: &str, item: &WorkItem) -> Result<Table, Error> {
        user_calls::read_table(&self.client, item, CallOptions::new().token(token).max_retries(MAX_RETRIES)).await
    }

    async fn token(&self, user: &str) -> Result<Zeroizing<String>, Error> {
        let unknown = || Error::invalid_argument("people", "must contain every user of the item");
        let credential = self.people.credential(user).ok_or_else(unknown)?;
        if let super::Credential::Token(token) = credential {
            return Ok(token.clone());
        }
        if let Some(token) = self.tokens().get(user) {
            return Ok(token.clone());
        }
        let Some((application_id, signature)) = credential.signature(user)? else { return Err(unknown()) };
        let call = self.client.tokens().exchange(application_id, user, signature.as_str());
        let token = Zeroizing::new(call.max_retries(MAX_RETRIES).await?.into_inner().access_token);
        self.tokens().insert(user.to_owned(), token.clone());
        Ok(token)
    }

    /// Forgets an exchanged token. Returns whether there was one.
    fn forget_token(&self, user: &str) -> bool {
        self.tokens().remove(user).is_some()
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, Zeroizing<String>>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts consecutive users without a response. Returns whether the service counts as unreachable.
    fn record_outcome(&self, error: Option<&Error>) -> bool {
        let is_unanswered =
            error.is_some_and(|error| matches!(error.kind(), ErrorKind::Transport | ErrorKind::Timeout) && error.status().is_none());
        if !is_unanswered {
            self.unanswered.store(0, Ordering::Relaxed);
        }
        is_unanswered && self.unanswered.fetch_add(1, Ordering::Relaxed) + 1 >= OUTAGE
    }
}

/// Redacted: shows no users.
impl fmt::Debug for CohortReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CohortReader").field("people", &self.0.people).field("budget", &self.0.budget).finish_non_exhaustive()
    }
}
