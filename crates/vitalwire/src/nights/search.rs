//! A search for nights.

use std::fmt;

use super::calls::SearchCalls;
use super::stream::{Night, NightMerge, NightStream};
use crate::client::{CallOptions, CancelToken, Operation, Response};
use crate::error::Error;
use crate::open_sets::{ProviderSlug, StatisticName};
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{
    DateRange, Fingerprint, MergeRun, MergedRange, Origin, PartLength, PartValue, Plan, ProgressListener, Range, RangeError,
    RangeOperation, RangeRun, RangeSettings, TableMerge,
};
use crate::table::{Table, TableId, source};
use crate::value::Date;
use vitalwire_runtime::client::{Call, Client};

/// The name in resume tokens: no operation has this id.
pub(super) const NAME: &str = "sleeps_between";

/// A part is a day.
const PART_LENGTH: Option<PartLength> = Some(PartLength::Days(1));

/// The column of a table of sleeps that identifies them.
const KEY: &str = "sleep_id";

/// A search for the sleeps of a range of days; made by [`Sleeps::between`](crate::resources::Sleeps::between). Set options, then
/// [`collect`](NightSearch::collect) them or read the [`stream`](NightSearch::stream).
#[must_use = "nothing is requested before it is collected or its stream is read"]
pub struct NightSearch {
    client: Client,
    listener: Option<ProgressListener>,
    setup: Setup,
}

/// What is searched and how, without the client.
#[derive(Clone)]
pub(super) struct Setup {
    /// The call that tells which records are behind each day's sleep.
    days: StatisticsDailyParams,
    /// The call that reads a sleep; the id is set for each.
    sleep: SleepsGetParams,
    options: CallOptions,
    pub(super) settings: RangeSettings,
}

impl Setup {
    pub(super) fn search(&self, client: &Client) -> NightSearch {
        NightSearch { client: client.clone(), listener: None, setup: self.clone() }
    }

    /// Returns the same search with a token of its own.
    pub(super) fn with_token(&self) -> (Self, CancelToken) {
        let (options, token) = self.options.clone().apart();
        (Self { options, ..self.clone() }, token)
    }

    /// Returns the search's origin, and its days.
    fn plan(&self) -> Result<(Origin, Plan), Error> {
        let mut hash = Fingerprint::new();
        self.days.others(&mut hash);
        hash.add("include_stages", &self.sleep.include_stages);
        hash.add("include_samples", &self.sleep.include_samples);
        hash.options(&self.options);
        self.settings.bind(&mut hash);
        let bounds = DateRange::open(self.days.bounds());
        let plan = Plan::new(bounds, StatisticsDailyParams::BOUNDS, PART_LENGTH).map_err(|error| error.of_argument("days"))?;
        Ok((Origin { operation: NAME.to_owned(), part_length: PART_LENGTH, bounds, others: hash.finish() }, plan))
    }
}

impl NightSearch {
    vitalwire_runtime::__range_settings!();

    fn settings_mut(&mut self) -> &mut RangeSettings {
        &mut self.setup.settings
    }

    pub(super) fn new(client: &Client, days: DateRange) -> Self {
        let types = [StatisticName::SleepDurationTotal];
        let setup = Setup {
            days: StatisticsDailyParams::new(days.first(), days.last(), types).include_record_ids(true),
            sleep: SleepsGetParams::new(""),
            options: CallOptions::new(),
            settings: RangeSettings::default(),
        };
        setup.search(client)
    }

    /// Returns the search without its client.
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

    /// Returns a stream of nights in the order of their days; nights of one day are in the order of the statistics. Nothing is requested
    /// before the stream is read; dropping it ends running calls.
    ///
    /// # Errors
    /// `invalid_argument` for more than [`MAX_PARTS`](crate::range::MAX_PARTS) days, a concurrency of 0, or a token of another search.
    pub fn stream(self) -> Result<NightStream, Error> {
        self.run_nights().map(NightStream::new)
    }

