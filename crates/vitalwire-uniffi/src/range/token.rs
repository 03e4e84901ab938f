//! What is left of a range, as text.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::ResumeToken;

use super::part::RangeBounds;
use crate::call::guarded;
use crate::error::ApiError;

/// What a resume token says of itself.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ResumeTokenFacts {
    /// The operation's id, such as `daily_statistics`.
    pub operation: String,
    /// Number of parts that are left.
    pub parts_left: u32,
    /// The whole range of the call, unless it is open.
    pub range: Option<RangeBounds>,
}

/// Shows no bounds.
impl fmt::Debug for ResumeTokenFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResumeTokenFacts({}, {} left)", self.operation, self.parts_left)
    }
}

/// Reads a resume token.
///
/// # Errors
/// Kind `invalid_argument` where the text is none.
#[uniffi::export]
pub fn resume_token_facts(text: &str) -> Result<ResumeTokenFacts, ApiError> {
    guarded(|| {
        let token: ResumeToken = text.parse().map_err(|error: Error| error.of_argument("text"))?;
        Ok(ResumeTokenFacts {
            operation: token.operation().to_owned(),
            parts_left: token.parts_left(),
            range: token.range().map(Into::into),
        })
    })
}
