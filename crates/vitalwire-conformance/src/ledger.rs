//! Known failures of a language, with reasons: `tests/conformance/ledger/<language>.toml`.

use std::path::Path;

use anyhow::Context;
use globset::{Glob, GlobMatcher};
use serde::Deserialize;

use crate::set::FOLDER;

/// Limits of a language's own types.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Decimals that the language's instants keep. `None` for all nine.
    pub time_digits: Option<usize>,
    /// Whether a cancelled call ends with the language's own error, which has no details of the call.
    pub bare_cancel: bool,
    /// Whether the runner marks fields from `extra` and unknown values of open sets.
    pub marks: bool,
}

impl Default for Limits {
    /// Returns no limits.
    fn default() -> Self {
        Self { time_digits: None, bare_cancel: false, marks: true }
    }
}

/// A language's ledger.
#[derive(Debug)]
pub struct Ledger {
    /// Limits of the language's own types.
    pub limits: Limits,
    entries: Vec<Entry>,
}

/// Cases that a language fails.
#[derive(Debug)]
struct Entry {
    cases: GlobMatcher,
    kind: KnownFailure,
}

/// Whether a known failure is expected to be fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownFailure {
    /// Expected to pass in the future.
    NotYet,
    /// Not applicable to the language.
    Never,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerFile {
    time_digits: Option<usize>,
    #[serde(default)]
    bare_cancel: bool,
    /// The reason why the runner marks neither `extra` nor unknown values.
    no_marks: Option<String>,
    #[serde(default)]
    fails: Vec<FileEntry>,
    #[serde(default)]
    never: Vec<FileEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    /// An id, or a pattern with `*`.
    cases: String,
    reason: String,
}

impl Ledger {
    /// Reads the ledger of a language in the workspace at `root`.
    ///
    /// # Errors
    ///
    /// If there is no ledger, or an entry has no reason.
    pub fn read(root: &Path, language: &str) -> anyhow::Result<Self> {
        let shown = format!("the ledger of {language}");
        let text =
            std::fs::read_to_string(root.join(FOLDER).join("ledger").join(format!("{language}.toml"))).with_context(|| shown.clone())?;
        Self::parse(&text).context(shown)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let LedgerFile { time_digits, bare_cancel, no_marks, fails, never } = toml::from_str(text)?;
        anyhow::ensure!(no_marks.as_ref().is_none_or(|reason| !reason.trim().is_empty()), "`no_marks` must have a reason");
        let entry = |(FileEntry { cases, reason }, kind): (FileEntry, KnownFailure)| {
            anyhow::ensure!(!reason.trim().is_empty(), "`{cases}` must have a reason");
            Ok(Entry { cases: Glob::new(&cases)?.compile_matcher(), kind })
        };
        let with_kind = |entries: Vec<FileEntry>, kind| entries.into_iter().map(move |entry| (entry, kind));
        let entries = with_kind(fails, KnownFailure::NotYet)
            .chain(with_kind(never, KnownFailure::Never))
            .map(entry)
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { limits: Limits { time_digits, bare_cancel, marks: no_marks.is_none() }, entries })
    }

    /// Returns whether a failure is known.
    #[must_use]
    pub fn known(&self, id: &str) -> Option<KnownFailure> {
        self.entries.iter().find(|entry| entry.cases.is_match(id)).map(|entry| entry.kind)
    }

    /// Returns the entries that match none of these cases.
    pub fn unmatched<'a>(&'a self, ids: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.entries
            .iter()
            .map(|entry| &entry.cases)
            .filter(|cases| !ids.iter().any(|id| cases.is_match(id)))
            .map(|cases| cases.glob().glob())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    #[test]
    fn an_entry_names_cases_and_a_reason() {
        let ledger = Ledger::parse("time_digits = 6\nbare_cancel = true\n[[fails]]\ncases = \"a.b.*\"\nreason = \"not yet\"\n").unwrap();
        assert!(ledger.limits.bare_cancel);
        assert_eq!((ledger.limits.time_digits, ledger.known("a.b.c"), ledger.known("a.c.b")), (Some(6), Some(KnownFailure::NotYet), None));
        assert_eq!(ledger.unmatched(&["x.y.z"]).collect::<Vec<_>>(), ["a.b.*"]);
        assert_eq!(ledger.unmatched(&["a.b.z"]).count(), 0);
        for list in ["fails", "never"] {
            assert!(Ledger::parse(&format!("[[{list}]]\ncases = \"a\"\nreason = \" \"\n")).is_err());
        }
    }

    #[test]
    fn a_runner_without_marks_has_a_reason() {
        assert!(Ledger::parse("").unwrap().limits.marks);
        assert!(!Ledger::parse("no_marks = \"not yet\"").unwrap().limits.marks);
        assert!(Ledger::parse("no_marks = \" \"").is_err());
    }

    #[test]
    fn never_differs_from_not_yet() {
        let ledger =
            Ledger::parse("[[never]]\ncases = \"a.*\"\nreason = \"no keys\"\n[[fails]]\ncases = \"b.*\"\nreason = \"soon\"\n").unwrap();
        assert_eq!(ledger.known("a.x"), Some(KnownFailure::Never));
        assert_eq!(ledger.known("b.x"), Some(KnownFailure::NotYet));
        assert_eq!(ledger.unmatched(&["b.x"]).collect::<Vec<_>>(), ["a.*"]);
    }
}
