//! Reads all parts of a range into one merged value.

use std::sync::Arc;

use super::error::{PartFailure, RangeError};
use super::merge::{DuplicateFilter, Merge, Merger, PartValue, merge_runs};
use super::merged::MergedRange;
use super::range_run::{OnError, Progress, RangeRun};
use crate::error::Error;

/// A run that merges parts as they arrive.
pub struct MergeRun<M: Merge> {
    run: RangeRun<PartValue<M::Value>>,
    merger: Merger<M>,
    failures: Vec<PartFailure>,
}

impl<M: Merge> MergeRun<M> {
    /// Creates a run that merges the parts of `run`.
    pub fn new(run: RangeRun<PartValue<M::Value>>, merge: M) -> Self {
        let filter = DuplicateFilter::new(merge.scope(false));
        Self::with_filter(run, merge, filter)
    }

    pub(super) fn with_filter(run: RangeRun<PartValue<M::Value>>, merge: M, filter: DuplicateFilter<M::Key>) -> Self {
        Self { run, merger: Merger::new(Arc::new(merge), filter), failures: Vec::new() }
    }

    /// Reads the next part and returns the progress. Returns `None` after the last part or after the error that stopped the run. Dropping
    /// the future loses no data.
    pub async fn step(&mut self) -> Option<Progress> {
        let failure = match self.run.next().await? {
            Ok((index, part)) => match self.merger.push(index, self.run.part(index), part) {
                Ok(items) => {
                    self.run.record_part(items);
                    return Some(self.run.progress);
                }
                Err(error) => self.run.record_failure(&[index], error.with_operation(self.merger.merge.operation())),
            },
            Err(failure) => failure,
        };
        self.failures.push(failure);
        (self.run.on_error == OnError::Collect).then_some(self.run.progress)
    }

    /// Returns the merged value.
    ///
    /// # Errors
    /// The first error if a failure stopped the run or every part failed.
    pub fn finish(self) -> Result<MergedRange<M::Value>, RangeError<MergedRange<M::Value>>> {
        let Self { run, merger, failures } = self;
        let resume = run.resume_token();
        let stopped = run.on_error == OnError::Stop && !failures.is_empty();
        let merge = Arc::clone(&merger.merge);
        let mut failed = run.failed;
        failed.sort_unstable();
        let merged = merger.finish(run.origin, run.plan.count, failed, resume.clone());
        let merged = merged.map(|(value, merged)| MergedRange {
            value,
            failures: Vec::new(),
            merged,
            merge_fn: Arc::new(move |value, later| merge_runs(&merge, value, later)),
        });
        match merged {
            Some(merged) if !stopped => Ok(MergedRange { failures, ..merged }),
            partial_result => {
                let error = failures.into_iter().next().map_or_else(|| Error::internal("a range has no part"), Error::from);
                Err(RangeError::new(error, partial_result, resume))
            }
        }
    }

    /// Reads all parts and returns the merged value.
    ///
    /// # Errors
    /// The errors of [`finish`](Self::finish).
    pub async fn collect(mut self) -> Result<MergedRange<M::Value>, RangeError<MergedRange<M::Value>>> {
        while self.step().await.is_some() {}
        self.finish()
    }
}
