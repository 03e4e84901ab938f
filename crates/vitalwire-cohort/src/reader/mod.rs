//! Reading of work items.

mod service;
mod tokens;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use vitalwire::client::{CallOptions, Client, ClientBuilder};
use vitalwire::error::{Error, ErrorKind};
use vitalwire::table::Table;
use vitalwire::value::Date;

use self::tokens::Tokens;
use crate::CohortTable;
use crate::RecordKey;
use crate::USER;
use crate::credentials::UserCredentials;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::plan::WorkItem;
use crate::pseudonym::PseudonymKey;
#[cfg(feature = "dataset")]
use crate::pseudonym::PseudonymRule;
use crate::rate_limits::RateLimits;
use crate::states::SyncStates;
use vitalwire_sync::UserTable;
use vitalwire_sync::internal::RecordColumns;
use vitalwire_sync::internal::day_number;
use vitalwire_sync::internal::{SLEEPS_AT_A_TIME, TableRequest, read_tables};

/// Maximum number of retries of a call.
const MAX_RETRIES: u32 = 5;

/// Number of consecutive users without a response after which the service counts as unreachable.
const OUTAGE: usize = 20;

/// Reads the work items of a cohort. Clones share connections, tokens and rate limits.
#[derive(Clone)]
pub struct CohortReader(Arc<Inner>);

struct Inner {
    client: Client,
    credentials: UserCredentials,
    limits: RateLimits,
    pseudonyms: Option<PseudonymKey>,
    /// Name that replaces the base URL in datasets and states.
    service_name: Option<String>,
    tokens: Arc<Tokens>,
    /// Number of consecutive users without a response.
    unanswered: AtomicUsize,
    last_sleeps: Arc<Mutex<LastSleeps>>,
}

/// Last day and last sleeps of the items that were returned last, by user and table.
type LastSleeps = HashMap<(String, CohortTable), (Date, HashSet<RecordKey>)>;

/// The rows of a user, for each item that was read together.
#[derive(Clone, Debug)]
pub struct UserRows {
    /// Id of the user.
    pub id: String,
    /// The user, as in the column `user`: the id or a pseudonym.
    pub user: String,
    /// The rows of each item, or its failure.
    pub rows: Result<Vec<UserTable>, Vec<Failure>>,
}

/// The rows of a work item.
#[derive(Clone, Debug)]
pub struct ItemRows {
    /// Rows of all users who did not fail, in the order of the users. Has all columns.
    pub table: Table,
    /// Users whose rows could not be read.
    pub failures: Vec<Failure>,
}

/// The rows of a work item, and what has changed since the states were updated last.
#[derive(Clone, Debug)]
pub struct ItemChanges {
    /// Rows of all users who did not fail, changed or not.
    pub rows: ItemRows,
    /// Records that the service no longer returns, with their users as in the column `user`.
    pub removed: Vec<(String, RecordKey)>,
}

impl CohortReader {
    /// Creates a reader. The builder must have a base URL and needs no token. The limits set its maximum number of connections.
    ///
    /// # Errors
    /// * `configuration` if a setting of the builder is invalid.
    /// * [`CohortError::Users`] if a credential is invalid, such as an environment variable that is not set. See
    ///   [`UserCredentials::check`].
    pub fn new(builder: ClientBuilder, credentials: UserCredentials, limits: RateLimits) -> Result<Self, CohortError> {
        let mut builder = builder.max_connections(limits.requests_in_flight());
        if let Some(rate) = limits.requests_per_second() {
            builder = builder.max_requests_per_second(rate);
        }
        let tokens = Arc::new(Tokens::new(credentials.read_keys()?));
        let client = builder.build()?;
        let unanswered = AtomicUsize::new(0);
        let last_sleeps = Arc::default();
        Ok(Self(Arc::new(Inner { client, credentials, limits, pseudonyms: None, service_name: None, tokens, unanswered, last_sleeps })))
    }

    /// Replaces the ids of users and records in rows and failures with pseudonyms. Leaves out places and free text, unless the key keeps
    /// them.
    #[must_use]
    pub fn with_pseudonyms(self, key: PseudonymKey) -> Self {
        self.with(|inner| inner.pseudonyms = Some(key))
    }

