//! Typing errors: the known name that is most like one that is not known.

/// How like a known name another one must be to be taken for a typing error.
const ALIKE: f64 = 0.8;

/// The known name that was probably meant.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(name, known);
    let alike = known.into_iter().filter(|known| likeness(known) >= ALIKE);
    alike.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
