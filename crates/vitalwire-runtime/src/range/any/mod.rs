//! Ranges behind one type: a call made in parts whose operation's types are put away.
//!
//! Bindings hold these: `A` is what a binding makes of an answer, such as a record of its own. Everything that a reader of parts may
//! do is decided here, so that it is the same in every language: one reading at a time, closing while a part is read, what is left in
//! every state, and parts that belong to the process that began them.

mod gather;
mod merged;
mod part;
mod split;
mod turns;

use std::fmt;
use std::sync::Arc;

pub use gather::{Gathering, Step};
pub use merged::{AnyMerged, Half};
pub use part::{AnyFailure, AnyPart, Place};
pub use turns::AnyParts;

use super::split::OnError;
use super::state::{Progress, Report};
use super::token::ResumeToken;
use crate::client::{BoxFuture, CancelToken, Client};
use crate::error::Error;
use crate::table::{Table, TableSpec};

/// A call over a range, of any operation. Nothing is requested before its parts are read, and each reading requests anew.
///
/// It holds no client: each reading is given one, since a closed client shall not live on in a range, and a forked process has its own.
pub struct AnyRange<A>(Arc<dyn AnySource<A>>);

impl<A> Clone for AnyRange<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// What is merged, or why there is less than all.
pub(super) type Ended<T> = Result<AnyMerged<T>, AnyFailure<AnyMerged<T>>>;

impl<A: Send + 'static> AnyRange<A> {
    /// Of a source that is not a single operation.
    #[doc(hidden)]
    pub fn new(source: impl AnySource<A> + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// The id of the operation whose responses hold its tables.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.0.operation()
    }

    /// Its name where it is shown and in resume tokens; mostly the id of its operation.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// What happens when a part fails.
    #[must_use]
    pub fn on_error(&self) -> OnError {
        self.0.on_error()
    }

    /// Returns the parts, to be read one by one.
    ///
    /// # Errors
    /// Those of [`RangeCall::stream`](super::RangeCall::stream): what cannot be requested is refused here.
    pub fn parts(&self, client: &Client) -> Result<AnyParts<A>, Error> {
        self.0.parts(client).map(AnyParts::new)
    }

    /// The same range for one reading, and what ends its calls alone. What is cancelled keeps what was read, as a range does whose own token is
    /// cancelled.
    #[must_use]
    pub fn apart(&self) -> (Self, CancelToken) {
        let (source, token) = self.0.apart();
        (Self(source), token)
    }

    /// Reads every part and merges the answers.
    pub fn collect(&self, client: &Client) -> Gathering<A> {
        Gathering::new(|report| self.0.collect(client, report))
    }

    /// Reads every part into one table.
    pub fn table(&self, client: &Client, table: &'static TableSpec) -> Gathering<Arc<Table>> {
        Gathering::new(|report| self.0.table(client, table, report))
    }
}

/// Shows what is requested, no bounds.
impl<A: Send + 'static> fmt::Debug for AnyRange<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyRange").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// What a range reads. Implemented for calls of one operation here, and where several are combined.
pub trait AnySource<A>: Send + Sync {
    /// See [`AnyRange::operation`].
    fn operation(&self) -> &'static str;

    /// See [`AnyRange::name`].
    fn name(&self) -> &'static str {
        self.operation()
    }

    /// See [`AnyRange::on_error`].
    fn on_error(&self) -> OnError;

    /// See [`AnyRange::apart`].
    fn apart(&self) -> (Arc<dyn AnySource<A>>, CancelToken);

    /// The parts as they come. Nothing is requested yet.
    fn parts(&self, client: &Client) -> Result<Box<dyn AnyReading<A>>, Error>;

    /// The parts as one answer.
    fn collect(&self, client: &Client, report: Option<Report>) -> BoxFuture<'static, Ended<A>>;

    /// The parts as one table.
    fn table(&self, client: &Client, table: &'static TableSpec, report: Option<Report>) -> BoxFuture<'static, Ended<Arc<Table>>>;
}

/// The parts of a range, as they come.
pub trait AnyReading<A>: Send {
    /// The next one; `None` after the last.
    fn next(&mut self) -> BoxFuture<'_, Option<AnyPart<A>>>;

    /// How far it is.
    fn progress(&self) -> Progress;

    /// A token for what was not handed out yet.
    fn left(&self) -> Option<ResumeToken>;
}
