//! The builder of a night search.

use std::fmt;

use super::calls::{DayReader, SearchCalls};
use super::listing::ListedRecord;
use super::stream::{Night, NightMerge, NightStream};
use crate::client::{CallOptions, CancelToken, Operation, Response};
use crate::error::Error;
use crate::models::SleepRecord;
use crate::open_sets::{ProviderSlug, StatisticName};
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{
    DateRange, Fingerprint, MergeRun, MergedRange, PartLength, PartPlan, PartValue, ProgressListener, Range, RangeError, RangeOperation,
    RangeOrigin, RangeRun, RangeSettings, TableMerge,
};
use crate::table::{ColumnData, Table, TableId, find_source};
use crate::value::Date;
use vitalwire_runtime::client::{Call, Client};

/// Operation name in resume tokens. No operation has this id.
pub(super) const NAME: &str = "sleeps_between";

/// Each part is one day.
const PART_LENGTH: Option<PartLength> = Some(PartLength::Days(1));

/// Column that identifies a sleep in its tables.
const KEY: &str = "sleep_id";

/// Column that states the day of a sleep.
const SLEEP_DATE: &str = "sleep_date";
const SLEEP_DATE_DOC: &str = "Date to which the service attributes the sleep.";

/// Error reason of a sleep with another id than the listed one.
const OTHER_ID: &str = "expected the requested sleep";

/// Whether each row of a sleep that has an id has this one.
fn has_id(rows: &Table, id: &str) -> bool {
    let Some(column) = rows.column(KEY) else { return true };
    let ColumnData::Text(texts) = column.data() else { return true };
    (0..rows.len()).all(|row| column.is_missing(row) || texts.get(row).eq_ignore_ascii_case(id))
}

/// Appends the column `sleep_date` to a table, with the same day in each row. Has no effect if the table has this column.
///
/// # Errors
/// `decode` if memory limits are exceeded.
pub fn with_sleep_date(table: Table, day: Date) -> Result<Table, Error> {
    table.with_date_column(SLEEP_DATE, SLEEP_DATE_DOC, day)
}

/// Returns a table of sleeps without rows, with all columns that a search with [`NightSearch::sleep_dates`] can return. Exports include its
/// empty columns.
///
/// # Errors
/// `invalid_argument` if a sleep does not have the table.
pub fn empty_table(id: TableId) -> Result<Table, Error> {
    find_source(id.spec(), SleepsGetParams::META.id)?;
    with_sleep_date(Table::empty(id).with_empty_columns(), Date::default())
}

/// A search for the sleeps of a range of days, made by [`Sleeps::between`](crate::resources::Sleeps::between). Set options, then
/// [`collect`](NightSearch::collect) the nights or read them as a [`stream`](NightSearch::stream).
#[must_use = "no request is sent before the search is collected or its stream is read"]
pub struct NightSearch {
    client: Client,
    listener: Option<ProgressListener>,
    setup: Setup,
}

/// Parameters and settings of a search, without the client.
#[derive(Clone)]
pub(super) struct Setup {
    /// Statistics call that lists the records of each day.
    days: StatisticsDailyParams,
    /// Call that reads a sleep. Its id is set for each record.
    sleep: SleepsGetParams,
    options: CallOptions,
    pub(super) settings: RangeSettings,
    /// Whether tables have a row for each day without a sleep.
    pub(super) missing_rows: bool,
    /// Whether tables state the day of each row's sleep.
    sleep_dates: bool,
    /// Whether a sleep with another id than the listed one is an error.
    strict_ids: bool,
}

impl Setup {
    pub(super) fn search(&self, client: &Client) -> NightSearch {
        NightSearch { client: client.clone(), listener: None, setup: self.clone() }
    }

    /// Returns a copy of the setup with a cancel token of its own.
    pub(super) fn with_token(&self) -> (Self, CancelToken) {
        let (options, token) = self.options.clone().with_child_token();
        (Self { options, ..self.clone() }, token)
    }

    pub(super) fn with_missing_rows(self) -> Self {
        Self { missing_rows: true, ..self }
    }

    /// Returns the origin for resume tokens, and the plan of days.
    fn plan(&self) -> Result<(RangeOrigin, PartPlan), Error> {
        let mut hash = Fingerprint::new();
        self.days.hash_parameters(&mut hash);
        hash.add("include_stages", &self.sleep.include_stages);
        hash.add("include_samples", &self.sleep.include_samples);
        hash.add_options(&self.options);
        self.settings.hash_resume_key(&mut hash);
        let bounds = DateRange::open_bounds(self.days.bounds());
        let plan = PartPlan::new(bounds, StatisticsDailyParams::BOUNDS, PART_LENGTH).map_err(|error| error.with_argument("days"))?;
        Ok((RangeOrigin { operation: NAME.to_owned(), part_length: PART_LENGTH, bounds, parameters_hash: hash.finish() }, plan))
    }
}

