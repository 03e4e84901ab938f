//! Where an answer came from: one response, or the merged responses to the parts of a call.

use std::fmt;

use super::{Projection, ResponseMetadata};

/// Where an answer came from. Its tables need it: rows that were not requested are unknown, and numbers requested by name are columns.
#[derive(Clone)]
pub struct Provenance(Origin);

#[derive(Clone)]
enum Origin {
    Response(ResponseMetadata),
    Merged { operation: &'static str, projection: Projection },
}

impl Provenance {
    /// Of responses to the parts of one call.
    pub(crate) fn merged(operation: &'static str, projection: Projection) -> Self {
        Self(Origin::Merged { operation, projection })
    }

    /// The facts about the response; `None` for a merged answer, which has several.
    #[must_use]
    pub fn response(&self) -> Option<&ResponseMetadata> {
        match &self.0 {
            Origin::Response(response) => Some(response),
            Origin::Merged { .. } => None,
        }
    }

    /// The operation's id, such as `get_sleep`; `None` of a raw request.
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
