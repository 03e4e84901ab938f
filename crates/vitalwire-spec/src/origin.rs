//! Tracks which overlay wrote a place, so that a finding can name the file to fix.

use std::collections::BTreeMap;

use crate::Pointer;

/// An action of an overlay.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// Displayed path of the overlay.
    pub(crate) file: String,
    /// Place of the action in the overlay.
    pub(crate) at: Pointer,
}

/// Places of a specification that overlays wrote, each with the last action that did. Indices of array items are those at the time of
/// writing; later removals of earlier items are not tracked.
#[derive(Debug, Default)]
pub struct Origins(BTreeMap<Pointer, Action>);

impl Origins {
    pub(crate) fn add(&mut self, place: Pointer, file: &str, at: &Pointer) {
        self.0.insert(place, Action { file: file.to_owned(), at: at.clone() });
    }

    /// Returns the action that wrote a place or its nearest written ancestor.
    pub(crate) fn find(&self, place: &Pointer) -> Option<&Action> {
        let steps = place.steps();
        (0..=steps.len()).rev().find_map(|length| self.0.get(&steps[..length].iter().cloned().collect()))
    }
}
