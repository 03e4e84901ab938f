//! Members that nobody declared, gathered while their object is read.

use serde::de::Error;

use super::reading::{EXCEEDED, charge};
use crate::value::Extra;
use crate::value::extra::Place;

/// What the first unknown member of an object takes besides its text: allocations have a size of their own.
const FIRST: usize = 192;

/// Room for the text of the first member and those after it.
const TEXT: usize = 96;

/// Members that nobody declared, and known ones of an unexpected type, in the order in which they came.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Each member's name, and right after it the JSON text of its value.
    text: String,
    places: Vec<Place>,
    /// Whether a known member is among them: it may come again, and then the last value counts.
    has_wrong_types: bool,
}

impl Gathered {
    /// Begins a member by its name; its value's text is appended to [`Gathered::text`].
    pub(crate) fn begin<E: Error>(&mut self, name: &str) -> Result<(), E> {
        if self.places.is_empty() {
            charge(FIRST)?;
            self.text.reserve(TEXT);
            self.places.reserve_exact(4);
        }
        charge(2 * size_of::<Place>() + name.len())?;
        let start = at(self.text.len())?;
        self.places.push(Place { start, name: at(name.len())?, value: 0 });
        self.text.push_str(name);
        Ok(())
    }

    /// Where the value's text goes.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Ends the member that was begun.
    pub(super) fn end<E: Error>(&mut self) -> Result<(), E> {
        let end = at::<E>(self.text.len())?;
        if let Some(place) = self.places.last_mut() {
            place.value = end - place.start - place.name;
        }
        Ok(())
    }

    /// Keeps a known member's value of an unexpected type.
    pub(crate) fn wrong_type<E: Error>(&mut self, name: &str, text: &str) -> Result<(), E> {
        self.has_wrong_types = true;
        self.keep(name, text)
    }

    /// Keeps a member.
    pub(crate) fn keep<E: Error>(&mut self, name: &str, text: &str) -> Result<(), E> {
        self.begin(name)?;
        charge(text.len())?;
        self.text.push_str(text);
        self.end()
    }

    /// Forgets a known member's earlier value: it came again. An empty text stands for none.
    #[inline]
    pub(crate) fn forget<E: Error>(&mut self, name: &str) -> Result<(), E> {
        if self.has_wrong_types { self.keep(name, "") } else { Ok(()) }
    }

    /// Of each name the last value, sorted by name.
    #[inline]
    pub(crate) fn finish(self) -> Extra {
        if self.places.is_empty() { Extra::new() } else { self.sorted() }
    }

    fn sorted(mut self) -> Extra {
        let text = &self.text;
        // Stable: of equal names the last one stays the last.
        self.places.sort_by(|a, b| a.name_in(text).cmp(b.name_in(text)));
        self.places.reverse();
        self.places.dedup_by(|a, b| a.name_in(text) == b.name_in(text));
        self.places.reverse();
        self.places.retain(|place| place.value > 0);
        Extra::from_parts(self.text, self.places)
    }
}

fn at<E: Error>(length: usize) -> Result<u32, E> {
    u32::try_from(length).map_err(|_| E::custom(EXCEEDED))
}
