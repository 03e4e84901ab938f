//! The builder of a sync.

use std::fmt;

use vitalwire::client::{CallOptions, Client};
use vitalwire::error::Error;
use vitalwire::value::Date;

use crate::clock::latest_time;
use crate::copy_state::{Binding, CopyState};
use crate::defaults::{LOOKBACK_DAYS, MAX_LOOKBACK_DAYS};
use crate::error::SyncError;
use crate::event::SyncEvent;
use crate::generated::RecordKind;
use crate::key::SyncKey;
use crate::mistakes::{Mistake, is_planted};
use crate::plan::{DueDays, PlannedDays, SyncPlan, check_first, default_first, groups, newest_first};
use crate::run::{SyncRun, SyncSettings, SyncStream};

/// Adds [`sync`](Self::sync) to [`Client`].
pub trait SyncClient {
    /// Creates a sync of the user's records of these kinds. It returns the changes since the state of the last sync. The [crate](crate) has
    /// the rules.
    fn sync(&self, kinds: impl IntoIterator<Item = RecordKind>, key: SyncKey) -> SyncCall;
}

impl SyncClient for Client {
    fn sync(&self, kinds: impl IntoIterator<Item = RecordKind>, key: SyncKey) -> SyncCall {
        let mut kinds: Vec<RecordKind> = kinds.into_iter().collect();
        kinds.sort_unstable();
        kinds.dedup();
        let settings = SyncSettings {
            client: self.clone(),
            kinds,
            look_back: LOOKBACK_DAYS,
            options: CallOptions::new(),
            checks_account: true,
            expected_account: None,
            has_default_first: false,
        };
        SyncCall { settings, key, state: None, first: None, events: Vec::new(), service_name: None }
    }
}

/// A sync of one user, made by [`SyncClient::sync`]. Set options, then [start](Self::start) it.
#[must_use = "no request is sent before the sync is started and its stream is read"]
#[derive(Clone)]
pub struct SyncCall {
    settings: SyncSettings,
    key: SyncKey,
    state: Option<Vec<u8>>,
    first: Option<Date>,
    events: Vec<SyncEvent>,
    service_name: Option<String>,
}

impl SyncCall {
    /// Sets the state of the last sync. Defaults to none, which makes this a first sync.
    pub fn state(mut self, state: impl Into<Vec<u8>>) -> Self {
        self.state = Some(state.into());
        self
    }

    /// Sets the state of the last sync, if there is one.
    pub fn state_or_first(mut self, state: Option<impl Into<Vec<u8>>>) -> Self {
        self.state = state.map(Into::into);
        self
    }

    /// Sets the first day of the copy. If it is before that of the last sync, the sync adds the days in between. If it is later, it has no
    /// effect, so that no due day is skipped. Defaults to that of the last sync. For a first sync, the copy begins with the last 365 days,
    /// today included. If the day of a first sync is later than tomorrow in UTC, the first part fails with `invalid_argument`.
    pub fn from(mut self, day: Date) -> Self {
        self.first = Some(day);
        self
    }

    /// Sets the look-back: the number of days up to the last requested day that are requested again, because providers deliver late and
    /// correct values. Records of these days are compared one by one. Must be from 1 to 3,660. Defaults to 7.
    pub fn look_back(mut self, days: u32) -> Self {
        self.settings.look_back = days;
        self
    }

    /// Adds the days of a webhook's event to the requested days. If the sync returns no part, pass the event again, because no state has it.
    ///
    /// A webhook can have events of several users. Pass each event to the sync of its user. A sync skips events of other users. If all
    /// events belong to other users, the sync fails with kind `invalid_argument`.
    pub fn event(mut self, event: SyncEvent) -> Self {
        self.events.push(event);
        self
    }

    /// Sets the options of every call. A timeout limits each call, not the whole sync.
    pub fn options(mut self, options: CallOptions) -> Self {
        self.settings.options = options;
        self
    }

    /// Sets the name of the service in states, for a service whose base URL changes. Defaults to the base URL.
    pub fn service_name(mut self, name: impl Into<String>) -> Self {
        self.service_name = Some(name.into());
        self
    }

    /// Sets whether the sync requests the user's information first, with one request. The information shows whether the token belongs to
    /// the user of the state. It also shows whether the user has connected a provider, which can add data to any day. If the request
    /// fails or does not name the user, no record is read. Without the check, the token of any user is accepted. Defaults to true.
    pub fn check_account(mut self, checks_account: bool) -> Self {
        self.settings.checks_account = checks_account;
        self
    }

    /// Sets the id of the user at the service. If the token does not belong to this user, the sync fails before it reads records. Requires
    /// [`check_account`](Self::check_account). Defaults to any user for a first sync, and to the user of the state for later ones.
    pub fn expect_account(mut self, id: impl Into<String>) -> Self {
        self.settings.expected_account = Some(id.into());
        self
    }

