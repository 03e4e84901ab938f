//! uniffi's bindings for Swift as the package has them: read in place, without what nothing calls.

mod lean;
mod reader;

pub(super) use lean::called_alone;

/// uniffi's text, edited.
///
/// # Errors
/// Where it has other places than are edited here.
pub(super) fn edited(text: &str) -> anyhow::Result<String> {
    lean::without_texts(&reader::in_place(text)?)
}
