//! Type-erased night searches, for wrappers.

use std::sync::Arc;

use super::search::{NAME, NightSearch, Setup};
use super::stream::Night;
use crate::client::{CancelToken, Operation};
use crate::error::Error;
use crate::models::SleepRecord;
use crate::operations::SleepsGetParams;
use crate::range::{AnyPart, AnyParts, AnyRange, AnySource, DateRange, MergeRun, RangeBounds, RangeCollect, RangeSettings, TableMerge};
use crate::table::{TableId, TableSpec};
use crate::value::Date;

use vitalwire_runtime::client::Client;
use vitalwire_runtime::operation::Provenance;

/// Converts a night into the type of a wrapper.
type ConvertNight<A> = Arc<dyn Fn(Arc<SleepRecord>, Provenance) -> A + Send + Sync>;
/// Converts all nights of a search into the type of a wrapper.
type ConvertNights<A> = Arc<dyn Fn(Arc<Vec<Night>>) -> A + Send + Sync>;

impl NightSearch {
    /// Erases the types of the search, like [`RangeCall::erased`](crate::range::RangeCall::erased). `night` converts each night of a
    /// stream, `nights` the merged result.
    pub fn erased<A: Send + 'static>(
        self,
        night: impl Fn(Arc<SleepRecord>, Provenance) -> A + Send + Sync + 'static,
        nights: impl Fn(Arc<Vec<Night>>) -> A + Send + Sync + 'static,
    ) -> AnyRange<A> {
        AnyRange::new(ErasedSearch { setup: self.into_setup(), night: Arc::new(night), nights: Arc::new(nights) })
    }
}

struct ErasedSearch<A> {
    setup: Setup,
    night: ConvertNight<A>,
    nights: ConvertNights<A>,
}

impl<A: Send + 'static> AnySource<A> for ErasedSearch<A> {
    fn operation(&self) -> &'static str {
        SleepsGetParams::META.id
    }

    fn name(&self) -> &'static str {
        NAME
    }

    fn settings(&self) -> &RangeSettings {
        &self.setup.settings
    }

    fn with_token(&self) -> (Arc<dyn AnySource<A>>, CancelToken) {
        let (setup, token) = self.setup.with_token();
        (Arc::new(Self { setup, night: Arc::clone(&self.night), nights: Arc::clone(&self.nights) }), token)
    }

    fn parts(&self, client: &Client) -> Result<AnyParts<A>, Error> {
        let convert = Arc::clone(&self.night);
        let found = self.setup.search(client).stream()?;
        Ok(AnyParts::new(found, move |found| match found {
            Ok(Night { days, response }) => {
                let (record, metadata) = response.into_parts();
                let response = Ok(convert(Arc::new(record), metadata.into()));
                AnyPart { index: None, range: None, days, duplicates: 0, response }
            }
            Err(failure) => {
                let days = failure.range().and_then(RangeBounds::dates).into_iter().flat_map(days).collect();
                AnyPart { index: None, range: None, days, ..AnyPart::failed(failure) }
            }
        }))
    }

    fn collect(&self, client: &Client) -> RangeCollect<A> {
        let convert = Arc::clone(&self.nights);
        RangeCollect::new(self.setup.search(client).merge(), move |nights| convert(nights))
    }

    fn default_table(&self) -> Option<&'static TableSpec> {
        Some(NightSearch::DEFAULT_TABLE.spec())
    }

    fn with_missing_rows(&self) -> Option<Arc<dyn AnySource<A>>> {
        let setup = self.setup.clone().with_missing_rows();
        Some(Arc::new(Self { setup, night: Arc::clone(&self.night), nights: Arc::clone(&self.nights) }))
    }

    fn table(&self, client: &Client, table: &'static TableSpec) -> Result<MergeRun<TableMerge>, Error> {
        let id: TableId = table.name().parse().map_err(Error::from)?;
        self.setup.search(client).merge_tables(id)
    }
}

/// Returns the days of a range.
fn days(range: DateRange) -> impl Iterator<Item = Date> {
    (0..range.days()).filter_map(move |day| range.first().plus_days(i32::try_from(day).ok()?))
}
