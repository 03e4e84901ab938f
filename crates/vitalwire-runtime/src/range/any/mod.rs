//! Type-erased ranges, for bindings.
//!
//! `A` is the binding's type of a response. The rules for reading parts are implemented here, so that they are the same in every
//! language. Only one read is in progress at a time, and closing cancels it. A resume token is available in every state. Parts belong to
//! the process that started them.

mod collect;
mod merged;
mod parts;
mod source;

use std::fmt;
use std::sync::Arc;

pub use collect::{CollectStep, RangeCollect};
pub use merged::AnyMerged;
pub use parts::{AnyPart, AnyParts, Delivery, RangeStream, UndeliveredPart};

use super::merge_run::MergeRun;
use super::range_run::OnError;
use super::settings::RangeSettings;
use super::table_merge::TableMerge;
use crate::client::{CancelToken, Client};
use crate::error::Error;
use crate::table::{Table, TableSpec};

/// A call over a range, for any operation. Requests are sent when its parts are read, and each read sends them again.
///
/// Each read takes a client. The range keeps none, because it must not keep a closed client alive, and a forked process has its own client.
pub struct AnyRange<A>(Arc<dyn AnySource<A>>);

impl<A> Clone for AnyRange<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A: Send + 'static> AnyRange<A> {
    /// Creates a range from a source that is not a single operation.
    #[doc(hidden)]
    pub fn new(source: impl AnySource<A> + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// Id of the operation whose responses contain its tables.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.0.operation()
    }

    /// Name in texts and in resume tokens. Usually the id of its operation.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Action when a part fails.
    #[must_use]
    pub fn on_error(&self) -> OnError {
        self.0.settings().on_error
    }

    /// Returns the parts, for reading one by one.
    ///
    /// # Errors
    /// The errors of [`RangeCall::stream`](super::RangeCall::stream). Invalid arguments are rejected here.
    pub fn parts(&self, client: &Client) -> Result<AnyParts<A>, Error> {
        self.0.parts(client)
    }

    /// Returns a copy with its own cancellation token, which cancels only the calls of this copy. A cancelled range keeps the parts
    /// already read.
    #[must_use]
    pub fn with_token(&self) -> (Self, CancelToken) {
        let (source, token) = self.0.with_token();
        (Self(source), token)
    }

    /// Reads all parts and merges the responses.
    pub fn collect(&self, client: &Client) -> RangeCollect<A> {
        self.0.collect(client)
    }

    /// Returns the table that is read if no name is given. `None` if the operation decides.
    #[must_use]
    pub fn default_table(&self) -> Option<&'static TableSpec> {
        self.0.default_table()
    }

    /// Returns a copy whose tables have a row for each day without rows. `None` if the parts are not days.
    #[must_use]
    pub fn with_missing_rows(&self) -> Option<Self> {
        self.0.with_missing_rows().map(Self)
    }

    /// Returns a copy whose tables have values only in these columns, so that reading skips the others. A search of several operations reads
    /// all columns.
    #[must_use]
    pub fn with_columns(&self, columns: Arc<[String]>) -> Self {
        Self(self.0.with_columns(columns).unwrap_or_else(|| Arc::clone(&self.0)))
    }

    /// Reads all parts into one table. `convert` converts it to the binding's type.
    pub fn table<B: 'static>(
        &self,
        client: &Client,
        table: &'static TableSpec,
        convert: impl Fn(Arc<Table>) -> B + Send + Sync + 'static,
    ) -> RangeCollect<B> {
        RangeCollect::new(self.0.table(client, table), convert)
    }
}

/// Shows the operation, but no bounds.
impl<A: Send + 'static> fmt::Debug for AnyRange<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyRange").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// The source of a range. Implemented for calls of one operation, and for searches that combine several.
pub trait AnySource<A>: Send + Sync {
    /// See [`AnyRange::operation`].
    fn operation(&self) -> &'static str;

    /// See [`AnyRange::name`].
    fn name(&self) -> &'static str {
        self.operation()
    }

    /// The settings of the range.
    fn settings(&self) -> &RangeSettings;

    /// See [`AnyRange::with_token`].
    fn with_token(&self) -> (Arc<dyn AnySource<A>>, CancelToken);

    /// See [`AnyRange::parts`].
    fn parts(&self, client: &Client) -> Result<AnyParts<A>, Error>;

    /// Starts a run that merges the responses.
    fn collect(&self, client: &Client) -> RangeCollect<A>;

    /// See [`AnyRange::default_table`].
    fn default_table(&self) -> Option<&'static TableSpec> {
        None
    }

    /// See [`AnyRange::with_missing_rows`].
    fn with_missing_rows(&self) -> Option<Arc<dyn AnySource<A>>> {
        None
    }

    /// See [`AnyRange::with_columns`]. `None` if the source reads all columns.
    fn with_columns(&self, _columns: Arc<[String]>) -> Option<Arc<dyn AnySource<A>>> {
        None
    }

    /// Starts a run that merges tables.
    fn table(&self, client: &Client, table: &'static TableSpec) -> Result<MergeRun<TableMerge>, Error>;
}
