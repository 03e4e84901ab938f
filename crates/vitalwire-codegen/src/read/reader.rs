//! An operation that is being read, and where it stands.

use serde_json::{Map, Value};

use super::spot::Spot;
use crate::spec::{Pointer, Spec};

/// Reads one operation.
pub(super) struct Reader<'a> {
    pub(super) spec: &'a Spec,
    pub(super) schemas: &'a Map<String, Value>,
    pub(super) operation: &'a Value,
    pub(super) at: Spot<'a>,
}

impl<'a> Reader<'a> {
    /// Where a component is.
    pub(super) fn component(&self, name: &str) -> Spot<'a> {
        Spot::new(self.spec.path, Pointer::schema(name))
    }
}
