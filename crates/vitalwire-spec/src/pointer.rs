//! JSON pointers (RFC 6901), for the places of findings.

use std::fmt;

use serde_json::Value;

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Vec<String>);

impl Pointer {
    /// Returns the pointer to the whole document.
    pub fn root() -> Self {
        Self(Vec::new())
    }

    /// Returns the pointer to a component schema.
    pub fn schema(name: &str) -> Self {
        Self::root().join("components").join("schemas").join(name)
    }

    /// Returns the pointer one step deeper.
    pub fn join(&self, step: impl fmt::Display) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.to_string());
        Self(steps)
    }

    /// Returns the steps from the document's root.
    pub fn steps(&self) -> &[String] {
        &self.0
    }

    /// Returns the value at this place.
    pub fn find<'a>(&self, document: &'a Value) -> Option<&'a Value> {
        self.0.iter().try_fold(document, |value, step| match value {
            Value::Object(members) => members.get(step),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }
}

impl FromIterator<String> for Pointer {
    fn from_iter<I: IntoIterator<Item = String>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            write!(f, "/{}", step.replace('~', "~0").replace('/', "~1"))?;
        }
        if self.0.is_empty() { f.write_str("/") } else { Ok(()) }
    }
}
