//! Errors of ranges and of their parts.

use std::fmt;

use super::bounds::RangeBounds;
use super::token::ResumeToken;
use crate::error::Error;

/// The error of a range that did not complete. `T` is the type of what was read before it, merged.
pub struct RangeError<T = ()>(Box<Inner<T>>);

struct Inner<T> {
    error: Error,
    so_far: Option<T>,
    resume: Option<ResumeToken>,
}

impl<T> RangeError<T> {
    /// Creates an error with what was read before it.
    #[doc(hidden)]
    pub fn new(error: Error, so_far: Option<T>, resume: Option<ResumeToken>) -> Self {
        Self(Box::new(Inner { error, so_far, resume }))
    }

    /// The error that ended the range.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// What was read before, merged.
    #[must_use]
    pub fn so_far(&self) -> Option<&T> {
        self.0.so_far.as_ref()
    }

    /// A token for what was not read; `None` if nothing was left or nothing began.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.0.resume.as_ref()
    }

    /// Returns what was read before, merged, and the error.
    #[must_use]
    pub fn into_parts(self) -> (Option<T>, Error) {
        (self.0.so_far, self.0.error)
    }

    /// Returns the same error with another type of what was read before.
    #[doc(hidden)]
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> RangeError<U> {
        RangeError::new(self.0.error, self.0.so_far.map(convert), self.0.resume)
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
        f.debug_struct("RangeError").field("error", &self.0.error).field("so_far", &self.0.so_far).finish_non_exhaustive()
    }
}

impl<T: fmt::Debug> std::error::Error for RangeError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.error)
    }
}

/// A part that could not be read.
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

    /// The error of the part.
    #[must_use]
    pub fn error(&self) -> &Error {
        self.error.error()
    }

    /// With [`OnError::Stop`](super::OnError::Stop), a token for this part and all after it. With
    /// [`OnError::Collect`](super::OnError::Collect) there is one for all failures when the stream has ended:
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
