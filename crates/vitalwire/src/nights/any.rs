//! Searches as ranges of any kind, for bindings.

use std::sync::Arc;

use super::gathered::Gathered;
use super::join::{join_nights, join_tables};
use super::search::{NAME, NightSearch, Setup};
use super::stream::{Night, NightStream};
use crate::client::{BoxFuture, CancelToken, Operation};
use crate::error::Error;
use crate::models::SleepRecord;
use crate::operations::SleepsGetParams;
use crate::range::{
    AnyFailure, AnyMerged, AnyPart, AnyRange, AnyReading, AnySource, DateRange, OnError, Place, Progress, Report, ResumeToken,
};
use crate::table::{Table, TableId, TableSpec};
use crate::value::Date;

use vitalwire_runtime::client::Client;
use vitalwire_runtime::operation::Provenance;

/// What a binding makes of a night.
type One<A> = Arc<dyn Fn(Arc<SleepRecord>, Provenance) -> A + Send + Sync>;
/// What it makes of all of them.
type All<A> = Arc<dyn Fn(Arc<Vec<Night>>) -> A + Send + Sync>;

type Ended<T> = Result<AnyMerged<T>, AnyFailure<AnyMerged<T>>>;

impl NightSearch {
    /// Puts the type of the search away, like [`RangeCall::erased`](crate::range::RangeCall::erased): `one` makes of a night what a binding has
    /// of it, and `all` of every night.
    pub fn erased<A: Send + 'static>(
        self,
        one: impl Fn(Arc<SleepRecord>, Provenance) -> A + Send + Sync + 'static,
        all: impl Fn(Arc<Vec<Night>>) -> A + Send + Sync + 'static,
    ) -> AnyRange<A> {
        AnyRange::new(Erased { setup: self.into_setup(), one: Arc::new(one), all: Arc::new(all) })
    }
}

struct Erased<A> {
    setup: Setup,
    one: One<A>,
    all: All<A>,
}

impl<A: Send + 'static> AnySource<A> for Erased<A> {
    fn operation(&self) -> &'static str {
        SleepsGetParams::META.id
    }

    fn name(&self) -> &'static str {
        NAME
    }

    fn on_error(&self) -> OnError {
        self.setup.settings.on_error
    }

    fn apart(&self) -> (Arc<dyn AnySource<A>>, CancelToken) {
        let (setup, token) = self.setup.apart();
        (Arc::new(Self { setup, one: Arc::clone(&self.one), all: Arc::clone(&self.all) }), token)
    }

    fn parts(&self, client: &Client) -> Result<Box<dyn AnyReading<A>>, Error> {
        let nights = NightSearch::of(client, self.setup.clone(), None).stream()?;
        Ok(Box::new(Found { nights, one: Arc::clone(&self.one) }))
    }

    fn collect(&self, client: &Client, report: Option<Report>) -> BoxFuture<'static, Ended<A>> {
        let (search, all) = (NightSearch::of(client, self.setup.clone(), report), Arc::clone(&self.all));
        let merged = move |nights: Gathered<Vec<Night>>| {
            let (nights, makeup, failures) = nights.take();
            let failures = failures.into_iter().map(AnyPart::failed).collect();
            AnyMerged::new((nights, makeup), move |nights| all(nights), join_nights, failures)
        };
        Box::pin(async move {
            match search.collect().await {
                Ok(nights) => Ok(merged(nights)),
                Err(error) => Err(AnyFailure::stopped(error, merged)),
            }
        })
    }

    fn table(&self, client: &Client, table: &'static TableSpec, report: Option<Report>) -> BoxFuture<'static, Ended<Arc<Table>>> {
        let search = NightSearch::of(client, self.setup.clone(), report);
        let merged = |rows: Gathered<Table>| {
            let (table, makeup, failures) = rows.take();
            let failures = failures.into_iter().map(AnyPart::failed).collect();
            AnyMerged::new((table, makeup), |table| table, join_tables, failures)
        };
        Box::pin(async move {
            let id: TableId = table.name().parse().map_err(Error::from)?;
            match search.table(id).await {
                Ok(rows) => Ok(merged(rows)),
                Err(error) => Err(AnyFailure::stopped(error, merged)),
            }
        })
    }
}

/// NightSearch as they come.
struct Found<A> {
    nights: NightStream,
    one: One<A>,
}

impl<A: Send + 'static> AnyReading<A> for Found<A> {
    fn next(&mut self) -> BoxFuture<'_, Option<AnyPart<A>>> {
        Box::pin(async move {
            Some(match self.nights.next().await? {
                Ok(Night { days, response }) => {
                    let (record, meta) = response.into_parts();
                    AnyPart::new(Place::Days(days), (self.one)(Arc::new(record), meta.into()))
                }
                Err(failure) => {
                    let days = failure.range().into_iter().flat_map(each).collect();
                    AnyPart::failed(failure).at(Place::Days(days))
                }
            })
        })
    }

    fn progress(&self) -> Progress {
        self.nights.progress()
    }

    fn left(&self) -> Option<ResumeToken> {
        self.nights.resume_token()
    }
}

/// The days of a range.
fn each(range: DateRange) -> impl Iterator<Item = Date> {
    (0..range.days()).filter_map(move |day| range.first().plus_days(i32::try_from(day).ok()?))
}