    /// Starts the sync. No request is sent before the stream is read. Dropping the stream cancels the sync; the state of its last part
    /// stays valid.
    ///
    /// # Errors
    /// * [`SyncError::State`] if the state is damaged, or belongs to another version, secret, service or user.
    /// * `invalid_argument` if there are no kinds, if the look-back is not from 1 to 3,660 days, if all events belong to other users, or if
    ///   a user is expected but not checked.
    /// * `configuration` if the client has no base URL, `closed` if it is closed.
    pub fn start(self) -> Result<SyncStream, SyncError> {
        let (binding, state) = self.open()?;
        let has_default_first = self.state.is_none() && self.first.is_none();
        Ok(SyncStream::new(SyncRun::new(SyncSettings { has_default_first, ..self.settings }, binding, state)))
    }

    /// Returns the state with the days of the events, without a request. A receiver of webhooks stores this state and then responds. The
    /// next sync reads the days.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start).
    pub fn record_events(self) -> Result<Vec<u8>, SyncError> {
        let (binding, mut state) = self.open()?;
        state.generation += 1;
        Ok(binding.write(&state))
    }

    /// Returns the days and the number of requests of the sync, without a request. Until the client has received a response, only this
    /// machine's clock decides which days are due.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start), and `invalid_argument` if the first day is later than tomorrow in UTC.
    pub fn plan(self) -> Result<SyncPlan, SyncError> {
        let (_, state) = self.open()?;
        let latest = latest_time(&self.settings.client)?;
        check_first(state.first, latest)?;
        let planned = |kinds: Vec<RecordKind>| {
            let DueDays { left: mut days, others } = DueDays::new(&kinds, &state, latest, self.settings.look_back);
            let parts = days.ranges().chain(others.ranges()).flat_map(|days| newest_first(&kinds, days));
            let requests = parts.filter_map(|days| Some(kinds.first()?.requests(days))).sum();
            days.insert_all(&others);
            PlannedDays { kinds, days, requests }
        };
        let days: Vec<PlannedDays> = groups(&self.settings.kinds).into_iter().map(planned).collect();
        let requests = days.iter().map(|days| days.requests).sum::<u64>() + u64::from(self.settings.checks_account);
        Ok(SyncPlan { days, requests })
    }

    /// Checks the arguments, without the state.
    ///
    /// # Errors
    /// `invalid_argument` and `configuration`, as for [`start`](Self::start).
    pub fn check(&self) -> Result<(), Error> {
        if self.settings.kinds.is_empty() {
            return Err(Error::invalid_argument("kinds", "must have at least one kind"));
        }
        if !(1..=MAX_LOOKBACK_DAYS).contains(&self.settings.look_back) {
            return Err(Error::invalid_argument("look_back", "must be from 1 to 3,660 days, because providers deliver late"));
        }
        if self.settings.expected_account.is_some() && !self.settings.checks_account {
            return Err(Error::invalid_argument("expect_account", "requires that the account is checked; enable check_account"));
        }
        self.base_url().map(drop)
    }

    fn base_url(&self) -> Result<String, Error> {
        let client = &self.settings.client;
        let reason = || if client.is_closed() { Error::closed() } else { Error::configuration("the base URL must be set") };
        client.base_url().ok_or_else(reason)
    }

    /// Checks the arguments and reads the state.
    fn open(&self) -> Result<(Binding, CopyState), SyncError> {
        self.check()?;
        let binding = Binding::new(self.key.clone(), self.service_name.as_deref().unwrap_or(&self.base_url()?));
        let mut state = match &self.state {
            Some(bytes) => binding.read(bytes)?,
            None => CopyState::new(default_first(latest_time(&self.settings.client)?)),
        };
        if let Some(first) = self.first {
            // A later day would hide days that are still due.
            state.first = if self.state.is_some() { first.min(state.first) } else { first };
        }
        let is_of_other =
            |event: &&SyncEvent| event.user().map(|user| binding.account(user)).zip(state.account).is_some_and(|(one, other)| one != other);
        let (others, own): (Vec<_>, Vec<_>) = self.events.iter().partition(is_of_other);
        // The webhook, or the state, is that of another user.
        if own.is_empty() && !others.is_empty() {
            return Err(Error::invalid_argument("event", "must contain at least one event of the user to whom the state belongs").into());
        }
        for event in own.into_iter().filter(|_| !is_planted(Mistake::IgnoresEvents)) {
            for kind in event.kinds() {
                // Days that were not requested yet are due anyway.
                if let Some(known) = state.kinds.get_mut(kind) {
                    known.request_again(event.days());
                }
            }
        }
        Ok((binding, state))
    }
}

/// Redacted: shows no user and no state.
impl fmt::Debug for SyncCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncCall").field("kinds", &self.settings.kinds).field("look_back", &self.settings.look_back).finish_non_exhaustive()
    }
}
