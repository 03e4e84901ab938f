//! Decoding of primitive types.

use super::Decode;

impl Decode for String {
    const EXPECTED: &'static str = "expected a string";

    fn text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Decode for bool {
    const EXPECTED: &'static str = "expected true or false";

    fn boolean(value: bool) -> Option<Self> {
        Some(value)
    }
}

/// Limit below which doubles represent all integers exactly: 2^53.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Accepts whole numbers with a decimal point, such as `72.0`, but not `72.5`.
impl Decode for i64 {
    const EXPECTED: &'static str = "expected an integer";

    fn integer(value: i64) -> Option<Self> {
        Some(value)
    }

    fn number(value: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        (value.fract() == 0.0 && value.abs() < MAX_EXACT_INTEGER).then_some(value as i64)
    }
}

impl Decode for f64 {
    const EXPECTED: &'static str = "expected a number";
    const SERIES: bool = true;

    fn gap() -> Option<Self> {
        Some(Self::NAN)
    }

    #[expect(clippy::cast_precision_loss, reason = "number fields are doubles; all JSON parsers round in the same way")]
    #[inline]
    fn integer(value: i64) -> Option<Self> {
        Some(value as Self)
    }

    #[expect(clippy::cast_precision_loss, reason = "as above")]
    #[inline]
    fn unsigned(value: u64) -> Option<Self> {
        Some(value as Self)
    }

    #[inline]
    fn number(value: f64) -> Option<Self> {
        Some(value)
    }
}
