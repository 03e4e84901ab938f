//! The error of a split call that did not complete.

use std::fmt;
use std::marker::PhantomData;

use super::RangeOperation;
use super::merge::MergedRange;
use super::stream::PartFailure;
use super::token::ResumeToken;
use crate::error::Error;

/// The error of a split call, with what was read before it.
///
/// `T` is what the responses are merged into: [`MergedRange`], or [`MergedTable`](super::MergedTable) for a table.
pub struct RangeError<O: RangeOperation, T = MergedRange<O>>(Box<Inner<T>>, PhantomData<fn() -> O>);

struct Inner<T> {
    error: Error,
    so_far: Option<T>,
    resume: Option<ResumeToken>,
}

impl<O: RangeOperation, T> RangeError<O, T> {
    /// Creates the error from the failures of a run; the first one is the cause.
    #[doc(hidden)]
    pub fn new(failures: Vec<PartFailure<O>>, so_far: Option<T>, resume: Option<ResumeToken>) -> Self {
        let error = failures.into_iter().next().map_or_else(|| Error::internal("a split call had no part"), Error::from);
        Self(Box::new(Inner { error, so_far, resume }), PhantomData)
    }

    /// The error that ended the call.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// What was read before, merged.
    #[must_use]
    pub fn so_far(&self) -> Option<&T> {
        self.0.so_far.as_ref()
    }

    /// A token for what was not read; `None` if the split never started.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.0.resume.as_ref()
    }

    /// What was read before, merged, and the error.
    #[must_use]
    pub fn into_parts(self) -> (Option<T>, Error) {
        (self.0.so_far, self.0.error)
    }
}

impl<O: RangeOperation, T> From<Error> for RangeError<O, T> {
    fn from(error: Error) -> Self {
        Self(Box::new(Inner { error, so_far: None, resume: None }), PhantomData)
    }
}

impl<O: RangeOperation, T> From<RangeError<O, T>> for Error {
    fn from(error: RangeError<O, T>) -> Self {
        error.0.error
    }
}

impl<O: RangeOperation, T> fmt::Display for RangeError<O, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.error, f)
    }
}

impl<O: RangeOperation, T: fmt::Debug> fmt::Debug for RangeError<O, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeError").field("error", &self.0.error).field("so_far", &self.0.so_far).finish_non_exhaustive()
    }
}

impl<O: RangeOperation, T: fmt::Debug> std::error::Error for RangeError<O, T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.error)
    }
}