    /// Sets the name of the service in datasets and states, for a service whose base URL changes. Defaults to the base URL.
    #[must_use]
    pub fn with_service_name(self, name: impl Into<String>) -> Self {
        self.with(|inner| inner.service_name = Some(name.into()))
    }

    fn with(self, change: impl FnOnce(&mut Inner)) -> Self {
        let Inner { client, credentials, limits, pseudonyms, service_name, tokens, .. } = &*self.0;
        let mut inner = Inner {
            client: client.clone(),
            credentials: credentials.clone(),
            limits: *limits,
            pseudonyms: pseudonyms.clone(),
            service_name: service_name.clone(),
            tokens: Arc::clone(tokens),
            unanswered: AtomicUsize::new(0),
            last_sleeps: Arc::default(),
        };
        change(&mut inner);
        Self(Arc::new(inner))
    }

    /// Returns the users.
    #[must_use]
    pub fn credentials(&self) -> &UserCredentials {
        &self.0.credentials
    }

    /// Returns the rate limits.
    #[must_use]
    pub fn limits(&self) -> RateLimits {
        self.0.limits
    }

    /// Whether pseudonyms replace ids.
    #[must_use]
    pub fn has_pseudonyms(&self) -> bool {
        self.0.pseudonyms.is_some()
    }

    #[cfg(feature = "dataset")]
    pub(crate) fn client(&self) -> &Client {
        &self.0.client
    }

    /// Returns the name of the service, if the caller has set one.
    #[cfg(feature = "dataset")]
    pub(crate) fn service_setting(&self) -> Option<&str> {
        self.0.service_name.as_deref()
    }

    /// Returns the options of a user's calls, with a token. Exchanges a signature for the token if necessary.
    #[cfg(feature = "dataset")]
    pub(crate) async fn call_options(&self, user: &str) -> Result<CallOptions, Error> {
        let token = self.0.tokens.get(&self.0.client, &self.0.credentials, user).await?;
        Ok(CallOptions::new().token(&token).max_retries(MAX_RETRIES))
    }

    /// Forgets the exchanged token of a user, which the service has rejected. Returns whether the user had an exchanged token.
    #[cfg(feature = "dataset")]
    pub(crate) fn forget_token(&self, user: &str) -> bool {
        self.0.tokens.forget(&self.0.credentials, user)
    }

    /// Counts consecutive users without a response. Returns whether their number shows that the service cannot be reached.
    #[cfg(feature = "dataset")]
    pub(crate) fn record_outcome(&self, error: Option<&Error>) -> bool {
        self.0.record_outcome(error)
    }

    #[cfg(feature = "dataset")]
    pub(crate) fn pseudonym_rule(&self) -> PseudonymRule {
        self.0.pseudonyms.as_ref().map(PseudonymKey::rule).unwrap_or_default()
    }

    /// Returns the user id, or the pseudonym that replaces it.
    #[must_use]
    pub fn shown_id(&self, user: &str) -> String {
        self.0.pseudonyms.as_ref().map_or_else(|| user.to_owned(), |key| key.pseudonym(user))
    }

    /// Reads items that share requests: one item, or sleeps and their stages. See
    /// [`Plan::items_with_shared_requests`](crate::Plan::items_with_shared_requests).
    ///
    /// The stream returns the rows of each user without the column `user`, in the order of completion. Several users are requested at a time,
    /// so a slow one does not hold up the others. It ends with an error if an argument is invalid, the base URL is missing, or 20 consecutive users got no response.
    pub fn read(&self, items: &[WorkItem]) -> impl Stream<Item = Result<UserRows, Error>> + Send + use<> {
        let items: Arc<[WorkItem]> = items.into();
        let users: Vec<String> = items.first().map(|item| item.users.clone()).unwrap_or_default();
        let users_at_a_time = match items.first() {
            Some(item) if item.table.requests_sleeps() => self.0.limits.requests_in_flight().div_ceil(SLEEPS_AT_A_TIME),
            _ => self.0.limits.requests_in_flight(),
        };
        let reader = self.clone();
        stream::iter(users)
            .map(move |user| {
                let (reader, items) = (reader.clone(), Arc::clone(&items));
                async move { reader.read_user(user, &items).await }
            })
            .buffer_unordered(users_at_a_time)
    }

