//! The settings of a search for nights.

use std::fmt;
use std::sync::Arc;

use super::gathered::{Gathered, NightSearchError};
use super::reading::{Plan, RunState, Running, Search};
use super::stream::{Night, NightStream};
use crate::client::{BoxFuture, CallOptions, CancelToken, Operation};
use crate::error::Error;
use crate::open_sets::{ProviderSlug, StatisticName};
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{DateRange, Fingerprint, OnError, Origin, PartLength, Progress, Range, RangeOperation, Report, ResumeToken, Settings};
use crate::table::{Table, TableId, source};
use vitalwire_runtime::client::{Call, Client};

/// What a token is of: no operation has this id.
pub(super) const NAME: &str = "sleeps_between";

/// A part is a day.
const PART_LENGTH: Option<PartLength> = Some(PartLength::Days(1));

/// A search for the sleeps of a range of days; made by [`Sleeps::between`](crate::resources::Sleeps::between). Set options, then
/// [`collect`](NightSearch::collect) them or read the [`stream`](NightSearch::stream).
#[must_use = "nothing is asked before it is collected or its stream is read"]
pub struct NightSearch {
    client: Client,
    setup: Setup,
    report: Option<Report>,
}

/// A search, but for who makes its calls.
#[derive(Clone)]
pub(super) struct Setup {
    /// Which records are behind each day's sleep.
    days: StatisticsDailyParams,
    /// How each is read; the id is set for each.
    sleep: SleepsGetParams,
    options: CallOptions,
    pub(super) settings: Settings,
}

impl Setup {
    /// The same, with a token of its own.
    pub(super) fn apart(&self) -> (Self, CancelToken) {
        let (options, token) = self.options.clone().apart();
        (Self { options, ..self.clone() }, token)
    }
}

impl NightSearch {
    pub(super) fn new(client: &Client, days: DateRange) -> Self {
        let types = [StatisticName::SleepDurationTotal];
        let setup = Setup {
            days: StatisticsDailyParams::new(days.first(), days.last(), types).include_record_ids(true),
            sleep: SleepsGetParams::new(""),
            options: CallOptions::new(),
            settings: Settings::new(),
        };
        Self::of(client, setup, None)
    }

    /// The same search by another client, reported elsewhere.
    pub(super) fn of(client: &Client, setup: Setup, report: Option<Report>) -> Self {
        Self { client: client.clone(), setup, report }
    }

    /// The search without its client.
    pub(super) fn into_setup(self) -> Setup {
        self.setup
    }

    /// Whether to return the sleep stages of each night.
    pub fn include_stages(mut self, include_stages: bool) -> Self {
        self.setup.sleep = self.setup.sleep.include_stages(include_stages);
        self
    }

    /// Whether to return the samples of each night.
    pub fn include_samples(mut self, include_samples: bool) -> Self {
        self.setup.sleep = self.setup.sleep.include_samples(include_samples);
        self
    }

    /// Only sleeps behind the statistics of these providers.
    pub fn providers(mut self, providers: impl IntoIterator<Item = impl Into<ProviderSlug>>) -> Self {
        self.setup.days = self.setup.days.providers(providers);
        self
    }

    /// Leaves out what was entered by hand, as daily statistics do.
    pub fn exclude_manual(mut self, exclude_manual: bool) -> Self {
        self.setup.days = self.setup.days.exclude_manual(exclude_manual);
        self
    }

    /// Sets the options of every call, of statistics and of sleeps. A timeout applies to each call by itself.
    pub fn options(mut self, options: CallOptions) -> Self {
        self.setup.options = options;
        self
    }

