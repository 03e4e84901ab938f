//! A range that is collected part by part.

use std::fmt;

use super::super::error::RangeError;
use super::super::run::Progress;
use super::merged::AnyMerged;
use super::source::ErasedMerge;
use crate::error::Error;

/// A range that is being collected. Dropping it ends running parts.
#[must_use = "nothing is requested before it is read"]
pub struct RangeCollect<A>(Option<Result<ErasedMerge<A>, Error>>);

/// A step of a range that is being collected.
#[derive(Debug)]
pub enum CollectStep<A: 'static> {
    /// A part is done.
    Progress(Progress),
    /// All parts are done.
    Ended(AnyMerged<A>),
}

impl<A: 'static> RangeCollect<A> {
    pub(super) fn new(run: Result<ErasedMerge<A>, Error>) -> Self {
        Self(Some(run))
    }

    /// Reads the next part, or returns the merged range after the last one. A step that is dropped loses nothing.
    ///
    /// # Errors
    /// The error that ended the range; an internal error after the end.
    pub async fn step(&mut self) -> Result<CollectStep<A>, RangeError<AnyMerged<A>>> {
        if let Some(Ok(run)) = &mut self.0
            && let Some(progress) = run.0.step().await
        {
            return Ok(CollectStep::Progress(progress));
        }
        let run = self.0.take().ok_or_else(|| Error::internal("a range ended without a result"))?;
        run?.0.finish().map(CollectStep::Ended)
    }

    /// Reads every part, and calls `listener` after each.
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
