//! Collects changes, and pairs the parts of two versions.

use super::rules::{BreakingChanges, Rule};
use crate::ir::features::Language;
use crate::ir::{Docs, Operation};

/// A change of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Kind of change.
    pub rule: Rule,
    /// Sentence for a changelog.
    pub text: String,
    /// Languages that have the changed part.
    pub languages: Vec<Language>,
}

impl Change {
    /// Returns what the change breaks in a language. Nothing if the language does not have the part.
    #[must_use]
    pub fn breaks(&self, language: Language) -> BreakingChanges {
        if self.languages.contains(&language) { self.rule.breaks(language) } else { BreakingChanges::NOTHING }
    }

    /// Whether the change breaks nothing in any language.
    pub(super) fn is_harmless(&self) -> bool {
        Language::ALL.iter().all(|language| self.breaks(*language) == BreakingChanges::NOTHING)
    }
}

/// Changes that have been found.
#[derive(Default)]
pub(super) struct ChangeList(pub(super) Vec<Change>);

impl ChangeList {
    pub(super) fn add(&mut self, rule: Rule, languages: &[Language], text: String) {
        self.0.push(Change { rule, text, languages: languages.to_vec() });
    }

    /// Reports a changed unit, and changes of deprecation and documentation. If both of the latter changed, only the deprecation is
    /// reported.
    pub(super) fn text(&mut self, languages: &[Language], subject: &str, old: &Docs, new: &Docs) {
        if old.unit != new.unit {
            let unit = |docs: &Docs| docs.unit.clone().unwrap_or_else(|| "none".to_owned());
            self.add(Rule::MeaningChanged, languages, format!("The unit of {subject} is {}, no longer {}.", unit(new), unit(old)));
        }
        if old.deprecated != new.deprecated {
            self.add(
                Rule::DocumentationChanged,
                languages,
                format!("{subject} is {}deprecated.", if new.deprecated { "" } else { "no longer " }),
            );
        } else if old.text != new.text {
            self.add(Rule::DocumentationChanged, languages, format!("The documentation of {subject} changed."));
        }
    }

    /// Reports changed documentation and examples. Not for operations, which may share examples.
    pub(super) fn docs(&mut self, languages: &[Language], subject: &str, old: &Docs, new: &Docs) {
        self.text(languages, subject, old, new);
        if old.example != new.example {
            self.add(Rule::DocumentationChanged, languages, format!("The example of {subject} changed."));
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
pub(super) fn compare_pairs<'a, T>(old: &'a [T], new: &'a [T], key: impl Fn(&'a T) -> &'a str, mut visit: impl FnMut(Pair<'a, T>)) {
    for part in new {
        let before = old.iter().find(|before| key(before) == key(part));
        visit(before.map_or(Pair::New(part), |before| Pair::Both(before, part)));
    }
    old.iter().filter(|part| new.iter().all(|after| key(after) != key(part))).for_each(|part| visit(Pair::Old(part)));
}

/// Reports the languages that gain or lose a part.
pub(super) fn compare_languages(subject: &str, old: &[Language], new: &[Language], changes: &mut ChangeList) {
    for language in Language::ALL {
        match (old.contains(&language), new.contains(&language)) {
            (true, false) => changes.add(Rule::Removed, &[language], format!("{subject} is gone in {}.", language.name())),
            (false, true) => changes.add(Rule::Added, &[language], format!("{subject} is new in {}.", language.name())),
            _ => {}
        }
    }
}
