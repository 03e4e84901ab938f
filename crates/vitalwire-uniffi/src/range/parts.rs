//! Reader of the parts of a range.

use std::fmt;

use vitalwire::range::{AnyParts, OnError};

use super::part::{RangeFailure, RangePart, RangeProgress};
use super::{NightPart, RangeResponse};
use crate::call::catch_panics_async;
use crate::error::ApiError;

/// A reader of the parts of a range, for one caller at a time. Dropping the last reference aborts the parts in flight.
#[derive(uniffi::Object)]
pub struct NativeParts {
    parts: AnyParts<RangeResponse>,
    on_error: OnError,
}

/// Result of a reading: a part, a night or a failure. After the last part, all three are absent.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeReading {
    /// A part of an operation's range.
    pub part: Option<RangePart>,
    /// A result of a search.
    pub night: Option<NightPart>,
    /// The failure that ended the range call, or rejected a concurrent reading.
    pub failure: Option<RangeFailure>,
    /// Progress of the range call, including this result.
    pub progress: RangeProgress,
    /// Text of a resume token for the parts that were not returned yet; absent if there are none.
    pub resume_token: Option<String>,
}

/// Shows the progress, but no values, in debug output.
impl fmt::Debug for RangeReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangeReading({} of {})", self.progress.done, self.progress.total)
    }
}

impl NativeParts {
    pub(super) fn new(parts: AnyParts<RangeResponse>, on_error: OnError) -> Self {
        Self { parts, on_error }
    }
}

#[uniffi::export(async_runtime = "tokio")]
impl NativeParts {
    /// Reads the next part. A failed part is returned with its error if failures are collected; otherwise it ends the range call.
    pub async fn next(&self) -> Result<RangeReading, ApiError> {
        catch_panics_async(async {
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
            Ok(RangeReading { part, night, failure, progress: self.parts.progress().into(), resume_token: self.resume_token() })
        })
        .await
    }

    /// Returns the progress as of the last part that was returned.
    pub fn progress(&self) -> RangeProgress {
        self.parts.progress().into()
    }

    /// Returns the text of a resume token for the parts that failed or were not returned yet; absent if there are none.
    pub fn resume_token(&self) -> Option<String> {
        self.parts.resume_token().map(|token| token.to_string())
    }

    /// Aborts the parts in flight, including a pending reading.
    pub fn close_parts(&self) {
        self.parts.close();
    }
}
