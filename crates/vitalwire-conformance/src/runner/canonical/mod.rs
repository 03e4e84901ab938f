//! Canonical JSON (see `tests/conformance/README.md`), built through the public API.

mod bases;
mod object;
mod time;
mod values;

use serde_json::Value;

pub use bases::Bases;
pub(super) use object::Object;
pub(super) use values::{canonical_texts, name, numbers, series};

/// A type with a form in canonical JSON.
pub trait Canonical {
    /// Returns the canonical JSON. Adds the basis of nutritional numbers to `bases`.
    fn canonical(&self, bases: &mut Bases) -> Value;
}

/// Returns the canonical JSON of a value, and the basis of its nutritional numbers if it has any.
pub fn to_canonical(value: &impl Canonical) -> (Value, Option<&'static str>) {
    let mut bases = Bases::default();
    (value.canonical(&mut bases), bases.basis())
}