    /// Number of concurrent calls. Defaults to 4. 0 is an error when the search starts.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.setup.settings.concurrency = calls;
        self
    }

    /// What happens when a day fails: when one of its nights cannot be read, or the statistics that it is in.
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.setup.settings.on_error = on_error;
        self
    }

    /// Reads only the days that an earlier run of the same search left.
    pub fn resume(mut self, token: &ResumeToken) -> Self {
        self.setup.settings.resume = Some(token.clone());
        self
    }

    /// Binds resume tokens to a person, like [`RangeCall::resume_key`](crate::range::RangeCall::resume_key).
    pub fn resume_key(mut self, key: impl Into<String>) -> Self {
        self.setup.settings.resume_key = Some(key.into());
        self
    }

    /// Spawns the calls for a day as a task, like [`RangeCall::spawned`](crate::range::RangeCall::spawned).
    pub fn spawned(self) -> Self {
        self.spawned_within(|day| day)
    }

    /// Like [`spawned`](NightSearch::spawned), with each task wrapped by `around`.
    pub fn spawned_within(mut self, around: impl Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        self.setup.settings.spawned = Some(Arc::new(around));
        self
    }

    /// Calls `report` after each day, in order, on the task that reads them: parts are days, items are nights, or rows of a table. It
    /// should be quick.
    pub fn on_progress(mut self, report: impl FnMut(Progress) + Send + 'static) -> Self {
        self.report = Some(Box::new(report));
        self
    }

    /// Returns a stream of nights in the order of their days; nights of one day are in the order of the statistics. Nothing is requested
    /// before the stream is read; dropping it ends running calls.
    ///
    /// # Errors
    /// `invalid_argument` for more than [`MAX_PARTS`](crate::range::MAX_PARTS) days, a concurrency of 0, or a token of another search.
    pub fn stream(self) -> Result<NightStream, Error> {
        let (running, state) = self.start(Call::send)?;
        Ok(NightStream::new(running, state))
    }

    /// Reads every night.
    ///
    /// # Errors
    /// Those of [`NightSearch::stream`]; with [`OnError::Stop`], the error of the first day that failed; with [`OnError::Collect`], the first error if
    /// every day failed. The error has what was read before, and a token for the rest.
    pub async fn collect(self) -> Result<Gathered<Vec<Night>>, NightSearchError<Vec<Night>>> {
        let (running, state) = self.start(Call::send)?;
        super::gathered::nights(running, state).await
    }

    /// Reads a table of every night, straight from the responses: [`SleepStages`](TableId::SleepStages) or
    /// [`SleepSamples`](TableId::SleepSamples). It requests what it needs, whatever is set.
    ///
    /// # Errors
    /// `invalid_argument`, before anything is sent, if a sleep does not have the table; those of [`NightSearch::collect`].
    pub async fn table(mut self, id: TableId) -> Result<Gathered<Table>, NightSearchError<Table>> {
        source(id.spec(), SleepsGetParams::META.id).map_err(|error| error.in_operation(SleepsGetParams::META))?;
        // A token is of what was set: the same one continues records and tables.
        let origin = self.origin();
        self.setup.sleep.include_stages = Some(id == TableId::SleepStages);
        self.setup.sleep.include_samples = Some(id == TableId::SleepSamples);
        let (running, state) = self.start_of(origin, move |call| call.table(id))?;
        super::gathered::table(id, running, state).await
    }

    /// Like [`NightSearch::collect`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`NightSearch::collect`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<Gathered<Vec<Night>>, NightSearchError<Vec<Night>>> {
        vitalwire_runtime::blocking::block_on_several(self.collect())?
    }

    /// Like [`NightSearch::table`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`NightSearch::table`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, id: TableId) -> Result<Gathered<Table>, NightSearchError<Table>> {
        vitalwire_runtime::blocking::block_on_several(self.table(id))?
    }

    fn start<T, F>(self, send: impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static) -> Result<(Running<T>, RunState), Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let origin = self.origin();
        self.start_of(origin, send)
    }

    /// Reads every sleep by `send`.
    fn start_of<T, F>(
        self,
        origin: Origin,
        send: impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static,
    ) -> Result<(Running<T>, RunState), Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let plan =
            Plan::new(self.setup.days.bounds(), StatisticsDailyParams::BOUNDS, PART_LENGTH).map_err(|error| error.of_argument("days"));
        let plan = plan.and_then(|plan| self.setup.settings.check(&origin).map(|()| plan));
        let plan = plan.map_err(|error| error.in_operation(StatisticsDailyParams::META))?;
        let Self { client, setup: Setup { days, sleep, options, settings }, report } = self;
        let client = client.held().map_err(|error| error.in_operation(StatisticsDailyParams::META))?;
        let todo = settings.todo(plan.count);
        let Settings { concurrency, on_error, spawned, .. } = settings;
        let state = RunState::new(origin, plan, todo.clone(), on_error, report);
        Ok((Search { client, days, sleep, options, plan, todo, concurrency, on_error, spawned }.run(send), state))
    }

    fn origin(&self) -> Origin {
        let mut hash = Fingerprint::new();
        self.setup.days.others(&mut hash);
        hash.add("include_stages", &self.setup.sleep.include_stages);
        hash.add("include_samples", &self.setup.sleep.include_samples);
        hash.options(&self.setup.options);
        self.setup.settings.bind(&mut hash);
        Origin {
            operation: NAME.to_owned(),
            part_length: PART_LENGTH,
            bounds: DateRange::keep(self.setup.days.bounds()),
            others: hash.finish(),
        }
    }
}

/// Shows no dates.
impl fmt::Debug for NightSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NightSearch")
            .field("days", &self.setup.days)
            .field("sleep", &self.setup.sleep)
            .field("concurrency", &self.setup.settings.concurrency)
            .field("on_error", &self.setup.settings.on_error)
            .field("resume", &self.setup.settings.resume)
            .finish_non_exhaustive()
    }
}
