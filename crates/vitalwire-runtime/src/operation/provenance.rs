//! Provenance of a value: one response, or the merged responses of a range call.

use std::fmt;

use super::{Projection, ResponseMetadata};

/// Provenance of a value: one response, or the merged responses of a range call. Tables need it to tell rows that were not requested from
/// absent ones.
#[derive(Clone)]
pub struct Provenance(Origin);

#[derive(Clone)]
enum Origin {
    Response(ResponseMetadata),
    Merged { operation: &'static str, projection: Projection },
}

impl Provenance {
    /// Creates the provenance of the merged parts of a range call.
    pub(crate) fn merged(operation: &'static str, projection: Projection) -> Self {
        Self(Origin::Merged { operation, projection })
    }

    /// Returns the metadata of the response. Returns `None` for a merged value, which has several.
    #[must_use]
    pub fn response(&self) -> Option<&ResponseMetadata> {
        match &self.0 {
            Origin::Response(response) => Some(response),
            Origin::Merged { .. } => None,
        }
    }

    /// Returns the id of the operation, such as `get_sleep`. Returns `None` for a raw request.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        match &self.0 {
            Origin::Response(response) => response.operation(),
            Origin::Merged { operation, .. } => Some(operation),
        }
    }
}

impl From<ResponseMetadata> for Provenance {
    fn from(response: ResponseMetadata) -> Self {
        Self(Origin::Response(response))
    }
}

impl AsRef<Projection> for ResponseMetadata {
    fn as_ref(&self) -> &Projection {
        &self.projection
    }
}

impl AsRef<Projection> for Provenance {
    fn as_ref(&self) -> &Projection {
        match &self.0 {
            Origin::Response(response) => &response.projection,
            Origin::Merged { projection, .. } => projection,
        }
    }
}

impl fmt::Debug for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provenance").field("operation", &self.operation()).field("response", &self.response()).finish()
    }
}
