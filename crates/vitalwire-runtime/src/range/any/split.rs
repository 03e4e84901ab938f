//! Calls of one operation as ranges of any.

use std::sync::Arc;

use super::super::merge::MergedRange;
use super::super::plan::PartLength;
use super::super::settings::Settings;
use super::super::split::{OnError, RangeCall};
use super::super::state::{Progress, Report};
use super::super::stream::RangeParts;
use super::super::table::{MergedTable, join_tables};
use super::super::token::ResumeToken;
use super::super::{Range, RangeOperation};
use super::merged::AnyMerged;
use super::part::{AnyFailure, AnyPart, Place};
use super::{AnyRange, AnyReading, AnySource, Ended};
use crate::client::{BoxFuture, CallOptions, CancelToken, Client};
use crate::error::Error;
use crate::operation::{Projection, Provenance};
use crate::table::{Table, TableSpec};

/// What a binding makes of an answer.
type Convert<T, A> = Arc<dyn Fn(Arc<T>, Provenance) -> A + Send + Sync>;

impl<O: RangeOperation> RangeCall<O>
where
    O::Output: Clone + Sync,
{
    /// Puts the types of the operation away. `convert` makes of an answer what a binding has of it, and is told where it came from.
    ///
    /// The client and a function for progress are not kept: see [`AnyRange`] and [`Gathering`](super::Gathering).
    pub fn erased<A: Send + 'static>(self, convert: impl Fn(Arc<O::Output>, Provenance) -> A + Send + Sync + 'static) -> AnyRange<A> {
        let (parameters, options, part_length, settings) = self.into_settings();
        AnyRange::new(Erased { parameters, options, part_length, settings, convert: Arc::new(convert) })
    }
}

struct Erased<O: RangeOperation, A> {
    parameters: O,
    options: CallOptions,
    part_length: Option<PartLength>,
    settings: Settings,
    convert: Convert<O::Output, A>,
}

impl<O: RangeOperation, A> Erased<O, A> {
    fn split(&self, client: &Client, report: Option<Report>) -> RangeCall<O> {
        let call = crate::client::Call::new(client, self.parameters.clone()).options(self.options.clone());
        call.split(self.part_length).with_settings(self.settings.clone(), report)
    }

    /// Where a merged answer comes from.
    fn provenance(&self) -> Provenance {
        Provenance::merged(O::META.id, Projection::new(self.parameters.not_requested(), self.parameters.columns()))
    }
}

impl<O: RangeOperation, A: Send + 'static> AnySource<A> for Erased<O, A>
where
    O::Output: Clone + Sync,
{
    fn operation(&self) -> &'static str {
        O::META.id
    }

    fn on_error(&self) -> OnError {
        self.settings.on_error
    }

    fn apart(&self) -> (Arc<dyn AnySource<A>>, CancelToken) {
        let (options, token) = self.options.clone().apart();
        let (parameters, settings, convert) = (self.parameters.clone(), self.settings.clone(), Arc::clone(&self.convert));
        (Arc::new(Self { parameters, options, part_length: self.part_length, settings, convert }), token)
    }

    fn parts(&self, client: &Client) -> Result<Box<dyn AnyReading<A>>, Error> {
        let parts = self.split(client, None).stream()?;
        Ok(Box::new(Typed { parts, convert: Arc::clone(&self.convert) }))
    }

    fn collect(&self, client: &Client, report: Option<Report>) -> BoxFuture<'static, Ended<A>> {
        let (split, provenance, convert) = (self.split(client, report), self.provenance(), Arc::clone(&self.convert));
        let merged = move |merged: MergedRange<O>| {
            let (value, makeup, failures) = merged.take();
            let failures = failures.into_iter().map(AnyPart::failed).collect();
            let join = |(value, makeup), (later, of_later)| {
                let (value, makeup, _) = MergedRange::<O>::of(value, makeup).join(MergedRange::of(later, of_later))?.take();
                Ok((value, makeup))
            };
            AnyMerged::new((value, makeup), move |value| convert(value, provenance.clone()), join, failures)
        };
        Box::pin(async move {
            match split.collect().await {
                Ok(all) => Ok(merged(all)),
                Err(error) => Err(AnyFailure::stopped(error, merged)),
            }
        })
    }

    fn table(&self, client: &Client, table: &'static TableSpec, report: Option<Report>) -> BoxFuture<'static, Ended<Arc<Table>>> {
        let (split, columns) = (self.split(client, report), self.parameters.columns());
        let merged = move |merged: MergedTable<O>| {
            let key = merged.key();
            let (table, makeup, failures) = merged.take();
            let failures = failures.into_iter().map(AnyPart::failed).collect();
            let kept = (table.with_columns(&columns), makeup);
            let join = move |table, later| join_tables(table, later, key).map(|(table, makeup)| (table.with_columns(&columns), makeup));
            AnyMerged::new(kept, |table| table, join, failures)
        };
        Box::pin(async move {
            match split.table(table).await {
                Ok(all) => Ok(merged(all)),
                Err(error) => Err(AnyFailure::stopped(error, merged)),
            }
        })
    }
}

/// The parts of one operation.
struct Typed<O: RangeOperation, A> {
    parts: RangeParts<O>,
    convert: Convert<O::Output, A>,
}

impl<O: RangeOperation, A: Send + 'static> AnyReading<A> for Typed<O, A>
where
    O::Output: Sync,
{
    fn next(&mut self) -> BoxFuture<'_, Option<AnyPart<A>>> {
        Box::pin(async move {
            Some(match self.parts.next().await? {
                Ok(part) => {
                    let (value, response) = part.response.into_parts();
                    let place = Place::Part { index: part.index, range: part.range.map(Range::any), duplicates: part.duplicates };
                    AnyPart::new(place, (self.convert)(Arc::new(value), response.into()))
                }
                Err(failure) => AnyPart::failed(failure),
            })
        })
    }

    fn progress(&self) -> Progress {
        self.parts.progress()
    }

    fn left(&self) -> Option<ResumeToken> {
        self.parts.resume_token()
    }
}
