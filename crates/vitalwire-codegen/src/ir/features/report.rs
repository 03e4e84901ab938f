//! Prints which languages have which settings, options and error fields.

use std::fmt::Write;

use super::errors::ERROR_FIELDS;
use super::options::CALL_OPTIONS;
use super::setting::{Availability, Exceptions, Language, availability};
use super::settings::SETTINGS;

/// Features of calls, and the languages that do not have them.
const CALL_FEATURES: &[(&str, Exceptions)] = &[(
    "prepared uploads",
    &[(&[Language::Python, Language::C], Availability::Unsupported("no service of a system sends the requests of these languages"))],
)];

/// Returns one table each for settings, options, features of calls and error fields, with a column per language. Notes below each table
/// explain exceptions.
#[must_use]
pub fn report() -> String {
    let settings = SETTINGS.iter().map(|row| (row.name, Language::ALL.map(|language| row.availability(language))));
    let options = CALL_OPTIONS.iter().map(|row| (row.name, Language::ALL.map(|language| row.availability(language))));
    let facts = ERROR_FIELDS.iter().map(|row| (row.name, Language::ALL.map(|language| row.availability(language))));
    let features = CALL_FEATURES.iter().map(|(name, exceptions)| (*name, Language::ALL.map(|language| availability(exceptions, language))));
    let tables = [
        table("client settings", settings.collect()),
        table("call options", options.collect()),
        table("features of calls", features.collect()),
        table("error fields", facts.collect()),
    ];
    tables.join("\n")
}

type Row = (&'static str, [Availability; 5]);

fn table(title: &str, rows: Vec<Row>) -> String {
    let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max(title.len());
    let mut text = format!("{title:wide$}");
    Language::ALL.iter().for_each(|language| {
        let _ = write!(text, "  {:>7}", language.name());
    });
    let mut notes = Vec::new();
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
fn cell(has: Availability, notes: &mut Vec<&str>) -> String {
    let (word, note) = match has {
        Availability::Generated => return "yes".to_owned(),
        Availability::HandWritten(how) => ("yes", how),
        Availability::Unsupported(why) => ("never", why),
    };
    let at = notes.iter().position(|known| *known == note).unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    });
    format!("{word} {}", at + 1)
}
