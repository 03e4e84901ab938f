//! What a language is known to fail, with the reason: `tests/conformance/ledger/<language>.toml`.

use std::path::Path;

use anyhow::Context;
use globset::{Glob, GlobMatcher};
use serde::Deserialize;

use crate::set::FOLDER;

/// What a language's own types cannot tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Decimals that the language's own instants keep; `None` for all nine.
    pub time_digits: Option<usize>,
    /// Whether a cancelled call ends with the language's own error, which tells nothing of the call.
    pub bare_cancel: bool,
}

/// A language's ledger.
#[derive(Debug)]
pub struct Ledger {
    /// What the language's own types cannot tell.
    pub limits: Limits,
    entries: Vec<(GlobMatcher, String)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    time_digits: Option<usize>,
    #[serde(default)]
    bare_cancel: bool,
    #[serde(default)]
    fails: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// An id, or a pattern with `*`.
    cases: String,
    /// Why.
    reason: String,
}

impl Ledger {
    /// Reads a language's ledger of the workspace at `root`.
    ///
    /// # Errors
    ///
    /// Where there is none, or an entry has no reason.
    pub fn read(root: &Path, language: &str) -> anyhow::Result<Self> {
        let shown = format!("the ledger of {language}");
        let text =
            std::fs::read_to_string(root.join(FOLDER).join("ledger").join(format!("{language}.toml"))).with_context(|| shown.clone())?;
        Self::of(&text).context(shown)
    }

    fn of(text: &str) -> anyhow::Result<Self> {
        let File { time_digits, bare_cancel, fails } = toml::from_str(text)?;
        let entry = |Entry { cases, reason }: Entry| {
            anyhow::ensure!(!reason.trim().is_empty(), "`{cases}` has no reason");
            Ok((Glob::new(&cases)?.compile_matcher(), reason))
        };
        Ok(Self { limits: Limits { time_digits, bare_cancel }, entries: fails.into_iter().map(entry).collect::<anyhow::Result<_>>()? })
    }

    /// Why a case is known to fail.
    #[must_use]
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.entries.iter().find(|(cases, _)| cases.is_match(id)).map(|(_, reason)| reason.as_str())
    }

    /// Entries that fit none of these cases.
    pub fn idle<'a>(&'a self, ids: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.entries.iter().filter(|(cases, _)| !ids.iter().any(|id| cases.is_match(id))).map(|(cases, _)| cases.glob().glob())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    #[test]
    fn an_entry_names_cases_and_a_reason() {
        let ledger = Ledger::of("time_digits = 6\nbare_cancel = true\n[[fails]]\ncases = \"a.b.*\"\nreason = \"not yet\"\n").unwrap();
        assert!(ledger.limits.bare_cancel);
        assert_eq!((ledger.limits.time_digits, ledger.reason("a.b.c"), ledger.reason("a.c.b")), (Some(6), Some("not yet"), None));
        assert_eq!(ledger.idle(&["x.y.z"]).collect::<Vec<_>>(), ["a.b.*"]);
        assert_eq!(ledger.idle(&["a.b.z"]).count(), 0);
        assert!(Ledger::of("[[fails]]\ncases = \"a\"\nreason = \" \"\n").is_err());
    }
}