    async fn read_user(&self, id: String, items: &[WorkItem]) -> Result<UserRows, Error> {
        let read = self.0.read_user(&id, items).await;
        let is_outage = self.0.record_outcome(read.as_ref().err());
        let user = self.shown_id(&id);
        let rows = match read {
            Ok(tables) => Ok(tables),
            Err(error) if is_outage || is_fatal(&error) => return Err(error),
            Err(error) => {
                let failure = |item: &WorkItem| Failure::new(user.clone(), item.table, [item.first, item.last], &error);
                Err(items.iter().map(failure).collect())
            }
        };
        Ok(UserRows { id, user, rows })
    }

    /// Reads items that share requests, and returns the rows of each. A sleep that is listed on the last day of an item and on the first
    /// day of the next one is only in the first.
    ///
    /// # Errors
    /// The errors that end [`CohortReader::read`]; `decode` if the rows exceed memory limits.
    pub async fn read_all(&self, items: &[WorkItem]) -> Result<Vec<ItemRows>, Error> {
        let mut all = ItemRows::empty(items)?;
        for user in self.read_ordered(items).await? {
            self.append(&mut all, items, user)?;
        }
        Ok(all)
    }

    fn append(&self, all: &mut [ItemRows], items: &[WorkItem], user: UserRows) -> Result<(), Error> {
        match user.rows {
            Ok(tables) => {
                for ((all, item), table) in all.iter_mut().zip(items).zip(tables) {
                    all.failures.extend(item.failure(&user.user, &table).filter(|_| table.left_out > 0));
                    let rows =
                        if item.table.requests_sleeps() { self.without_last_sleeps(&user.id, item, table.rows)? } else { table.rows };
                    all.table.append(rows.with_key(USER, &user.user)?)?;
                }
            }
            Err(failures) => all.iter_mut().zip(failures).for_each(|(item, failure)| item.failures.push(failure)),
        }
        Ok(())
    }

    /// Returns the rows of an item, except sleeps that the previous item has already returned.
    fn without_last_sleeps(&self, user: &str, item: &WorkItem, rows: Table) -> Result<Table, Error> {
        let columns = RecordColumns::new(item.table, &rows);
        let mut last = self.0.last_sleeps.lock().unwrap_or_else(PoisonError::into_inner);
        let before = last.remove(&(user.to_owned(), item.table)).filter(|(day, _)| day.plus_days(1) == Some(item.first));
        let kept: Vec<usize> =
            (0..rows.len()).filter(|row| before.as_ref().is_none_or(|(_, keys)| !keys.contains(&columns.key(*row)))).collect();
        let margin = i32::try_from(item.table.filter_margin_days()).unwrap_or_default();
        let end = day_number(item.last).saturating_sub(margin);
        let is_last = |row: &usize| columns.day(*row).is_none_or(|day| day >= end);
        let keys = (0..rows.len()).filter(is_last).map(|row| columns.key(row)).collect();
        last.insert((user.to_owned(), item.table), (item.last, keys));
        if kept.len() == rows.len() { Ok(rows) } else { rows.take(&kept) }
    }

    /// Reads items, and returns what was read in the order of the users.
    async fn read_ordered(&self, items: &[WorkItem]) -> Result<Vec<UserRows>, Error> {
        let ids = items.first().map(|item| item.users.iter().enumerate());
        let positions: HashMap<&str, usize> = ids.into_iter().flatten().map(|(at, id)| (&**id, at)).collect();
        let mut all: Vec<UserRows> = self.read(items).try_collect().await?;
        all.sort_by_key(|user| positions.get(&*user.id).copied());
        Ok(all)
    }

