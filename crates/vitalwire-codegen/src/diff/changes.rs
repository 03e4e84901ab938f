//! Collects changes, and pairs the parts of two versions.

use std::cell::RefCell;

use super::rules::Rule;
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
    /// Returns what the change breaks in a language, as in [`Rule::breaks`]. Nothing if the language does not have the part.
    #[must_use]
    pub fn breaks(&self, language: Language) -> &'static str {
        if self.languages.contains(&language) { self.rule.breaks(language) } else { "" }
    }

    /// Whether the change breaks nothing in any language.
    pub(super) fn is_harmless(&self) -> bool {
        Language::ALL.iter().all(|language| self.breaks(*language).is_empty())
    }
}

/// A part of the interface, and the list to which its changes are added.
#[derive(Clone)]
pub(super) struct Part<'a> {
    /// Name in sentences, such as "`value` of `Type`".
    pub(super) name: String,
    /// Languages that have the part.
    pub(super) languages: &'a [Language],
    pub(super) found: &'a RefCell<Vec<Change>>,
}

impl<'a> Part<'a> {
    /// Returns the whole interface, whose changes are added to `found`.
    pub(super) fn interface(found: &'a RefCell<Vec<Change>>) -> Self {
        Self { name: String::new(), languages: &Language::ALL, found }
    }

    /// Returns a part of this one.
    pub(super) fn part(&self, name: &str) -> Self {
        Self { name: format!("`{name}` of {}", self.name), ..self.clone() }
    }

    /// Adds a change, described by a sentence.
    pub(super) fn add(&self, rule: Rule, text: String) {
        self.found.borrow_mut().push(Change { rule, text, languages: self.languages.to_vec() });
    }

    /// Adds a change, described by a sentence that begins with the name of the part.
    pub(super) fn report(&self, rule: Rule, text: &str) {
        self.add(rule, format!("{} {text}.", self.name));
    }

    /// Reports a changed unit, and changes of deprecation and documentation. If both of the latter changed, only the deprecation is
    /// reported.
    pub(super) fn text(&self, old: &Docs, new: &Docs) {
        if old.unit != new.unit {
            let unit = |docs: &Docs| docs.unit.clone().unwrap_or_else(|| "none".to_owned());
            self.add(Rule::MeaningChanged, format!("The unit of {} is {}, no longer {}.", self.name, unit(new), unit(old)));
        }
        if old.deprecated != new.deprecated {
            self.report(Rule::DocumentationChanged, if new.deprecated { "is deprecated" } else { "is no longer deprecated" });
        } else if old.text != new.text {
            self.add(Rule::DocumentationChanged, format!("The documentation of {} changed.", self.name));
        }
    }

    /// Reports changed documentation and examples. Not for operations, which may share examples.
    pub(super) fn docs(&self, old: &Docs, new: &Docs) {
        self.text(old, new);
        if old.example != new.example {
            self.add(Rule::DocumentationChanged, format!("The example of {} changed.", self.name));
        }
    }

    /// Reports added parts and removed parts, the latter with the rule `removed`. Also reports languages that gain or lose a part. Calls
    /// `visit` for each part that is in both versions. `describe` returns a part's key, its name in sentences and its languages.
    pub(super) fn parts<'p, T>(
        &self,
        removed: Rule,
        (old, new): (&'p [T], &'p [T]),
        describe: impl Fn(&'p T) -> (&'p str, String, &'p [Language]),
        visit: impl Fn(&Part<'_>, &T, &T),
    ) {
        compare_pairs(
            (old, new),
            |part| describe(part).0,
            |pair| {
                let (Pair::New(part) | Pair::Old(part) | Pair::Both(_, part)) = pair;
                let (_, name, languages) = describe(part);
                let part = Part { name, languages, found: self.found };
                match pair {
                    Pair::New(_) => part.report(Rule::Added, "is new"),
                    Pair::Old(_) => part.report(removed, "is removed"),
                    Pair::Both(old, new) => {
                        part.changed_languages(describe(old).2);
                        visit(&part, old, new);
                    }
                }
            },
        );
    }

    fn changed_languages(&self, old: &[Language]) {
        for language in Language::ALL {
            let part = Part { languages: &[language], ..self.clone() };
            match (old.contains(&language), self.languages.contains(&language)) {
                (true, false) => part.report(Rule::Removed, &format!("is removed in {}", language.name())),
                (false, true) => part.report(Rule::Added, &format!("is new in {}", language.name())),
                _ => {}
            }
        }
    }
}

/// Returns the name of an operation with its group.
pub(super) fn call(operation: &Operation) -> String {
    format!("{}.{}", operation.group, operation.method)
}

/// A part that is in both versions or in one of them.
#[derive(Clone, Copy)]
pub(super) enum Pair<'a, T> {
    New(&'a T),
    Old(&'a T),
    Both(&'a T, &'a T),
}

/// Pairs the parts of two lists by key and visits each pair.
pub(super) fn compare_pairs<'a, T>((old, new): (&'a [T], &'a [T]), key: impl Fn(&'a T) -> &'a str, mut visit: impl FnMut(Pair<'a, T>)) {
    for part in new {
        let before = old.iter().find(|before| key(before) == key(part));
        visit(before.map_or(Pair::New(part), |before| Pair::Both(before, part)));
    }
    old.iter().filter(|part| new.iter().all(|after| key(after) != key(part))).for_each(|part| visit(Pair::Old(part)));
}
