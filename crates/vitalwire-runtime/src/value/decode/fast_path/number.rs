//! Numbers at a cursor.

use super::cursor::{Cursor, FastPathError, Result};
use crate::value::decode::{ParsedNumber, parse_number};

/// Powers of ten that doubles represent exactly.
const POWERS: [f64; 20] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19];

/// Integers up to this one are exact as doubles: 2^53. The quotient of two exact doubles is the nearest one.
const EXACT: u64 = 1 << 53;

/// Maximum number of digits that always fit 64 bits.
const MAX_DIGITS: usize = 19;

/// A number without exponent, of at most 19 digits.
struct Decimal {
    negative: bool,
    /// The digits, without the point.
    digits: u64,
    /// Number of digits after the point.
    decimals: usize,
    /// Length of the text.
    length: usize,
}

impl Decimal {
    /// Parses a number. Returns `None` for other numbers, and for malformed ones.
    ///
    /// A loop over the digits is twice as fast as arithmetic on eight bytes at a time, because most numbers have three or four digits.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    fn parse(text: &[u8]) -> Option<Self> {
        let negative = text.first() == Some(&b'-');
        let start = usize::from(negative);
        let (mut digits, mut at) = (0_u64, start);
        while let Some(digit) = digit(text, at) {
            digits = digits.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        let whole = at - start;
        if whole == 0 || (whole > 1 && text.get(start) == Some(&b'0')) {
            return None;
        }
        let mut decimals = 0;
        if text.get(at) == Some(&b'.') {
            at += 1;
            let point = at;
            while let Some(digit) = digit(text, at) {
                digits = digits.wrapping_mul(10).wrapping_add(digit);
                at += 1;
            }
            decimals = at - point;
            if decimals == 0 {
                return None;
            }
        }
        let is_plain = whole + decimals <= MAX_DIGITS && !matches!(text.get(at), Some(b'e' | b'E'));
        is_plain.then_some(Self { negative, digits, decimals, length: at })
    }

    /// Returns the nearest double, if a division finds it.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    fn to_double(&self) -> Option<f64> {
        if self.digits > EXACT {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
        let value = self.digits as f64 / POWERS.get(self.decimals)?;
        Some(if self.negative { -value } else { value })
    }

    /// Returns the number as serde_json classifies it.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    fn classify(&self) -> Option<ParsedNumber> {
        match (self.decimals, self.negative) {
            (0, false) => Some(ParsedNumber::Unsigned(self.digits)),
            (0, true) => i64::try_from(self.digits).ok().filter(|value| *value > 0).map(|value| ParsedNumber::Signed(-value)),
            _ => self.to_double().map(ParsedNumber::Double),
        }
    }
}

/// Returns the value of the digit at an index.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn digit(text: &[u8], at: usize) -> Option<u64> {
    text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10).map(u64::from)
}

impl Cursor<'_> {
    /// Consumes a number. Returns the nearest double.
    #[inline(always)]
    pub(crate) fn double(&mut self) -> Result<f64> {
        match self.short_double() {
            Some(value) => Ok(value),
            None => self.other_number().map(ParsedNumber::to_double),
        }
    }

    /// Consumes a number that directly follows and has no exponent and few digits. Returns the nearest double.
    #[inline(always)]
    pub(crate) fn short_double(&mut self) -> Option<f64> {
        let decimal = Decimal::parse(self.bytes())?;
        let value = decimal.to_double()?;
        self.advance(decimal.length);
        Some(value)
    }

    /// Consumes a number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<ParsedNumber> {
        if let Some(decimal) = Decimal::parse(self.bytes())
            && let Some(number) = decimal.classify()
        {
            self.advance(decimal.length);
            return Ok(number);
        }
        self.other_number()
    }

    /// Consumes a number without parsing it.
    #[inline]
    pub(super) fn skip_number(&mut self) -> Result<()> {
        match Decimal::parse(self.bytes()) {
            Some(decimal) => {
                self.advance(decimal.length);
                Ok(())
            }
            None => self.number_text().map(drop),
        }
    }

    /// Consumes a number with an exponent or many digits.
    #[cold]
    fn other_number(&mut self) -> Result<ParsedNumber> {
        parse_number(self.number_text()?).ok_or(FastPathError::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_those_of_the_standard_library() {
        let mut random = fastrand::Rng::with_seed(7);
        let check = |text: &str| {
            let padded = format!("{text},        ");
            let mut cursor = Cursor::new(&padded);
            let value = cursor.double().unwrap();
            assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            assert_eq!(cursor.position(), text.len(), "{text}");
        };
        for text in
            ["0", "-0", "0.0", "7", "72.5", "1234567", "12345678", "123456.7", "0.1", "9007199254740993", "1e3", "1.5E-7", "123.4e5"]
        {
            check(text);
        }
        for _ in 0..100_000 {
            let whole = random.u64(..) >> random.u32(0..64);
            check(&whole.to_string());
            check(&format!("{}.{}", whole % 1000, random.u32(..) >> random.u32(0..32)));
            check(&format!("-{whole}.{}", random.u64(..)));
        }
    }

    #[test]
    fn other_texts_are_not_numbers() {
        for text in ["01", "1.", "-", ".5", "1.e3", "1e", "+1", "1e400", "00.5"] {
            assert!(Cursor::new(&format!("{text},       ")).double().is_err(), "{text}");
        }
    }
}
