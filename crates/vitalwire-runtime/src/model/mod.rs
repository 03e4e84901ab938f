//! What all models have in common: kept as JSON text, and read again.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, ProblemDetails, ProblemItem};
use crate::operation::{Interface, NO_INTERFACE};
use crate::value::NumberBasis;
use crate::value::decode::from_slice;

/// A model or one of its maps: it can be kept as JSON text and read again without loss.
///
/// What is read again is equal to what was written: instants to the nanosecond, integers of any length, unknown members, lists
/// that were null. Only what the numbers of nutrition records refer to is not in the text: keep [`Model::basis`] beside it.
pub trait Model: Serialize + DeserializeOwned + PartialEq + Send + Sync + 'static {
    /// Its name in the specification.
    const NAME: &'static str;

    /// The interface it is of.
    #[doc(hidden)]
    const INTERFACE: &'static Interface;

    /// What the numbers in it refer to; `None` where there are none that need it.
    #[must_use]
    fn basis(&self) -> Option<NumberBasis> {
        None
    }

    /// States what the numbers in it refer to. Without effect where none need it.
    fn set_basis(&mut self, basis: NumberBasis) {
        let _ = basis;
    }

    /// Compact JSON, as on the wire.
    ///
    /// # Errors
    /// None is known; [`ErrorKind::Internal`](crate::error::ErrorKind::Internal) would be one.
    fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("a record cannot be written"))
    }

    /// Reads JSON by the rules that hold for answers. The basis of numbers is then unknown.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) with the place, where the text is no such model.
    fn from_json(text: &[u8]) -> Result<Self, Error> {
        from_slice(text, Self::INTERFACE.members).map_err(Error::unreadable)
    }
}

/// Problem details are the engine's own, so that errors can hold them.
static PROBLEMS: Interface =
    Interface { members: &["detail", "errors", "instance", "location", "message", "status", "title", "type", "value"], ..NO_INTERFACE };

impl Model for ProblemDetails {
    const NAME: &'static str = "ProblemDetails";
    const INTERFACE: &'static Interface = &PROBLEMS;
}

impl Model for ProblemItem {
    const NAME: &'static str = "ProblemItem";
    const INTERFACE: &'static Interface = &PROBLEMS;
}