    /// Reads every night.
    ///
    /// # Errors
    /// Those of [`NightSearch::stream`]; with [`OnError::Stop`](crate::range::OnError::Stop), the error of the first day that failed; with
    /// [`OnError::Collect`](crate::range::OnError::Collect), the first error if every day failed. The error has what was read before, and
    /// a token for the rest.
    pub async fn collect(self) -> Result<MergedRange<Vec<Night>>, RangeError<MergedRange<Vec<Night>>>> {
        self.merge()?.collect().await
    }

    /// Reads a table of every night, straight from the responses: [`SleepStages`](TableId::SleepStages) or
    /// [`SleepSamples`](TableId::SleepSamples). It requests what it needs, whatever is set.
    ///
    /// # Errors
    /// `invalid_argument`, before anything is sent, if a sleep does not have the table; those of [`NightSearch::collect`].
    pub async fn table(self, id: TableId) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        self.merge_tables(id)?.collect().await
    }

    /// Like [`NightSearch::collect`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`NightSearch::collect`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<MergedRange<Vec<Night>>, RangeError<MergedRange<Vec<Night>>>> {
        vitalwire_runtime::blocking::block_on_several(self.collect())?
    }

    /// Like [`NightSearch::table`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`NightSearch::table`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, id: TableId) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        vitalwire_runtime::blocking::block_on_several(self.table(id))?
    }

    pub(super) fn merge(self) -> Result<MergeRun<NightMerge>, Error> {
        Ok(MergeRun::new(self.run_nights()?, NightMerge))
    }

    pub(super) fn merge_tables(mut self, id: TableId) -> Result<MergeRun<TableMerge>, Error> {
        source(id.spec(), SleepsGetParams::META.id).map_err(|error| error.in_operation(SleepsGetParams::META))?;
        // A token is of what was set: the same one continues records and tables.
        let plan = self.setup.plan();
        self.setup.sleep.include_stages = Some(id == TableId::SleepStages);
        self.setup.sleep.include_samples = Some(id == TableId::SleepSamples);
        let append = |table: &mut Table, _: Vec<Date>, rows: Response<Table>| table.append(rows.into_inner());
        let run = self.run(plan, move || Table::empty(id), move |call| call.table(id), append)?;
        Ok(MergeRun::new(run, TableMerge::of_search(SleepsGetParams::META, id.spec(), KEY)))
    }

    fn run_nights(self) -> Result<RangeRun<PartValue<Vec<Night>>>, Error> {
        let plan = self.setup.plan();
        self.run(plan, Vec::new, Call::send, |nights, days, response| {
            nights.push(Night { days, response });
            Ok(())
        })
    }

    fn run<T, V, F>(
        self,
        plan: Result<(Origin, Plan), Error>,
        empty: impl Fn() -> V + Send + Sync + 'static,
        send: impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static,
        add: impl Fn(&mut V, Vec<Date>, Response<T>) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Result<RangeRun<PartValue<V>>, Error>
    where
        T: Send + 'static,
        V: Send + 'static,
        F: Future<Output = Result<Response<T>, Error>> + Send + 'static,
    {
        let Self { client, listener, setup: Setup { days, sleep, options, settings } } = self;
        let RangeSettings { concurrency, on_error, spawned, .. } = settings.clone();
        settings.start(StatisticsDailyParams::META, &client, plan, listener, move |client, plan, todo| {
            SearchCalls { client, days, sleep, options, plan, todo, concurrency, on_error, spawned }.run(empty, send, add)
        })
    }
}

/// Shows no dates.
impl fmt::Debug for NightSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { days, sleep, settings, .. } = &self.setup;
        f.debug_struct("NightSearch")
            .field("days", days)
            .field("sleep", sleep)
            .field("concurrency", &settings.concurrency)
            .field("on_error", &settings.on_error)
            .field("resume", &settings.resume)
            .finish_non_exhaustive()
    }
}
