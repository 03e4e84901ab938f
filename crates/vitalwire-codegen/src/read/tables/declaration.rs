//! Checks that a table declaration is well formed.

use serde_json::Value;

use super::super::Model;
use super::read::{OFFSET, Reader};
use crate::naming::is_snake;

/// Keys of a declaration whose values are texts, and keys whose values are objects of texts.
const TEXTS: [&str; 5] = ["description", "rows", "series", "start", "time-offset"];
const OBJECTS: [&str; 4] = ["keys", "series-columns", "flags", "dates"];

impl<'a> Reader<'a, '_> {
    /// Reports errors that do not depend on the schemas.
    pub(super) fn check(&mut self, name: &str, model: &Model) {
        if !is_snake(name) {
            self.findings.push(self.at.finding("table", "must be a name in snake case"));
        }
        for (word, value) in self.declared {
            self.check_member(word, value);
        }
        for word in ["start", "time-offset", "series"] {
            if let Some(member) = self.word(word)
                && !model.members.iter().any(|other| other.wire == member)
            {
                self.report_unknown(&[word], member);
            }
        }
        let has = |word: &str| self.declared.contains_key(word);
        let with_offset = self.pairs("series-columns").any(|(name, _)| name == OFFSET);
        if has("series") && has("rows") {
            self.findings.push(self.at.join("rows").finding("table", "must not be combined with `series`"));
        }
        if has("series") && !(has("start") && with_offset) {
            let text = format!("needs `start`, and `{OFFSET}` among `series-columns`");
            self.findings.push(self.at.join("series").finding("table", text));
        }
        for word in ["start", "series-columns"].into_iter().filter(|word| has(word) && !has("series")) {
            self.findings.push(self.at.join(word).finding("table", "requires `series`"));
        }
    }

    fn check_member(&mut self, word: &str, value: &Value) {
        let at = self.at.join(word);
        if TEXTS.contains(&word) {
            if !value.is_string() {
                self.findings.push(at.finding("table", "must be text"));
            }
        } else if OBJECTS.contains(&word) {
            let fits = value.as_object().is_some_and(|object| object.values().all(Value::is_string));
            if !fits {
                self.findings.push(at.finding("table", "must be an object of texts"));
            }
        } else {
            self.findings.push(at.finding("table", "is not a field of a table"));
        }
    }

    pub(super) fn word(&self, key: &str) -> Option<&'a str> {
        self.declared.get(key).and_then(Value::as_str)
    }

    pub(super) fn pairs(&self, key: &str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let pairs = self.declared.get(key).and_then(Value::as_object).into_iter().flatten();
        pairs.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
    }

    /// Returns the names of the lists that lead to the rows, outermost first. Empty if the object or its series are the rows.
    pub(super) fn rows_path(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let rows = self.word("rows").filter(|_| !self.declared.contains_key("series"));
        rows.into_iter().flat_map(|rows| rows.split('.'))
    }

    pub(super) fn report_unknown(&mut self, place: &[&str], member: &str) {
        let at = place.iter().fold(self.at.clone(), |at, word| at.join(word));
        self.findings.push(at.finding("table", format!("names `{member}`, which is not a field of a suitable type")));
    }
}
