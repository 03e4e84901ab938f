//! A running sync and its stream of parts.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{self, Stream, StreamExt};
use vitalwire::client::{CallOptions, Client};
use vitalwire::error::{Error, ErrorKind};
use vitalwire::models::{IntegratedProvider, UserInfo};
use vitalwire::range::{AnyPart, AnyParts, DateRange, Progress, RangeStream, ResumeToken};

use crate::change::{Change, SyncPart, SyncProgress};
use crate::clock::{latest_time, service_time};
use crate::copy_state::{Binding, CopyState};
use crate::day_set::DaySet;
use crate::error::{StateError, SyncError};
use crate::generated::RecordKind;
use crate::mistakes::{Mistake, is_planted};
use crate::plan::{DueDays, check_first, default_first, groups, last_day, newest_part};
use crate::state::SyncState;
use crate::state::digester::Digester;
use crate::state::history::RunTime;
use crate::tables::{UserTable, may_have_sleeps, read_sleeps, read_table};

/// Rows of each kind. For sleeps, also the first day that lists the sleep of each row.
type Tables = Vec<(UserTable, Option<Vec<i32>>)>;

/// The parts of a sync, made by [`SyncCall::start`](crate::SyncCall::start). Reads the days that an interrupted sync has left, then other
/// days. Both begin with the newest day.
///
/// A part that fails is left out, and its days stay due. After the last part, the stream returns the last error once. It ends earlier if the
/// error would occur for every part: the token is rejected, the service does not respond, or the client is closed or cancelled. There is one
/// exception: if the service does not respond to a request for days that an interrupted sync has left, the newest days are read next.
#[must_use = "no request is sent before the first read"]
pub struct SyncStream(Pin<Box<dyn Stream<Item = Result<SyncPart, SyncError>> + Send>>);

impl SyncStream {
    pub(crate) fn new(run: SyncRun) -> Self {
        let parts = stream::unfold((run, None), |(mut run, mut failure)| async move {
            loop {
                match run.next_part().await {
                    Some(Ok(part)) => return Some((Ok(part), (run, failure))),
                    Some(Err(error)) => failure = Some(error),
                    None => return failure.map(|error| (Err(error), (run, None))),
                }
            }
        });
        // Without `fuse`, a read after the end panics.
        Self(parts.fuse().boxed())
    }

    /// Returns the parts for one reader at a time, with the rules of ranges for closing and forked processes. For bindings.
    ///
    /// An item is the response of an [`AnyPart`]. Other fields are unset, as are progress and resume token.
    #[doc(hidden)]
    #[must_use]
    pub fn shared(self) -> AnyParts<Result<SyncPart, SyncError>> {
        let part = |response| AnyPart { index: None, range: None, days: Vec::new(), duplicates: 0, response: Ok(response) };
        AnyParts::new(self, part)
    }

    /// Returns the next part; `None` after the last one, however often it is called. If parts failed, their last error precedes `None`.
    pub async fn next(&mut self) -> Option<Result<SyncPart, SyncError>> {
        self.0.next().await
    }

    /// Blocking version of [`SyncStream::next`].
    ///
    /// # Errors
    /// `configuration` if called inside an async runtime, because its thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<Result<SyncPart, SyncError>>, Error> {
        vitalwire::blocking::block_on_several(self.next())
    }
}

impl Stream for SyncStream {
    type Item = Result<SyncPart, SyncError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl RangeStream for SyncStream {
    fn progress(&self) -> Progress {
        Progress::default()
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        None
    }
}

impl fmt::Debug for SyncStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncStream").finish_non_exhaustive()
    }
}

/// Settings of a sync that are not in its state.
#[derive(Clone)]
pub(crate) struct SyncSettings {
    pub(crate) client: Client,
    pub(crate) kinds: Vec<RecordKind>,
    pub(crate) look_back: u32,
    pub(crate) options: CallOptions,
    pub(crate) checks_account: bool,
    pub(crate) expected_account: Option<String>,
    /// True if the first day is the default, which depends on the service's clock.
    pub(crate) has_default_first: bool,
}

/// Kinds that share requests, and the days that remain to be read.
struct Group {
    kinds: Vec<RecordKind>,
    due: DueDays,
}

/// A sync in progress.
pub(crate) struct SyncRun {
    settings: SyncSettings,
    binding: Binding,
    state: CopyState,
    groups: Vec<Group>,
    progress: SyncProgress,
    /// Days of null lists that are doubtful only because the copy has records of other days of the same pending range, each with its group.
    doubtful: Vec<(usize, DateRange)>,
    /// Whether the sync before this one was interrupted, perhaps with other kinds.
    was_interrupted: bool,
    is_open: bool,
    has_ended: bool,
}

