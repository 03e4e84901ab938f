//! Suggestions for misspelled names.

/// Minimum similarity to a known name for a suggestion.
const MIN_SIMILARITY: f64 = 0.8;

pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let similarity = |known: &str| strsim::jaro_winkler(name, known);
    let similar = known.into_iter().filter(|known| similarity(known) >= MIN_SIMILARITY);
    similar.max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
}
