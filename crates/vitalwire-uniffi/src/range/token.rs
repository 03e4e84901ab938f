//! Parsing of resume tokens, so that the packages can show their contents.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::ResumeToken;

use super::part::RangeBounds;
use crate::call::catch_panics;
use crate::error::ApiError;

/// Contents of a resume token.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ResumeTokenContents {
    /// Id of the operation, such as `daily_statistics`.
    pub operation: String,
    /// Number of remaining parts.
    pub parts_left: u32,
    /// Bounds of the whole range; absent if the range is open.
    pub range: Option<RangeBounds>,
}

/// Omits the bounds from debug output.
impl fmt::Debug for ResumeTokenContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResumeTokenContents({}, {} left)", self.operation, self.parts_left)
    }
}

/// Parses a resume token.
///
/// # Errors
/// Kind `invalid_argument` if the text is not a resume token.
#[uniffi::export]
pub fn parse_resume_token(text: &str) -> Result<ResumeTokenContents, ApiError> {
    catch_panics(|| {
        let token: ResumeToken = text.parse().map_err(|error: Error| error.with_argument("text"))?;
        Ok(ResumeTokenContents {
            operation: token.operation().to_owned(),
            parts_left: token.parts_left(),
            range: token.range().map(Into::into),
        })
    })
}
