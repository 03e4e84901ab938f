//! The interface by which a language compares its public API with an earlier release.

use std::collections::BTreeMap;
use std::path::Path;

/// Comparison of the public API of a language.
pub(crate) struct PublicApi {
    /// Name in the list of changes.
    pub(crate) name: &'static str,
    /// True if the comparison compiles both versions, which takes minutes.
    pub(crate) compiles: bool,
    /// Returns the missing tool with the remedy, if any.
    pub(crate) missing: fn(&Path) -> anyhow::Result<Option<&'static str>>,
    /// Returns the changes between the two versions.
    pub(crate) changes: fn(&Checkouts) -> anyhow::Result<Vec<Change>>,
}

/// The two versions to compare.
pub(crate) struct Checkouts<'a> {
    /// Folder with the sources of the earlier release.
    pub(crate) before: &'a Path,
    /// Folder of the workspace.
    pub(crate) after: &'a Path,
    /// Folder for files of the tools. It is kept for the next comparison.
    pub(crate) work: &'a Path,
}

/// Effect of a change on programs that use the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// Programs still compile and run.
    Addition,
    /// A program may no longer compile or run.
    Breaking,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) effect: Effect,
    pub(crate) text: String,
}

impl Change {
    pub(crate) fn breaking(text: impl Into<String>) -> Self {
        Self { effect: Effect::Breaking, text: text.into() }
    }

    pub(crate) fn addition(text: impl Into<String>) -> Self {
        Self { effect: Effect::Addition, text: text.into() }
    }
}

/// The public names of a package, and their types or values.
pub(crate) type Names = BTreeMap<String, Name>;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// Type that cannot gain this name without breaking programs, such as the enum of a case or the interface of a method.
    pub(crate) closed_type: Option<String>,
}

/// Compares the names of two versions.
pub(crate) fn compare(before: &Names, after: &Names) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, old) in before {
        match after.get(name) {
            None => changes.push(Change::breaking(format!("{name} was removed"))),
            Some(new) if new.text != old.text => {
                changes.push(Change::breaking(format!("{name} was `{}` and is `{}`", old.text, new.text)));
            }
            Some(_) => {}
        }
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        match new.closed_type.as_ref().filter(|closed| before.contains_key(*closed)) {
            Some(closed) => changes.push(Change::breaking(format!("{name} was added to {closed}"))),
            None => changes.push(Change::addition(name)),
        }
    }
    changes
}

/// Parses the changes that a script has printed. Each line has the effect, a tab and the text.
///
/// # Errors
/// If a line has no effect.
pub(crate) fn parse_changes(printed: &str) -> anyhow::Result<Vec<Change>> {
    let parse = |line: &str| match line.split_once('\t') {
        Some(("breaking", text)) => Ok(Change::breaking(text)),
        Some(("addition", text)) => Ok(Change::addition(text)),
        _ => Err(anyhow::anyhow!("each line of the comparison must have an effect and a tab: `{line}`")),
    };
    printed.lines().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[(&str, &str, Option<&str>)]) -> Names {
        let name = |text: &str, closed: Option<&str>| Name { text: text.to_owned(), closed_type: closed.map(str::to_owned) };
        names.iter().map(|(path, text, closed)| ((*path).to_owned(), name(text, *closed))).collect()
    }

    #[test]
    fn equal_names_have_no_changes() {
        let same = names(&[("E", "enum", None), ("E::A", "0", Some("E"))]);
        assert_eq!(compare(&same, &same), []);
    }

    #[test]
    fn removed_and_changed_names_break() {
        let before = names(&[("f", "(int)", None), ("g", "(int)", None)]);
        let found = compare(&before, &names(&[("f", "(long)", None)]));
        assert_eq!(found, [Change::breaking("f was `(int)` and is `(long)`"), Change::breaking("g was removed")]);
    }

    #[test]
    fn new_names_break_only_if_an_existing_type_is_closed() {
        let before = names(&[("E", "enum", None)]);
        let after = names(&[("E", "enum", None), ("E::B", "", Some("E")), ("F", "enum", None), ("F::A", "", Some("F")), ("g", "", None)]);
        let expected = [Change::breaking("E::B was added to E"), Change::addition("F"), Change::addition("F::A"), Change::addition("g")];
        assert_eq!(compare(&before, &after), expected);
    }

    #[test]
    fn printed_changes_need_an_effect() {
        assert_eq!(parse_changes("breaking\ta\naddition\tb").unwrap(), [Change::breaking("a"), Change::addition("b")]);
        assert!(parse_changes("Traceback").unwrap_err().to_string().contains("`Traceback`"));
    }
}