impl SyncRun {
    pub(crate) fn new(settings: SyncSettings, binding: Binding, state: CopyState) -> Self {
        let groups = groups(&settings.kinds).into_iter().map(|kinds| Group { kinds, due: DueDays::default() }).collect();
        let was_interrupted = state.is_interrupted;
        let progress = SyncProgress::default();
        Self { settings, binding, state, groups, progress, doubtful: Vec::new(), was_interrupted, is_open: false, has_ended: false }
    }

    async fn next_part(&mut self) -> Option<Result<SyncPart, SyncError>> {
        if self.has_ended {
            return None;
        }
        if !self.is_open {
            if let Err(error) = self.open().await {
                self.has_ended = true;
                return Some(Err(error));
            }
            self.is_open = true;
        }
        if self.groups.iter().all(|group| group.due.left.is_empty()) {
            self.plan_others();
        }
        let newest = |(at, group): (usize, &Group)| newest_part(&group.kinds, &group.due.left).map(|days| (at, days));
        let parts: Vec<(usize, DateRange)> = self.groups.iter().enumerate().filter_map(newest).collect();
        // Among parts that end on the same day, the first kind comes first.
        let (at, days) = parts.into_iter().rev().max_by_key(|(_, days)| last_day(*days))?;
        let group = self.groups.get_mut(at)?;
        group.due.left.remove(days);
        self.progress.done_days += u64::from(days.days());
        let kinds = group.kinds.clone();
        let read = match self.read(&kinds, days).await {
            Ok((tables, may_be_null)) => {
                self.judge_null(at, &kinds, days, tables, may_be_null).and_then(|tables| self.update(at, &kinds, days, tables))
            }
            Err(error) => Err(error.into()),
        };
        Some(read.inspect_err(|error| {
            for kind in &kinds {
                let known = self.state.kinds.entry(*kind).or_default();
                known.record_failure(days);
                if is_planted(Mistake::ForgetsFailure) {
                    known.record(&DaySet::from(days), [], days.last(), vitalwire::value::Timestamp::default());
                }
            }
            // Days that always time out must not keep later runs from the newest days.
            self.has_ended = is_fatal(error) && !(is_unanswered(error) && self.plan_others());
        }))
    }

    /// Plans the days that follow those of an interrupted run. Returns whether there are any.
    fn plan_others(&mut self) -> bool {
        let mut has_others = false;
        for Group { kinds, due } in &mut self.groups {
            let others = std::mem::take(&mut due.others);
            kinds.iter().for_each(|kind| self.state.kinds.entry(*kind).or_default().plan(&others));
            let days = due.left.len() + others.len();
            due.left.insert_all(&others);
            self.progress.total_days -= (days - due.left.len()) as u64;
            has_others |= !others.is_empty();
        }
        has_others
    }

    /// Returns whether an interrupted run has left days of kinds that this run does not read.
    fn has_left_others(&self) -> bool {
        let has_left = |(kind, known): (&RecordKind, &SyncState)| !self.settings.kinds.contains(kind) && known.has_left();
        self.was_interrupted && self.state.kinds.iter().any(has_left)
    }

    /// Requests the user's information, and plans the days of all kinds.
    async fn open(&mut self) -> Result<(), SyncError> {
        if self.settings.checks_account {
            self.check_account().await?;
            if !self.is_known_data_set() {
                return Err(StateError::OtherService.into());
            }
        }
        let latest = latest_time(&self.settings.client)?;
        if self.settings.has_default_first {
            self.state.first = default_first(latest);
        }
        check_first(self.state.first, latest)?;
        for (kind, known) in &mut self.state.kinds {
            if let Some(day) = kind.last_complete_day(latest).filter(|_| self.settings.client.service_time().is_some()) {
                known.correct_clock(latest, day);
            }
        }
        for Group { kinds, due } in &mut self.groups {
            *due = DueDays::new(kinds, &self.state, latest, self.settings.look_back);
            // Includes possible days of records, which the interrupted run had not planned.
            kinds.iter().for_each(|kind| self.state.kinds.entry(*kind).or_default().plan(&due.left));
            self.progress.total_days += (due.left.len() + due.others.len()) as u64;
        }
        Ok(())
    }

