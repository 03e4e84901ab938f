//! Finds changes between two versions of the interface, and the languages in which they break callers.
//!
//! Compares the IR. Some of its parts, such as defaults, headers and examples, exist only for this comparison.

mod changes;
mod descriptions;
mod examples;
mod interface;
mod limits;
mod rules;
mod sets;

use std::fmt::Write as _;

pub use changes::Change;
pub use interface::changes;
pub use rules::Rule;

use crate::ir::features::Language;

/// Formats the changes as text. Breaking changes come first, with their effect in each language.
#[must_use]
pub fn report(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "no changes".to_owned();
    }
    let mut text = String::new();
    let (harmless, breaking): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.is_harmless());
    for change in &breaking {
        let _ = writeln!(text, "- {}", change.text);
        for language in Language::ALL {
            let breaks = change.breaks(language);
            if !breaks.is_empty() {
                let parts = [("s", "source"), ("b", "binary"), ("h", "behaviour")];
                let parts: Vec<&str> = parts.into_iter().filter(|(letter, _)| breaks.contains(letter)).map(|(_, part)| part).collect();
                let _ = writeln!(text, "    {:<7} {}", language.name(), parts.join(", "));
            }
        }
    }
    for change in &harmless {
        let _ = writeln!(text, "- {}", change.text);
    }
    let (count, broken) = (changes.len(), breaking.len());
    let (s, verb) = (if count == 1 { "" } else { "s" }, if broken == 1 { "breaks" } else { "break" });
    let _ = write!(text, "{count} change{s}, of which {broken} {verb} callers");
    text
}
