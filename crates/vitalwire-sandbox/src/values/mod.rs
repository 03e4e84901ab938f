//! Pure helpers: dates and instants, digests, reproducible random numbers and text.

pub(crate) mod calendar;
pub(crate) mod crypto;
pub(crate) mod html;
pub(crate) mod rng;
pub(crate) mod text;

/// Rounds to a multiple of `1 / parts`.
pub(crate) fn round(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