    /// Checks that the token belongs to the user, and marks the days to which newly connected providers may have added data.
    async fn check_account(&mut self) -> Result<(), SyncError> {
        let info = match self.settings.client.user().info().options(self.settings.options.clone()).await {
            Ok(info) => info.into_inner(),
            Err(error) => return Err(error.into()),
        };
        // Without the id, a later sync could mix records of two users.
        let Some(id) = info.application_user_id.as_deref() else {
            let reason =
                "must be the token of a user whose id the service returns; to sync without a check of the user, disable check_account";
            return Err(Error::invalid_argument("token", reason).into());
        };
        if self.settings.expected_account.as_deref().is_some_and(|expected| expected != id) {
            return Err(Error::invalid_argument("token", "must belong to the user of the sync; use a token of this user").into());
        }
        let account = self.binding.account(id);
        let internal_id = info.uid.as_ref().map(|uid| self.binding.internal_id(uid.as_str()));
        let is_other_account = self.state.account.is_some_and(|known| known != account);
        let is_new_account = self.state.internal_id.is_some_and(|known| internal_id.is_some_and(|id| known != id));
        if is_other_account || is_new_account {
            return Err(StateError::OtherUser.into());
        }
        self.state.account = Some(account);
        self.state.internal_id = internal_id.or(self.state.internal_id);
        let connected = info.integrated_providers.iter().filter_map(|provider| provider.created_at).max();
        let providers = self.binding.providers(&provider_ids(&info));
        // If earlier syncs did not check the account, any provider may be new.
        let is_other = self.state.providers.replace(providers) != Some(providers);
        let now = service_time(&self.settings.client)?;
        // Users upload lab reports and nutrition records, so providers add none.
        let of_providers = self.state.kinds.iter_mut().filter(|(kind, _)| kind.filter_column().is_some());
        for (_, known) in of_providers {
            let Some(checked) = known.providers_as_of() else { continue };
            // The service's clock has whole seconds, so a provider of the same second may be new. A provider can also be new with an old
            // time.
            let is_new = is_other || connected.is_some_and(|connected| connected.unix_seconds() >= checked.unix_seconds());
            if is_new
                && let Some((first, last)) = known.requested().first().zip(known.requested().last())
                && !is_planted(Mistake::IgnoresProviders)
            {
                known.request_again(DateRange::from((first, last)));
            }
            known.set_providers_as_of(now);
        }
        Ok(())
    }

    /// Returns whether the last response is from the data set of the state, if the service is a sandbox. Stores the data set in a new state.
    fn is_known_data_set(&mut self) -> bool {
        let data_set = self.binding.data_set(self.settings.client.sandbox().as_deref());
        *self.state.data_set.get_or_insert(data_set) == data_set
    }

    /// Reads a part. Also returns whether the service may have sent null instead of a list that matters.
    async fn read(&self, kinds: &[RecordKind], days: DateRange) -> Result<(Tables, bool), Error> {
        let (client, options) = (&self.settings.client, self.settings.options.clone());
        match kinds {
            [kind] if !kind.requests_sleeps() => {
                let (table, is_null) = read_table(client, *kind, days, options).await?;
                Ok((vec![(table, None)], is_null))
            }
            _ => {
                let (tables, is_empty) = read_sleeps(client, kinds, days, options.clone()).await?;
                let may_be_null = is_empty && self.is_doubtful(kinds, days) && may_have_sleeps(client, days, options).await?;
                Ok((tables.into_iter().map(|(table, days)| (table, Some(days))).collect(), may_be_null))
            }
        }
    }

    /// Decides whether null stands for an empty list. An empty list removes records, but null may be a fault of the service: if the copy has
    /// records of these days, or of pending days that are consecutive with them, the list counts as left out. A list for any of those days
    /// shows that there was no fault.
    fn judge_null(
        &mut self,
        at: usize,
        kinds: &[RecordKind],
        days: DateRange,
        mut tables: Tables,
        may_be_null: bool,
    ) -> Result<Tables, SyncError> {
        if !may_be_null {
            self.confirm_empty(at, kinds, days)?;
        } else if self.is_doubtful(kinds, days) {
            tables.iter_mut().for_each(|(table, _)| table.left_out += 1);
            if !self.known(kinds).any(|known| known.has_records(days)) {
                self.doubtful.push((at, days));
            }
        }
        Ok(tables)
    }