    /// Reads items that share requests, and compares the rows of each user with the states of earlier responses. Updates the
    /// states, and records failures in them.
    ///
    /// # Errors
    /// * The errors of [`CohortReader::read_all`].
    /// * `invalid_argument` if the states belong to another service.
    pub async fn read_changes(&self, items: &[WorkItem], states: &mut SyncStates, lookback_days: u32) -> Result<Vec<ItemChanges>, Error> {
        let mut all = ItemRows::empty(items)?;
        let mut removed: Vec<Vec<(String, RecordKey)>> = items.iter().map(|_| Vec::new()).collect();
        let service_time = self.service_time().await?;
        states.bind(&self.service_name())?;
        for mut user in self.read_ordered(items).await? {
            for (at, (item, removed)) in items.iter().zip(&mut removed).enumerate() {
                let state = states.entry(&user.id, item.table);
                let table = user.rows.as_mut().ok().and_then(|tables| tables.get_mut(at));
                let table = table.map(|table| {
                    // Records that the states do not have never were sleeps.
                    table.not_found.retain(|record| state.has_record(&record.id));
                    &*table
                });
                match table {
                    Some(UserTable { rows, left_out: 0, left_out_values: 0, not_found }) if not_found.is_empty() => {
                        let update = state.update(item.table, item.days(), rows, lookback_days, service_time);
                        removed.extend(update.removed.into_iter().map(|key| (user.user.clone(), key)));
                    }
                    // A record that was left out, or that the statistics still list, is not removed.
                    _ => state.record_failure(item.days()),
                }
            }
            for ((all, item), table) in all.iter_mut().zip(items).zip(user.rows.iter_mut().flatten()) {
                // Rows without some of their values must not replace earlier ones.
                if table.left_out_values > 0 {
                    all.failures.extend(item.failure(&user.user, table));
                    *table = UserTable { rows: table.rows.take(&[])?, left_out: 0, left_out_values: 0, not_found: Vec::new() };
                }
                all.failures.extend(item.not_found_failure(&user.user, &table.not_found));
            }
            self.append(&mut all, items, user)?;
        }
        Ok(all.into_iter().zip(removed).map(|(rows, removed)| ItemChanges { rows, removed }).collect())
    }
}

impl ItemRows {
    fn empty(items: &[WorkItem]) -> Result<Vec<Self>, Error> {
        items.iter().map(|item| Ok(Self { table: item.table.empty()?, failures: Vec::new() })).collect()
    }
}

/// Whether an error would occur for every user.
fn is_fatal(error: &Error) -> bool {
    // An invalid argument can come from the service: the id of a sleep.
    matches!(error.kind(), ErrorKind::Configuration | ErrorKind::Cancelled | ErrorKind::Closed)
}

impl Inner {
    async fn read_user(&self, user: &str, items: &[WorkItem]) -> Result<Vec<UserTable>, Error> {
        let Some(first) = items.first() else { return Ok(Vec::new()) };
        let kinds: Vec<CohortTable> = items.iter().map(|item| item.table).collect();
        let request = TableRequest { kinds: &kinds, days: first.days(), statistics: &first.statistics };
        let tables = self.with_token(user, |options| read_tables(&self.client, request, options)).await?;
        let Some(key) = &self.pseudonyms else { return Ok(tables) };
        let replace = |(item, table): (&WorkItem, UserTable)| {
            let not_found = table.not_found.iter().flat_map(|record| key.not_found_records(item.table, record)).collect();
            Ok(UserTable { rows: key.apply(item.table, table.rows)?, not_found, ..table })
        };
        items.iter().zip(tables).map(replace).collect()
    }

    /// Runs calls with a user's token. If the service rejects an exchanged token, it may have expired: runs the calls again with a new one.
    async fn with_token<T, F>(&self, user: &str, call: impl Fn(CallOptions) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let options = |token: &str| CallOptions::new().token(token).max_retries(MAX_RETRIES);
        let token = self.tokens.get(&self.client, &self.credentials, user).await?;
        match call(options(&token)).await {
            Err(error) if error.kind() == ErrorKind::Authentication && self.tokens.forget(&self.credentials, user) => {
                let token = self.tokens.get(&self.client, &self.credentials, user).await?;
                call(options(&token)).await
            }
            read => read,
        }
    }

    /// Counts consecutive users without a response. Returns whether their number shows that the service cannot be reached.
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
        f.debug_struct("CohortReader").field("credentials", &self.0.credentials).field("limits", &self.0.limits).finish_non_exhaustive()
    }
}
