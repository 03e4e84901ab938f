//! The operation that is being read, with its place in the specification.

use serde_json::{Map, Value};

use super::location::Location;
use crate::spec::{Pointer, Spec};

/// Context for reading one operation.
pub(super) struct Reader<'a> {
    pub(super) spec: &'a Spec,
    pub(super) schemas: &'a Map<String, Value>,
    pub(super) operation: &'a Value,
    pub(super) at: Location<'a>,
}

impl<'a> Reader<'a> {
    /// Returns the place of a component.
    pub(super) fn component(&self, name: &str) -> Location<'a> {
        Location::new(self.spec.path, Pointer::schema(name))
    }
}
