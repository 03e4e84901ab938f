//! Errors of ranges and of their parts.

use std::fmt;

use super::bounds::RangeBounds;
use super::resume_token::ResumeToken;
use crate::error::Error;

/// Error of a range that did not complete. `T` is the type of the merged value of the parts read before the error.
pub struct RangeError<T = ()>(Box<Inner<T>>);

struct Inner<T> {
    error: Error,
    partial_result: Option<T>,
    resume: Option<ResumeToken>,
}

impl<T> RangeError<T> {
    /// Creates an error with the value merged so far.
    #[doc(hidden)]
    pub fn new(error: Error, partial_result: Option<T>, resume: Option<ResumeToken>) -> Self {
        Self(Box::new(Inner { error, partial_result, resume }))
    }

    /// The error that ended the range.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// Value merged before the error.
    #[must_use]
    pub fn partial_result(&self) -> Option<&T> {
        self.0.partial_result.as_ref()
    }

    /// Resume token for the parts that were not read; `None` if no parts were left or the range did not start.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.0.resume.as_ref()
    }

    /// Returns the value merged before the error, and the error.
    #[must_use]
    pub fn into_parts(self) -> (Option<T>, Error) {
        (self.0.partial_result, self.0.error)
    }

    /// Converts the merged value.
    #[doc(hidden)]
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> RangeError<U> {
        RangeError::new(self.0.error, self.0.partial_result.map(convert), self.0.resume)
    }
}

impl<T> From<Error> for RangeError<T> {
    fn from(error: Error) -> Self {
        Self::new(error, None, None)
    }
}

impl<T> From<RangeError<T>> for Error {
    fn from(error: RangeError<T>) -> Self {
        error.0.error
    }
}

impl<T> fmt::Display for RangeError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.error, f)
    }
}

impl<T: fmt::Debug> fmt::Debug for RangeError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeError").field("error", &self.0.error).field("partial_result", &self.0.partial_result).finish_non_exhaustive()
    }
}

impl<T: fmt::Debug> std::error::Error for RangeError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.error)
    }
}

/// A failed part.
pub struct PartFailure {
    index: u32,
    range: Option<RangeBounds>,
    error: RangeError,
}

impl PartFailure {
    pub(super) fn new(index: u32, range: Option<RangeBounds>, error: Error, resume: Option<ResumeToken>) -> Self {
        Self { index, range, error: RangeError::new(error, None, resume) }
    }

    /// Index among the parts of the whole range, from 0.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Range of the part; `None` if the range is open.
    #[must_use]
    pub fn range(&self) -> Option<RangeBounds> {
        self.range
    }

    /// Error of the part.
    #[must_use]
    pub fn error(&self) -> &Error {
        self.error.error()
    }

    /// Resume token for this part and all later parts, with [`OnError::Stop`](super::OnError::Stop). With
    /// [`OnError::Collect`](super::OnError::Collect), one token for all failures is available after the stream has ended:
    /// [`RangeParts::resume_token`](super::RangeParts::resume_token).
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.error.resume_token()
    }
}

impl From<PartFailure> for RangeError {
    fn from(failure: PartFailure) -> Self {
        failure.error
    }
}

impl From<PartFailure> for Error {
    fn from(failure: PartFailure) -> Self {
        failure.error.into()
    }
}

impl fmt::Display for PartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of the range failed: {}", self.index, self.error)
    }
}

impl fmt::Debug for PartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartFailure").field("index", &self.index).field("error", self.error()).finish_non_exhaustive()
    }
}

impl std::error::Error for PartFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.error())
    }
}
