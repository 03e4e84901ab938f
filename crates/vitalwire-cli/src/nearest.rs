//! Suggestions for misspelled names.

/// Minimum similarity to a known name for a suggestion.
const ALIKE: f64 = 0.8;

/// Returns the most similar known name.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let alike = known.into_iter().filter(|known| likeness(known) >= ALIKE);
    alike.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
