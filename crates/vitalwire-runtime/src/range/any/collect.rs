//! Collects a range part by part.

use std::fmt;
use std::sync::Arc;

use super::super::error::RangeError;
use super::super::merge::Merge;
use super::super::merge_run::MergeRun;
use super::super::range_run::Progress;
use super::merged::AnyMerged;
use crate::client::BoxFuture;
use crate::error::Error;

/// A range that is being collected. Dropping it cancels the parts in flight.
#[must_use = "no request is sent before the first read"]
pub struct RangeCollect<A>(Option<Result<Box<dyn AnyMerge<A>>, Error>>);

/// A step of collecting a range.
#[derive(Debug)]
pub enum CollectStep<A: 'static> {
    /// A part is complete.
    Progress(Progress),
    /// All parts are complete.
    Ended(AnyMerged<A>),
}

impl<A: 'static> RangeCollect<A> {
    /// Erases the types of a run, or stores the error that prevented its start. `convert` converts the merged value to the binding's type.
    #[doc(hidden)]
    pub fn new<M: Merge<Value: Clone + Sync>>(
        run: Result<MergeRun<M>, Error>,
        convert: impl Fn(Arc<M::Value>) -> A + Send + Sync + 'static,
    ) -> Self {
        Self(Some(run.map(|run| Box::new(ConvertedRun { run, convert }) as Box<dyn AnyMerge<A>>)))
    }

    /// Reads the next part, or returns the merged range after the last one. Dropping the future loses no data.
    ///
    /// # Errors
    /// The error that ended the range; an internal error after the end.
    pub async fn step(&mut self) -> Result<CollectStep<A>, RangeError<AnyMerged<A>>> {
        if let Some(Ok(run)) = &mut self.0
            && let Some(progress) = run.step().await
        {
            return Ok(CollectStep::Progress(progress));
        }
        let run = self.0.take().ok_or_else(|| Error::internal("the range has already ended"))?;
        run?.finish().map(CollectStep::Ended)
    }

    /// Reads all parts, and calls `listener` after each.
    ///
    /// # Errors
    /// The error that ended the range.
    pub async fn collect(mut self, mut listener: impl FnMut(Progress)) -> Result<AnyMerged<A>, RangeError<AnyMerged<A>>> {
        loop {
            match self.step().await? {
                CollectStep::Progress(progress) => listener(progress),
                CollectStep::Ended(merged) => return Ok(merged),
            }
        }
    }
}

impl<A> fmt::Debug for RangeCollect<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeCollect").field("ended", &self.0.is_none()).finish_non_exhaustive()
    }
}

/// A type-erased run that merges parts.
trait AnyMerge<A>: Send {
    fn step(&mut self) -> BoxFuture<'_, Option<Progress>>;

    fn finish(self: Box<Self>) -> Result<AnyMerged<A>, RangeError<AnyMerged<A>>>;
}

struct ConvertedRun<M: Merge, F> {
    run: MergeRun<M>,
    convert: F,
}

impl<M, A, F> AnyMerge<A> for ConvertedRun<M, F>
where
    M: Merge<Value: Clone + Sync>,
    A: 'static,
    F: Fn(Arc<M::Value>) -> A + Send + Sync + 'static,
{
    fn step(&mut self) -> BoxFuture<'_, Option<Progress>> {
        Box::pin(self.run.step())
    }

    fn finish(self: Box<Self>) -> Result<AnyMerged<A>, RangeError<AnyMerged<A>>> {
        let Self { run, convert } = *self;
        match run.finish() {
            Ok(merged) => Ok(AnyMerged::new(merged, convert)),
            Err(error) => Err(error.map(|partial_result| AnyMerged::new(partial_result, convert))),
        }
    }
}
