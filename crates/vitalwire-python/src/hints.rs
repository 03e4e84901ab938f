//! Notes on exceptions: suggestions for unknown names. They contain names that the caller passed, and no values of the service.

use vitalwire::value::{OpenSet, similar_name};

/// Maximum number of characters of a name in a note.
const WIDTH: usize = 40;

/// Returns a note for each of these names that is not in the open set.
pub(crate) fn unknown_names<'a, S: OpenSet>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    names.into_iter().filter(|name| S::index_of(name).is_none()).map(|name| unknown_name(name, S::KNOWN)).collect()
}

/// Returns the note for an unknown name, with the most similar known name.
pub(crate) fn unknown_name(name: &str, known: &[&str]) -> String {
    let shown: String = name.chars().take(WIDTH).collect();
    let suggestion = similar_name(name, known).map(|known| format!("; did you mean {known:?}?")).unwrap_or_default();
    format!("{shown:?} is not a name that this version knows{suggestion}")
}

/// Returns the note for an unknown table, with the tables that exist.
pub(crate) fn unknown_table(name: &str, tables: &[&str]) -> String {
    let listed = tables.iter().map(|table| format!("{table:?}")).collect::<Vec<_>>().join(", ");
    let suggestion = similar_name(name, tables).map(|known| format!("did you mean {known:?}? ")).unwrap_or_default();
    format!("{suggestion}the tables are {listed}")
}

/// Returns the note for rows that a call did not request.
pub(crate) fn unrequested_rows(argument: &str) -> String {
    format!("read the record with {argument}=True")
}