    /// Counts doubtful null lists of days that are consecutive with these as empty lists.
    fn confirm_empty(&mut self, at: usize, kinds: &[RecordKind], mut days: DateRange) -> Result<(), SyncError> {
        let is_next = |one: DateRange, other: DateRange| one.last().plus_days(1) == Some(other.first());
        while let Some(index) = self.doubtful.iter().position(|(of, null)| *of == at && (is_next(days, *null) || is_next(*null, days))) {
            let (_, null) = self.doubtful.swap_remove(index);
            let time = service_time(&self.settings.client)?;
            for kind in kinds {
                let last = kind.last_complete_day(time).unwrap_or(null.last());
                self.state.kinds.entry(*kind).or_default().record(&DaySet::from(null), [], last, time);
            }
            days = DateRange::from((days.first().min(null.first()), days.last().max(null.last())));
        }
        Ok(())
    }

    fn known(&self, kinds: &[RecordKind]) -> impl Iterator<Item = &SyncState> {
        kinds.iter().filter_map(|kind| self.state.kinds.get(kind))
    }

    /// Returns whether the copy has records of these days, or of pending days that are consecutive with them.
    fn is_doubtful(&self, kinds: &[RecordKind], days: DateRange) -> bool {
        self.known(kinds).any(|known| known.has_records(known.with_pending(days)))
    }

    /// Compares the rows of a part with the state, and updates the state.
    fn update(&mut self, at: usize, kinds: &[RecordKind], days: DateRange, tables: Tables) -> Result<SyncPart, SyncError> {
        // The data set can change during a sync, and is not known before the first response.
        if !self.is_known_data_set() {
            return Err(StateError::OtherService.into());
        }
        let run = RunTime { look_back: self.settings.look_back, service_time: service_time(&self.settings.client)? };
        let (mut changes, mut read, mut left_out) = (Vec::new(), Vec::new(), 0);
        let mut uncertain = self.state.clone();
        for (kind, (table, listed_days)) in kinds.iter().zip(tables) {
            let known = self.state.kinds.entry(*kind).or_default();
            let digester = Digester::new(self.binding.key(), *kind);
            let mut response = known.read_response(*kind, days, &table.rows, listed_days.as_deref(), &digester);
            response.left_out += table.left_out;
            response.left_out_values += table.left_out_values;
            known.add_not_found(&mut response, &table.not_found, &digester);
            left_out += response.all_left_out();
            let differences = known.update_history(*kind, &response, &digester, run);
            let suspects = known.take_suspects();
            let last = known.requested().last().unwrap_or(self.state.first).max(self.state.first);
            let suspects = suspects.within(DateRange::from((self.state.first, last)));
            uncertain.kinds.entry(*kind).or_default().mark_uncertain(&differences, &response);
            if let Some(group) = self.groups.get_mut(at) {
                let left = group.due.left.len();
                group.due.left.insert_all(&suspects);
                self.progress.total_days += (group.due.left.len() - left) as u64;
            }
            changes
                .extend(differences.into_iter().filter_map(|difference| Change::new(*kind, difference, &response.records, &response.rows)));
            read.push((*kind, table.rows));
        }
        uncertain.is_interrupted = true;
        self.state.is_interrupted = self.groups.iter().any(|group| !group.due.is_empty()) || self.has_left_others();
        uncertain.generation += 1;
        self.state.generation += 2;
        let (state, generation) = (self.binding.write(&self.state), self.state.generation);
        let state_before = self.binding.write(&uncertain);
        Ok(SyncPart { days, tables: read, changes, state_before, state, generation, progress: self.progress, left_out })
    }
}

/// Returns a text that identifies the user's providers, in any order. Without broken ones, so that a repaired provider counts as new.
fn provider_ids(info: &UserInfo) -> String {
    let id = |provider: &IntegratedProvider| {
        let slug = provider.provider_slug.as_ref().map(ToString::to_string);
        let time = provider.created_at.map(|time| time.to_string());
        format!("{:?}\n", (provider.provider_integration_id, slug, time))
    };
    let providers = info.integrated_providers.iter().filter(|provider| provider.is_integration_broken != Some(true));
    let mut ids: Vec<String> = providers.map(id).collect();
    ids.sort_unstable();
    ids.concat()
}

/// Returns whether an error would occur for every part.
fn is_fatal(error: &SyncError) -> bool {
    let SyncError::Client(client_error) = error else { return true };
    is_unanswered(error)
        || matches!(client_error.kind(), ErrorKind::Authentication | ErrorKind::Configuration | ErrorKind::Cancelled | ErrorKind::Closed)
}

/// Returns whether the service did not respond.
fn is_unanswered(error: &SyncError) -> bool {
    let SyncError::Client(error) = error else { return false };
    matches!(error.kind(), ErrorKind::Transport | ErrorKind::Timeout) && error.status().is_none()
}
