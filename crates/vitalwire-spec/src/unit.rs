//! Units of numbers.

/// Unit symbols, with their words unless the symbol is a word itself. Other units cause a finding, so that a misspelt unit cannot go
/// unnoticed.
const UNITS: [(&str, Option<&str>); 24] = [
    ("bpm", Some("beats per minute")),
    ("count", None),
    ("cm", Some("centimetres")),
    ("degC", Some("degrees Celsius")),
    ("g", Some("grams")),
    ("h", Some("hours")),
    ("IU", Some("international units")),
    ("kJ", Some("kilojoules")),
    ("kcal", Some("kilocalories")),
    ("kg", Some("kilograms")),
    ("km", Some("kilometres")),
    ("km/h", Some("kilometres per hour")),
    ("m", Some("metres")),
    ("m/s", Some("metres per second")),
    ("mcg", Some("micrograms")),
    ("mg", Some("milligrams")),
    ("mg/dL", Some("milligrams per decilitre")),
    ("min", Some("minutes")),
    ("ml", Some("millilitres")),
    ("mmHg", Some("millimetres of mercury")),
    ("mmol/L", Some("millimoles per litre")),
    ("ms", Some("milliseconds")),
    ("percent", None),
    ("s", Some("seconds")),
];

/// Returns the symbols of all units.
pub fn symbols() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|(symbol, _)| *symbol)
}

/// Returns the words for a unit. `None` if the symbol is a word itself or is unknown.
#[must_use]
pub fn in_words(symbol: &str) -> Option<&'static str> {
    UNITS.iter().find(|(known, _)| *known == symbol).and_then(|(_, words)| *words)
}