impl NightSearch {
    vitalwire_runtime::__range_settings!();

    /// Table with a row for each sleep, which bindings read if no name is given.
    pub const DEFAULT_TABLE: TableId = TableId::Sleeps;

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
            missing_rows: false,
            sleep_dates: false,
            strict_ids: false,
        };
        setup.search(client)
    }

    /// Returns the setup, without the client.
    pub(super) fn into_setup(self) -> Setup {
        self.setup
    }

    /// Whether to return the sleep stages of each night. Defaults to the service's default.
    pub fn include_stages(mut self, include_stages: bool) -> Self {
        self.setup.sleep = self.setup.sleep.include_stages(include_stages);
        self
    }

    /// Whether to return the samples of each night. Defaults to the service's default.
    pub fn include_samples(mut self, include_samples: bool) -> Self {
        self.setup.sleep = self.setup.sleep.include_samples(include_samples);
        self
    }

    /// Limits the search to sleeps from these providers. Defaults to all providers.
    pub fn providers(mut self, providers: impl IntoIterator<Item = impl Into<ProviderSlug>>) -> Self {
        self.setup.days = self.setup.days.providers(providers);
        self
    }

    /// Whether to leave out sleeps that were entered by hand, as daily statistics do.
    pub fn exclude_manual(mut self, exclude_manual: bool) -> Self {
        self.setup.days = self.setup.days.exclude_manual(exclude_manual);
        self
    }

    /// Whether [`NightSearch::table`] has a row for each day without a sleep. Such a row has only `sleep_date`. Days that failed have no
    /// row, because nothing is known about them. Defaults to false.
    pub fn missing_rows(mut self, missing_rows: bool) -> Self {
        self.setup.missing_rows = missing_rows;
        self
    }

    /// Whether tables that have no `sleep_date` get one as their last column. Its value is the first day of the sleep in the search. Defaults to false.
    pub fn sleep_dates(mut self, sleep_dates: bool) -> Self {
        self.setup.sleep_dates = sleep_dates;
        self
    }

    /// Whether a sleep whose id differs from the one in the statistics is an error of the kind `decode`. Defaults to false.
    pub fn strict_ids(mut self, strict_ids: bool) -> Self {
        self.setup.strict_ids = strict_ids;
        self
    }

    /// Sets the options of every statistics and sleep call. A timeout limits each call, not the whole search.
    pub fn options(mut self, options: CallOptions) -> Self {
        self.setup.options = options;
        self
    }

    /// Starts the search as a stream of nights, ordered by day. Nights of one day keep the order of the statistics.
    ///
    /// Nothing is requested before the stream is read. Dropping the stream aborts the calls in flight.
    ///
    /// # Errors
    /// `invalid_argument` if the range has more than [`MAX_PARTS`](crate::range::MAX_PARTS) days, if the concurrency is 0, or if the resume
    /// token belongs to another search.
    pub fn stream(self) -> Result<NightStream, Error> {
        self.run_nights().map(NightStream::new)
    }

    /// Reads every night into one result.
    ///
    /// # Errors
    /// * Errors of [`NightSearch::stream`].
    /// * With [`OnError::Stop`](crate::range::OnError::Stop), the error of the first day that failed.
    /// * With [`OnError::Collect`](crate::range::OnError::Collect), the first error if every day failed.
    ///
    /// The error holds the nights read so far and a token for the remaining days.
    pub async fn collect(self) -> Result<MergedRange<Vec<Night>>, RangeError<MergedRange<Vec<Night>>>> {
        self.merge()?.collect().await
    }

    /// Reads every night into one table, directly from the responses: [`Sleeps`](TableId::Sleeps), a row for each sleep,
    /// [`SleepStages`](TableId::SleepStages) or [`SleepSamples`](TableId::SleepSamples). Overrides `include_stages` and `include_samples` with what the table needs.
    ///
    /// # Errors
    /// * `invalid_argument`, before anything is sent, if a sleep does not have the table, or if it has no dates for
    ///   [`missing_rows`](NightSearch::missing_rows).
    /// * Errors of [`NightSearch::collect`].
    pub async fn table(self, id: TableId) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        self.merge_tables(id)?.collect().await
    }

    /// Blocking version of [`NightSearch::collect`].
    ///
    /// # Errors
    /// * Errors of [`NightSearch::collect`].
    /// * `configuration` if called inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<MergedRange<Vec<Night>>, RangeError<MergedRange<Vec<Night>>>> {
        vitalwire_runtime::blocking::block_on_several(self.collect())?
    }

    /// Blocking version of [`NightSearch::table`].
    ///
    /// # Errors
    /// * Errors of [`NightSearch::table`].
    /// * `configuration` if called inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, id: TableId) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        vitalwire_runtime::blocking::block_on_several(self.table(id))?
    }

    pub(super) fn merge(self) -> Result<MergeRun<NightMerge>, Error> {
        Ok(MergeRun::new(self.run_nights()?, NightMerge))
    }

    pub(super) fn merge_tables(mut self, id: TableId) -> Result<MergeRun<TableMerge>, Error> {
        find_source(id.spec(), SleepsGetParams::META.id).map_err(|error| error.with_operation(SleepsGetParams::META))?;
        // Make the plan before the flags are overridden: a resume token then continues both records and tables.
        let plan = self.setup.plan();
        self.setup.sleep.include_stages = Some(id == TableId::SleepStages);
        self.setup.sleep.include_samples = Some(id == TableId::SleepSamples);
        let missing_rows = self.setup.missing_rows;
        if missing_rows && id != TableId::Sleeps {
            return Err(Error::invalid_argument("missing_rows", "only the table `sleeps` has rows for days without a sleep"));
        }
        let sleep_dates = self.setup.sleep_dates;
        let empty = move || match sleep_dates {
            true => with_sleep_date(Table::empty(id), Date::default()).unwrap_or_else(|_| Table::empty(id)),
            false => Table::empty(id),
        };
        let strict_ids = self.setup.strict_ids;
        let append = move |table: &mut Table, record: ListedRecord, rows: Response<Table>| {
            if strict_ids && !has_id(&rows, record.id.as_str()) {
                return Err(Error::decode(rows.metadata(), KEY.to_owned(), OTHER_ID));
            }
            match record.days.first() {
                Some(day) if sleep_dates => table.append(with_sleep_date(rows.into_inner(), *day)?),
                _ => table.append(rows.into_inner()),
            }
        };
        let finish = move |day: &mut PartValue<Table>, date| match date {
            // A day that shares its sleep with an earlier day is not without a sleep.
            Some(date) if missing_rows && day.value.is_empty() && day.duplicates == 0 => day.value.push_date_row(date),
            _ => Ok(()),
        };
        let run = self.run(plan, DayReader { empty, send: move |call: Call<_>| call.table(id), add: append, finish })?;
        Ok(MergeRun::new(run, TableMerge::for_search(SleepsGetParams::META, id.spec(), KEY)))
    }

    fn run_nights(self) -> Result<RangeRun<PartValue<Vec<Night>>>, Error> {
        let plan = self.setup.plan();
        let strict_ids = self.setup.strict_ids;
        let add = move |nights: &mut Vec<Night>, ListedRecord { id, days }: ListedRecord, response: Response<SleepRecord>| {
            if strict_ids && response.sleep_id.as_ref().is_some_and(|found| !found.eq_ignore_ascii_case(id.as_str())) {
                return Err(Error::decode(response.metadata(), KEY.to_owned(), OTHER_ID));
            }
            nights.push(Night { days, response });
            Ok(())
        };
        self.run(plan, DayReader { empty: Vec::new, send: Call::send, add, finish: |_: &mut PartValue<Vec<Night>>, _| Ok(()) })
    }

    fn run<T, V, F>(
        self,
        plan: Result<(RangeOrigin, PartPlan), Error>,
        reader: DayReader<
            impl Fn() -> V + Send + Sync + 'static,
            impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static,
            impl Fn(&mut V, ListedRecord, Response<T>) -> Result<(), Error> + Send + Sync + 'static,
            impl Fn(&mut PartValue<V>, Option<Date>) -> Result<(), Error> + Send + Sync + 'static,
        >,
    ) -> Result<RangeRun<PartValue<V>>, Error>
    where
        T: Send + 'static,
        V: Send + 'static,
        F: Future<Output = Result<Response<T>, Error>> + Send + 'static,
    {
        let Self { client, listener, setup: Setup { days, sleep, options, settings, .. } } = self;
        let RangeSettings { concurrency, on_error, spawned, .. } = settings.clone();
        settings.start(StatisticsDailyParams::META, &client, plan, listener, move |client, plan, todo| {
            SearchCalls { client, days, sleep, options, plan, todo, concurrency, on_error, spawned }.run(reader)
        })
    }
}

/// Redacted: shows no dates.
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
