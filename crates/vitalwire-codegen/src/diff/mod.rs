//! Changes between two contracts, and the callers that they break.
//!
//! The IR is compared, and so are defaults, limits, headers and examples, which the specification states and no code is generated from.

mod contract;
mod examples;
mod found;
mod limits;
mod rules;
mod sets;
mod words;

use std::fmt::Write as _;

pub use contract::changes;
pub use found::Change;
pub use rules::{Breaks, Rule};

use crate::ir::faces::Face;

/// The changes as text: those that break callers first, each with its verdict in every language, then the others.
#[must_use]
pub fn report(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "no changes".to_owned();
    }
    let mut text = String::new();
    let (harmless, breaking): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.is_harmless());
    for change in &breaking {
        let _ = writeln!(text, "- {}", change.text);
        for face in Face::ALL {
            let breaks = change.breaks(face);
            if breaks != Breaks::NOTHING {
                let _ = writeln!(text, "    {:<7} {breaks}", face.name());
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
