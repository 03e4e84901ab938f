//! Collects changes, and pairs the parts of two versions.

use super::rules::{Breaks, Rule};
use crate::ir::faces::Face;
use crate::ir::{Docs, Operation};

/// A change of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Kind of change.
    pub rule: Rule,
    /// Sentence for a changelog.
    pub text: String,
    /// Languages that have the changed part.
    pub faces: Vec<Face>,
}

impl Change {
    /// Returns what the change breaks in a language. Nothing if the language does not have the part.
    #[must_use]
    pub fn breaks(&self, face: Face) -> Breaks {
        if self.faces.contains(&face) { self.rule.breaks(face) } else { Breaks::NOTHING }
    }

    /// Whether the change breaks nothing in any language.
    pub(super) fn is_harmless(&self) -> bool {
        Face::ALL.iter().all(|face| self.breaks(*face) == Breaks::NOTHING)
    }
}

/// Changes found so far.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<Change>);

impl Found {
    pub(super) fn say(&mut self, rule: Rule, faces: &[Face], text: String) {
        self.0.push(Change { rule, text, faces: faces.to_vec() });
    }

    /// Reports a changed unit, and changes of deprecation and documentation. If both of the latter changed, only the deprecation is
    /// reported.
    pub(super) fn text(&mut self, faces: &[Face], what: &str, old: &Docs, new: &Docs) {
        if old.unit != new.unit {
            let unit = |docs: &Docs| docs.unit.clone().unwrap_or_else(|| "none".to_owned());
            self.say(Rule::Meant, faces, format!("The unit of {what} is {}, no longer {}.", unit(new), unit(old)));
        }
        if old.deprecated != new.deprecated {
            self.say(Rule::Words, faces, format!("{what} is {}deprecated.", if new.deprecated { "" } else { "no longer " }));
        } else if old.text != new.text {
            self.say(Rule::Words, faces, format!("The documentation of {what} changed."));
        }
    }

    /// Reports changed documentation and examples. Not for operations, which may share examples.
    pub(super) fn docs(&mut self, faces: &[Face], what: &str, old: &Docs, new: &Docs) {
        self.text(faces, what, old, new);
        if old.example != new.example {
            self.say(Rule::Words, faces, format!("The example of {what} changed."));
        }
    }
}

/// Returns the name of an operation with its group.
pub(super) fn call(operation: &Operation) -> String {
    format!("{}.{}", operation.group, operation.method)
}

/// A part that is in both versions or in one of them.
pub(super) enum Pair<'a, T> {
    New(&'a T),
    Old(&'a T),
    Both(&'a T, &'a T),
}

/// Pairs the parts of two lists by key and visits each pair.
pub(super) fn paired<'a, T>(old: &'a [T], new: &'a [T], key: impl Fn(&'a T) -> &'a str, mut visit: impl FnMut(Pair<'a, T>)) {
    for part in new {
        let before = old.iter().find(|before| key(before) == key(part));
        visit(before.map_or(Pair::New(part), |before| Pair::Both(before, part)));
    }
    old.iter().filter(|part| new.iter().all(|after| key(after) != key(part))).for_each(|part| visit(Pair::Old(part)));
}

/// Reports the languages that gain or lose a part.
pub(super) fn faces(what: &str, old: &[Face], new: &[Face], found: &mut Found) {
    for face in Face::ALL {
        match (old.contains(&face), new.contains(&face)) {
            (true, false) => found.say(Rule::Gone, &[face], format!("{what} is gone in {}.", face.name())),
            (false, true) => found.say(Rule::Added, &[face], format!("{what} is new in {}.", face.name())),
            _ => {}
        }
    }
}
