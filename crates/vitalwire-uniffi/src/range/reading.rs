//! The parts of a range, read one after the other.

use std::fmt;

use vitalwire::range::{AnyParts, OnError};

use super::part::{RangeFailure, RangePart, RangeProgress};
use super::{Answered, NightPart};
use crate::call::guarded_call;
use crate::error::ApiError;

/// The parts of a range, which one reading at a time has. When the last reference is gone, running parts end.
#[derive(uniffi::Object)]
pub struct NativeParts {
    parts: AnyParts<Answered>,
    on_error: OnError,
}

/// What came of a reading: a part, a night, a failure, or none of them after the last part.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeReading {
    /// The part of an operation's range.
    pub part: Option<RangePart>,
    /// What a search found.
    pub night: Option<NightPart>,
    /// What ended the range, or refused the reading.
    pub failure: Option<RangeFailure>,
    /// How far the range is.
    pub progress: RangeProgress,
    /// The text of a token for what was not handed out yet; absent if nothing is left.
    pub left: Option<String>,
}

/// Shows how far it is, no values.
impl fmt::Debug for RangeReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangeReading({} of {})", self.progress.done, self.progress.total)
    }
}

impl NativeParts {
    pub(super) fn of(parts: AnyParts<Answered>, on_error: OnError) -> Self {
        Self { parts, on_error }
    }
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeParts {
    /// Reads the next part. One that failed is handed out with its error where failures are collected, and else ends the range.
    pub async fn next(&self) -> Result<RangeReading, ApiError> {
        guarded_call(async {
            let (mut part, mut night, mut failure) = (None, None, None);
            match self.parts.next().await {
                Ok(Some(next)) if next.response.is_err() && matches!(self.on_error, OnError::Stop) => {
                    failure = next.response.err().map(Into::into)
                }
                Ok(Some(next)) if next.index.is_none() => night = Some(next.try_into()?),
                Ok(Some(next)) => part = Some(next.try_into()?),
                Ok(None) => {}
                Err(failed) => failure = Some(failed.into()),
            }
            Ok(RangeReading { part, night, failure, progress: self.parts.progress().into(), left: self.left() })
        })
        .await
    }

    /// How far the range is, as of the last part that was handed out.
    pub fn progress(&self) -> RangeProgress {
        self.parts.progress().into()
    }

    /// The text of a token for all parts that have failed or were not handed out, in every state; absent if nothing is left.
    pub fn left(&self) -> Option<String> {
        self.parts.resume_token().map(|token| token.to_string())
    }

    /// Ends what is on its way, a reading too.
    pub fn close_parts(&self) {
        self.parts.close();
    }
}
