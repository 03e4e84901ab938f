//! Undeclared fields, collected while their object is decoded.

use serde::de::Error;

use super::decode_state::{TOO_MUCH_MEMORY, charge};
use crate::value::Extra;
use crate::value::extra::FieldSpan;

/// Memory of the first unknown field of an object besides its text, in bytes. Includes the overhead of allocations.
const FIRST_FIELD_BYTES: usize = 192;

/// Initial capacity for the text of all fields, in bytes.
const INITIAL_TEXT_BYTES: usize = 96;

/// Undeclared fields, and declared ones of an unexpected type, in the order of the body.
#[derive(Default)]
pub(crate) struct UndeclaredFields {
    /// Name of each field, directly followed by the JSON text of its value.
    text: String,
    spans: Vec<FieldSpan>,
    /// Whether a declared field is among them. If the field occurs again, its last value counts.
    has_wrong_types: bool,
}

impl UndeclaredFields {
    /// Starts a field. Append the text of its value to [`UndeclaredFields::text`].
    pub(crate) fn begin<E: Error>(&mut self, name: &str) -> Result<(), E> {
        if self.spans.is_empty() {
            charge(FIRST_FIELD_BYTES)?;
            self.text.reserve(INITIAL_TEXT_BYTES);
            self.spans.reserve_exact(4);
        }
        charge(2 * size_of::<FieldSpan>() + name.len())?;
        let start = text_offset(self.text.len())?;
        self.spans.push(FieldSpan { start, name: text_offset(name.len())?, value: 0 });
        self.text.push_str(name);
        Ok(())
    }

    /// Returns the buffer for the text of the value.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Ends the current field.
    pub(super) fn end<E: Error>(&mut self) -> Result<(), E> {
        let end = text_offset::<E>(self.text.len())?;
        if let Some(span) = self.spans.last_mut() {
            span.value = end - span.start - span.name;
        }
        Ok(())
    }

    /// Keeps the value of a declared field of an unexpected type.
    pub(crate) fn wrong_type<E: Error>(&mut self, name: &str, text: &str) -> Result<(), E> {
        self.has_wrong_types = true;
        self.keep(name, text)
    }

    /// Keeps a field.
    pub(crate) fn keep<E: Error>(&mut self, name: &str, text: &str) -> Result<(), E> {
        self.begin(name)?;
        charge(text.len())?;
        self.text.push_str(text);
        self.end()
    }

    /// Discards an earlier value of a declared field that occurs again. An empty text marks the removal.
    #[inline]
    pub(crate) fn discard<E: Error>(&mut self, name: &str) -> Result<(), E> {
        if self.has_wrong_types { self.keep(name, "") } else { Ok(()) }
    }

    /// Returns the last value of each name, sorted by name.
    #[inline]
    pub(crate) fn finish(self) -> Extra {
        if self.spans.is_empty() { Extra::new() } else { self.sorted() }
    }

    fn sorted(mut self) -> Extra {
        let text = &self.text;
        // The sort is stable, so the last of equal names stays the last.
        self.spans.sort_by(|a, b| a.name_in(text).cmp(b.name_in(text)));
        self.spans.reverse();
        self.spans.dedup_by(|a, b| a.name_in(text) == b.name_in(text));
        self.spans.reverse();
        self.spans.retain(|span| span.value > 0);
        Extra::from_parts(self.text, self.spans)
    }
}

fn text_offset<E: Error>(length: usize) -> Result<u32, E> {
    u32::try_from(length).map_err(|_| E::custom(TOO_MUCH_MEMORY))
}
