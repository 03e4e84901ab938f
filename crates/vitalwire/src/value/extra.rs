//! Members of an answer that this version does not know.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// Unknown members of an object, and known ones whose value had an unexpected type, under their own names.
#[derive(Clone, PartialEq, Default)]
pub struct Extra(
    #[expect(clippy::box_collection, reason = "most records have none: one word instead of three")] Option<Box<BTreeMap<String, Value>>>,
);

impl Extra {
    /// No members: takes no memory of its own.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// The value of one member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// All members, sorted by name: serde_json's own map keeps another order when some other crate asks it to.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().flat_map(|members| members.iter()).map(|(name, value)| (name.as_str(), value))
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |members| members.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.0.get_or_insert_default().insert(name.into(), value);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(members) = &mut self.0 {
            members.remove(name);
            // Equal to one that never had a member.
            if members.is_empty() {
                self.0 = None;
            }
        }
    }
}

/// Redacted: states how many there are; unknown names may hold personal data too.
impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extra({} members)", self.len())
    }
}
