//! Type-erased calls of one operation.

use std::sync::Arc;

use super::super::RangeOperation;
use super::super::merge_run::MergeRun;
use super::super::range_call::{CallSetup, RangeCall};
use super::super::settings::RangeSettings;
use super::super::table_merge::TableMerge;
use super::collect::RangeCollect;
use super::parts::{AnyPart, AnyParts};
use super::{AnyRange, AnySource};
use crate::client::{CancelToken, Client};
use crate::error::Error;
use crate::operation::Provenance;
use crate::table::TableSpec;

/// Converts a response to the binding's type.
type Convert<T, A> = Arc<dyn Fn(Arc<T>, Provenance) -> A + Send + Sync>;

impl<O: RangeOperation<Output: Clone + Sync>> RangeCall<O> {
    /// Erases the types of the operation. `convert` converts a response to the binding's type.
    ///
    /// The client and the progress listener are dropped: see [`AnyRange`] and [`RangeCollect`](super::RangeCollect).
    pub fn erased<A: Send + 'static>(self, convert: impl Fn(Arc<O::Output>, Provenance) -> A + Send + Sync + 'static) -> AnyRange<A> {
        AnyRange::new(ErasedCall { setup: self.setup, convert: Arc::new(convert), columns: None })
    }
}

struct ErasedCall<O: RangeOperation, A> {
    setup: CallSetup<O>,
    convert: Convert<O::Output, A>,
    /// Columns to read into a table. Defaults to all.
    columns: Option<Arc<[String]>>,
}

impl<O: RangeOperation<Output: Clone + Sync>, A: Send + 'static> AnySource<A> for ErasedCall<O, A> {
    fn operation(&self) -> &'static str {
        O::META.id
    }

    fn settings(&self) -> &RangeSettings {
        &self.setup.settings
    }

    fn with_token(&self) -> (Arc<dyn AnySource<A>>, CancelToken) {
        let (setup, token) = self.setup.with_token();
        (Arc::new(Self { setup, convert: Arc::clone(&self.convert), columns: self.columns.clone() }), token)
    }

    fn parts(&self, client: &Client) -> Result<AnyParts<A>, Error> {
        let convert = Arc::clone(&self.convert);
        let parts = self.setup.call(client).stream()?;
        Ok(AnyParts::new(parts, move |part| match part {
            Ok(part) => {
                let (value, metadata) = part.response.into_parts();
                AnyPart {
                    index: Some(part.index),
                    range: part.range.map(Into::into),
                    days: Vec::new(),
                    duplicates: part.duplicates,
                    response: Ok(convert(Arc::new(value), metadata.into())),
                }
            }
            Err(failure) => AnyPart::failed(failure),
        }))
    }

    fn collect(&self, client: &Client) -> RangeCollect<A> {
        let (convert, provenance) = (Arc::clone(&self.convert), Provenance::merged(O::META.id, self.setup.projection()));
        RangeCollect::new(self.setup.call(client).merge(), move |value| convert(value, provenance.clone()))
    }

    fn table(&self, client: &Client, table: &'static TableSpec) -> Result<MergeRun<TableMerge>, Error> {
        self.setup.call(client).merge_tables(table, self.setup.columns(), self.columns.as_deref())
    }

    fn with_columns(&self, columns: Arc<[String]>) -> Option<Arc<dyn AnySource<A>>> {
        Some(Arc::new(Self { setup: self.setup.clone(), convert: Arc::clone(&self.convert), columns: Some(columns) }))
    }
}
