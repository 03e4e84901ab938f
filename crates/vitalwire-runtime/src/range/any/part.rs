//! A part of a range, whatever its operation.

use std::convert::Infallible;
use std::fmt;

use super::super::bounds::AnyBounds;
use super::super::error::RangeError;
use super::super::stream::PartFailure;
use super::super::token::ResumeToken;
use super::super::{Range, RangeOperation};
use crate::error::Error;
use crate::value::Date;

/// What is handed out: the answer to one part, or its failure.
#[derive(Debug)]
#[non_exhaustive]
pub struct AnyPart<A> {
    /// Where it is in the range.
    pub place: Place,
    /// Its answer.
    pub answer: Result<A, AnyFailure>,
}

/// Where an answer is in a range.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// It is the answer to a part.
    Part {
        /// Index among the parts of the whole range, from 0.
        index: u32,
        /// Range of the part; `None` if the range is open.
        range: Option<AnyBounds>,
        /// Number of items that were left out because the previous part had them.
        duplicates: usize,
    },
    /// It is a record that was found on these days.
    Days(Vec<Date>),
}

/// Shows no bounds and no days.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part { index, duplicates, .. } => {
                f.debug_struct("Part").field("index", index).field("duplicates", duplicates).finish_non_exhaustive()
            }
            Self::Days(days) => f.debug_tuple("Days").field(&days.len()).finish(),
        }
    }
}

impl<A> AnyPart<A> {
    /// An answer at its place.
    #[doc(hidden)]
    pub fn new(place: Place, answer: A) -> Self {
        Self { place, answer: Ok(answer) }
    }

    /// A part that failed.
    #[doc(hidden)]
    pub fn failed<O: RangeOperation>(failure: PartFailure<O>) -> Self {
        let place = Place::Part { index: failure.index(), range: failure.range().map(Range::any), duplicates: 0 };
        let resume = failure.resume_token().cloned();
        Self { place, answer: Err(AnyFailure::leaving(failure.into(), resume)) }
    }

    /// Index among the parts of the whole range; `None` for a record that was found.
    #[must_use]
    pub fn index(&self) -> Option<u32> {
        match self.place {
            Place::Part { index, .. } => Some(index),
            Place::Days(_) => None,
        }
    }

    /// The same, at another place.
    #[doc(hidden)]
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }
}

/// Why a part has no answer, or a range not all of them. `T` is what was read before the end of a range that is collected.
pub struct AnyFailure<T = Infallible>(Box<Inner<T>>);

/// Boxed: it is rarely there, and results are moved a lot.
struct Inner<T> {
    error: Error,
    resume: Option<ResumeToken>,
    so_far: Option<T>,
}

impl<T> AnyFailure<T> {
    /// An error, and what it leaves.
    pub(super) fn leaving(error: Error, resume: Option<ResumeToken>) -> Self {
        Self(Box::new(Inner { error, resume, so_far: None }))
    }

    /// A range that ended early.
    #[doc(hidden)]
    pub fn stopped<O: RangeOperation, S>(error: RangeError<O, S>, merged: impl FnOnce(S) -> T) -> Self {
        let resume = error.resume_token().cloned();
        let (so_far, error) = error.into_parts();
        Self(Box::new(Inner { error, resume, so_far: so_far.map(merged) }))
    }

    /// The same, with what `make` makes of what was read before.
    pub(super) fn map<U>(self, make: impl FnOnce(T) -> U) -> AnyFailure<U> {
        let Inner { error, resume, so_far } = *self.0;
        AnyFailure(Box::new(Inner { error, resume, so_far: so_far.map(make) }))
    }

    /// The error.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// A token for what was not read; `None` if nothing was left or nothing began.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.0.resume.as_ref()
    }

    /// The error, a token for what was not read, and what was read before.
    #[must_use]
    pub fn into_parts(self) -> (Error, Option<ResumeToken>, Option<T>) {
        let Inner { error, resume, so_far } = *self.0;
        (error, resume, so_far)
    }
}

impl<T> From<Error> for AnyFailure<T> {
    fn from(error: Error) -> Self {
        Self::leaving(error, None)
    }
}

impl<T> From<AnyFailure<T>> for Error {
    fn from(failure: AnyFailure<T>) -> Self {
        failure.0.error
    }
}

impl<T> fmt::Display for AnyFailure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.error, f)
    }
}

impl<T> fmt::Debug for AnyFailure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyFailure").field("error", &self.0.error).field("resume", &self.0.resume).finish_non_exhaustive()
    }
}

impl<T> std::error::Error for AnyFailure<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.error)
    }
}
