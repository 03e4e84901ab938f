//! Which overlay wrote what: a finding names the file in which it can be mended.

use std::collections::BTreeMap;

use crate::Pointer;

/// An action of an overlay.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// The overlay, as it is shown.
    pub(crate) file: String,
    /// The action's place in it.
    pub(crate) at: Pointer,
}

/// The places of a specification that overlays wrote, each with the action that did it last. An item of an array counts as it was
/// when it was added: what was removed before it since is not followed.
#[derive(Debug, Default)]
pub struct Origins(BTreeMap<Pointer, Action>);

impl Origins {
    pub(crate) fn add(&mut self, place: Pointer, file: &str, at: &Pointer) {
        self.0.insert(place, Action { file: file.to_owned(), at: at.clone() });
    }

    /// The action that wrote a place, or the nearest value around it.
    pub(crate) fn of(&self, place: &Pointer) -> Option<&Action> {
        let steps = place.steps();
        (0..=steps.len()).rev().find_map(|length| self.0.get(&steps[..length].iter().cloned().collect()))
    }
}
