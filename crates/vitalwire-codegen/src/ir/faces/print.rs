//! Prints which languages have which settings, options and error fields.

use std::fmt::Write;

use super::errors::ERROR_FACTS;
use super::options::CALL_OPTIONS;
use super::rows::{Face, Has};
use super::settings::SETTINGS;

/// Returns one table each for settings, options and error fields, with a column per language. Notes below each table explain exceptions.
#[must_use]
pub fn faces() -> String {
    let settings = SETTINGS.iter().map(|row| (row.name, Face::ALL.map(|face| row.has(face))));
    let options = CALL_OPTIONS.iter().map(|row| (row.name, Face::ALL.map(|face| row.has(face))));
    let facts = ERROR_FACTS.iter().map(|row| (row.name, Face::ALL.map(|face| row.has(face))));
    let tables = [
        table("settings of a client", settings.collect()),
        table("options of a call", options.collect()),
        table("facts of an error", facts.collect()),
    ];
    tables.join("\n")
}

type Row = (&'static str, [Has; 5]);

fn table(title: &str, rows: Vec<Row>) -> String {
    let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max(title.len());
    let mut text = format!("{title:wide$}");
    Face::ALL.iter().for_each(|face| {
        let _ = write!(text, "  {:>7}", face.name());
    });
    let mut notes: Vec<String> = Vec::new();
    for (name, each) in &rows {
        let _ = write!(text, "\n{name:wide$}");
        for has in each {
            let _ = write!(text, "  {:>7}", cell(*has, &mut notes));
        }
    }
    text.push('\n');
    for (at, note) in notes.iter().enumerate() {
        let _ = writeln!(text, "  {}: {note}", at + 1);
    }
    text
}

/// Returns `yes`, or a word with the number of the note that explains it.
fn cell(has: Has, notes: &mut Vec<String>) -> String {
    let (word, note) = match has {
        Has::Generated => return "yes".to_owned(),
        Has::ByHand(how) => ("yes", how),
        Has::NotYet(why) => ("no", why),
        Has::Never(why) => ("never", why),
    };
    let note = match has {
        Has::NotYet(_) => format!("not yet: {note}"),
        _ => note.to_owned(),
    };
    let at = notes.iter().position(|known| *known == note).unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    });
    format!("{word} {}", at + 1)
}
