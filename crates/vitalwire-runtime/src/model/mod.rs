//! The trait of all models: conversion to and from JSON text.

use serde::Serialize;

use crate::error::{Error, ProblemDetails, ProblemItem};
use crate::operation::{EMPTY_INTERFACE, Interface};
use crate::value::NumberBasis;
use crate::value::decode::{FromBody, from_slice};

/// A model, or one of its maps. It can be stored as JSON text and read back without loss.
///
/// The value that is read back equals the original: instants to the nanosecond, integers of any length, unknown fields, and lists that
/// were null. Only the basis of the numbers in nutrition records is not part of the text. Store [`Model::basis`] with it.
pub trait Model: Serialize + FromBody + PartialEq + Send + Sync + 'static {
    /// Name in the specification.
    const NAME: &'static str;

    /// Interface that defines the model.
    #[doc(hidden)]
    const INTERFACE: &'static Interface;

    /// Basis of the numbers; `None` if the model has none that need it.
    #[must_use]
    fn basis(&self) -> Option<NumberBasis> {
        None
    }

    /// Sets the basis of the numbers. Has no effect on models without one.
    fn set_basis(&mut self, basis: NumberBasis) {
        let _ = basis;
    }

    /// Returns compact JSON, as sent by the service.
    ///
    /// A known field that was null is left out, and so is a null in a number map. Lists are different: an optional list that was null is
    /// written as null, and a required one as `[]`.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`](crate::error::ErrorKind::Internal) if the model cannot be written. No such case is known.
    fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("a record cannot be serialized"))
    }

    /// Parses JSON with the rules for responses. The basis of the numbers is then unknown.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode), with the path in the text, if the text is not valid for this model.
    fn from_json(text: &[u8]) -> Result<Self, Error> {
        from_slice(text, Self::INTERFACE.field_names).map_err(Error::from_decode_failure)
    }
}

/// Interface of problem details. The engine defines it, so that errors can contain problem details.
static PROBLEMS: Interface = Interface {
    field_names: &["detail", "errors", "instance", "location", "message", "status", "title", "type", "value"],
    ..EMPTY_INTERFACE
};

impl Model for ProblemDetails {
    const NAME: &'static str = "ProblemDetails";
    const INTERFACE: &'static Interface = &PROBLEMS;
}

impl Model for ProblemItem {
    const NAME: &'static str = "ProblemItem";
    const INTERFACE: &'static Interface = &PROBLEMS;
}
