//! How plain types read JSON.

use serde::de::SeqAccess;
use serde_json::Value;

use super::budget::charge;
use super::{Decode, Strict};

impl Decode<'_> for String {
    const EXPECTED: &'static str = "expected a text";

    fn text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn owned_text(text: String) -> Result<Self, String> {
        Ok(text)
    }
}

impl Decode<'_> for bool {
    const EXPECTED: &'static str = "expected true or false";

    fn boolean(value: bool) -> Option<Self> {
        Some(value)
    }
}

/// Doubles of this size and above need not hold an integer exactly (2^53).
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number written with a point (`72.0`) is an integer; `72.5` is not.
impl Decode<'_> for i64 {
    const EXPECTED: &'static str = "expected an integer";

    fn integer(value: i64) -> Option<Self> {
        Some(value)
    }

    fn number(value: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        (value.fract() == 0.0 && value.abs() < EXACT).then_some(value as i64)
    }
}

impl Decode<'_> for f64 {
    const EXPECTED: &'static str = "expected a number";

    #[expect(clippy::cast_precision_loss, reason = "a number member is a double; JSON readers everywhere round alike")]
    fn integer(value: i64) -> Option<Self> {
        Some(value as Self)
    }

    #[expect(clippy::cast_precision_loss, reason = "as above")]
    fn unsigned(value: u64) -> Option<Self> {
        Some(value as Self)
    }

    fn number(value: f64) -> Option<Self> {
        Some(value)
    }
}

/// A list's items must all fit: an item left out would shift the others.
impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    const EXPECTED: &'static str = "expected a list";

    fn array<A: SeqAccess<'de>>(mut items: A) -> Result<Result<Self, Value>, A::Error> {
        let mut list = Self::new();
        while let Some(Strict(item)) = items.next_element()? {
            charge(size_of::<T>())?;
            list.push(item);
        }
        Ok(Ok(list))
    }
}
