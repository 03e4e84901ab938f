//! Parser of numbers, whose error states the rule.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// The rule of whole numbers without a range.
pub(super) const WHOLE: &str = "must be a whole number";
/// The rule of counts.
pub(super) const COUNT: &str = "must be a whole number of at least 1";
/// The rule of numbers without a range.
pub(super) const NUMBER: &str = "must be a number";

/// Returns a parser of the numbers in a range. `rule` is the error for any other text.
pub(super) fn number<T: FromStr + PartialOrd + Clone>(
    range: RangeInclusive<T>,
    rule: &'static str,
) -> impl Fn(&str) -> Result<T, &'static str> + Clone {
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_than_numbers_of_the_range_break_the_rule() {
        let people = number(1..=10_000_usize, WHOLE);
        assert_eq!((people("1"), people("10000")), (Ok(1), Ok(10_000)));
        for text in ["", "0", "-1", "10001", "1.5", "canary", "99999999999999999999"] {
            assert_eq!(people(text), Err(WHOLE), "{text}");
        }
        let share = number(0.0..=0.9, NUMBER);
        assert_eq!((share("0"), share("0.9")), (Ok(0.0), Ok(0.9)));
        for text in ["", "-0.1", "0.91", "NaN", "inf", "canary"] {
            assert_eq!(share(text), Err(NUMBER), "{text}");
        }
    }
}
