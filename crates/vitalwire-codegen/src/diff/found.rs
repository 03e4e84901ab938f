//! The changes that were found, and how parts of two contracts are paired.

use super::rules::{Breaks, Rule};
use crate::ir::faces::Face;
use crate::ir::{Docs, Operation};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of change it is.
    pub rule: Rule,
    /// A sentence for a changelog.
    pub text: String,
    /// The languages that have what changed.
    pub faces: Vec<Face>,
}

impl Change {
    /// What it breaks for callers in a language; nothing where that language does not have it.
    #[must_use]
    pub fn breaks(&self, face: Face) -> Breaks {
        if self.faces.contains(&face) { self.rule.breaks(face) } else { Breaks::NOTHING }
    }

    /// Whether no caller in any language notices.
    pub(super) fn is_harmless(&self) -> bool {
        Face::ALL.iter().all(|face| self.breaks(*face) == Breaks::NOTHING)
    }
}

/// The changes found so far.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<Change>);

impl Found {
    pub(super) fn say(&mut self, rule: Rule, faces: &[Face], text: String) {
        self.0.push(Change { rule, text, faces: faces.to_vec() });
    }

    /// Reports unit, deprecation and documentation, the last two as one change.
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

    /// Reports documentation and example of everything but operations, whose examples several may share.
    pub(super) fn docs(&mut self, faces: &[Face], what: &str, old: &Docs, new: &Docs) {
        self.text(faces, what, old, new);
        if old.example != new.example {
            self.say(Rule::Words, faces, format!("The example of {what} changed."));
        }
    }
}

/// The name of an operation, with its group.
pub(super) fn call(operation: &Operation) -> String {
    format!("{}.{}", operation.group, operation.method)
}

/// A part of both contracts, or of one.
pub(super) enum Pair<'a, T> {
    New(&'a T),
    Old(&'a T),
    Both(&'a T, &'a T),
}

/// The parts of two lists by what they are known by.
pub(super) fn paired<'a, T>(old: &'a [T], new: &'a [T], key: impl Fn(&'a T) -> &'a str, mut visit: impl FnMut(Pair<'a, T>)) {
    for part in new {
        let before = old.iter().find(|before| key(before) == key(part));
        visit(before.map_or(Pair::New(part), |before| Pair::Both(before, part)));
    }
    old.iter().filter(|part| new.iter().all(|after| key(after) != key(part))).for_each(|part| visit(Pair::Old(part)));
}

/// What is no longer, or newly, generated for a language.
pub(super) fn faces(what: &str, old: &[Face], new: &[Face], found: &mut Found) {
    for face in Face::ALL {
        match (old.contains(&face), new.contains(&face)) {
            (true, false) => found.say(Rule::Gone, &[face], format!("{what} is gone in {}.", face.name())),
            (false, true) => found.say(Rule::Added, &[face], format!("{what} is new in {}.", face.name())),
            _ => {}
        }
    }
}
