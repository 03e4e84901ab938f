//! Canonical JSON (see `tests/conformance/README.md`), built from what users read.

mod bases;
mod leaf;
mod normalize;
mod object;
mod time;

use serde_json::Value;

pub use bases::Bases;
pub(super) use leaf::{canonical_texts, name, numbers, series};
pub(super) use object::Object;

/// What has a form in canonical JSON.
pub trait Canonical {
    /// Its canonical JSON; what its nutritional numbers refer to is told to `bases`.
    fn canonical(&self, bases: &mut Bases) -> Value;
}

/// The canonical JSON of a value, and what its nutritional numbers refer to where it has any.
pub fn of(value: &impl Canonical) -> (Value, Option<&'static str>) {
    let mut bases = Bases::default();
    (value.canonical(&mut bases), bases.basis())
}
