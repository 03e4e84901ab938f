//! Numbers.

use super::cursor::{Cursor, PullError, Result};
use crate::value::decode::{Decode, ParsedNumber, parse_number};

/// Powers of ten that doubles represent exactly.
const POWERS: [f64; 23] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22];

/// Integers up to this one are exact as doubles: 2^53. The quotient of two exact doubles is the nearest one.
const EXACT: u64 = 1 << 53;

impl Cursor<'_> {
    /// Consumes a number. Returns the nearest double.
    #[inline(always)]
    pub(crate) fn double(&mut self) -> Result<f64> {
        match self.short_double() {
            Some((value, length, _)) => {
                self.advance(length);
                Ok(value)
            }
            None => self.long_number().map(to_double),
        }
    }

    /// Consumes a number of a list or an object, and the comma or the end after it. Returns the nearest double, and whether there is a
    /// further item.
    #[inline(always)]
    pub(crate) fn double_and_separator(&mut self, end: u8) -> Result<(f64, bool)> {
        if let Some((value, length, next)) = self.short_double()
            && (next == b',' || next == end)
        {
            self.advance(length + 1);
            return Ok((value, next == b','));
        }
        let value = self.double()?;
        Ok((value, self.has_next(end)?))
    }

    /// Parses a number without exponent that is short. Returns it, its length, and the byte after it.
    #[inline(always)]
    fn short_double(&self) -> Option<(f64, usize, u8)> {
        let window = self.window::<9>()?;
        let negative = window[0] == b'-';
        let number = short(if negative { window.last_chunk()? } else { window.first_chunk()? })?;
        let value = number.to_double();
        Some((if negative { -value } else { value }, number.length + usize::from(negative), number.next))
    }

    /// Consumes a number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<ParsedNumber> {
        if let Some(window) = self.window::<8>()
            && let Some(number) = short(window)
        {
            self.advance(number.length);
            return Ok(match number.decimals {
                0 => ParsedNumber::Unsigned(number.digits.into()),
                _ => ParsedNumber::Double(number.to_double()),
            });
        }
        self.long_number()
    }

    /// Consumes a number. Returns it if it is an integer, also one such as `72.0`.
    #[inline]
    pub(crate) fn integer(&mut self) -> Result<Option<i64>> {
        Ok(match self.number()? {
            ParsedNumber::Unsigned(value) => i64::try_from(value).ok(),
            ParsedNumber::Signed(value) => Some(value),
            ParsedNumber::Double(value) => <i64 as Decode>::number(value),
        })
    }

    /// Consumes a number of any length.
    #[inline(never)]
    fn long_number(&mut self) -> Result<ParsedNumber> {
        let bytes = self.bytes();
        let negative = bytes.first() == Some(&b'-');
        let digits = bytes.get(usize::from(negative)..).unwrap_or_default();
        let (value, whole) = accumulate(0, digits);
        let (value, decimals) = match digits.get(whole..) {
            Some([b'.', decimals @ ..]) => {
                let (value, count) = accumulate(value, decimals);
                (value, Some(count))
            }
            _ => (value, None),
        };
        let length = whole + decimals.map_or(0, |count| count + 1);
        let is_plain = whole > 0
            && decimals != Some(0)
            && length <= 19
            && !(whole > 1 && digits.first() == Some(&b'0'))
            && !matches!(digits.get(length), Some(b'e' | b'E'));
        let parsed = match decimals {
            _ if !is_plain => None,
            None if !negative => Some(ParsedNumber::Unsigned(value)),
            None => i64::try_from(value).ok().filter(|value| *value > 0).map(|value| ParsedNumber::Signed(-value)),
            #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
            Some(count) => POWERS.get(count).filter(|_| value <= EXACT).map(|power| {
                let value = value as f64 / power;
                ParsedNumber::Double(if negative { -value } else { value })
            }),
        };
        match parsed {
            Some(_) => self.advance(length + usize::from(negative)),
            None => return parse_number(self.number_text()?).ok_or(PullError::Malformed),
        }
        parsed.ok_or(PullError::Malformed)
    }
}

/// Converts a number to the nearest double.
#[expect(clippy::cast_precision_loss, reason = "number fields are doubles; all JSON parsers round in the same way")]
fn to_double(number: ParsedNumber) -> f64 {
    match number {
        ParsedNumber::Unsigned(value) => value as f64,
        ParsedNumber::Signed(value) => value as f64,
        ParsedNumber::Double(value) => value,
    }
}

/// Appends the leading digits of a text to a number. Returns the number, which is meaningless after more than 19 digits, and the count.
#[inline]
fn accumulate(mut value: u64, text: &[u8]) -> (u64, usize) {
    let mut count = 0;
    while let Some(eight) = text.get(count..).and_then(|rest| rest.first_chunk::<8>()) {
        let values = u64::from_le_bytes(*eight) ^ ZEROS;
        if others(values) != 0 {
            break;
        }
        value = value.wrapping_mul(100_000_000).wrapping_add(u64::from(eight_digits(values)));
        count += 8;
    }
    while let Some(digit) = text.get(count).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    (value, count)
}

/// Eight zeros.
const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Sets the high bit of each byte that is not a digit's value.
#[inline(always)]
fn others(values: u64) -> u64 {
    ((values & !HIGH).wrapping_add(0x7676_7676_7676_7676) | values) & HIGH
}

/// Returns the number that eight digits' values form; the lowest byte is the first digit.
#[inline(always)]
fn eight_digits(values: u64) -> u32 {
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(100).wrapping_add((pairs >> 16) & 0x00ff_00ff_00ff_00ff);
    let eights = (fours & 0xffff).wrapping_mul(10_000).wrapping_add((fours >> 32) & 0xffff);
    u32::try_from(eights).unwrap_or(0)
}

/// A number without sign and exponent that ends within eight bytes.
struct ShortNumber {
    /// The digits, without the point.
    digits: u32,
    /// Number of digits after the point.
    decimals: u32,
    /// Length of the text.
    length: usize,
    /// The byte after the number.
    next: u8,
}

impl ShortNumber {
    #[inline(always)]
    fn to_double(&self) -> f64 {
        f64::from(self.digits) / POWERS.get(self.decimals as usize).copied().unwrap_or(1.0)
    }
}

/// Parses a short number. Returns `None` if it is longer, malformed or has an exponent.
#[inline(always)]
fn short(window: &[u8; 8]) -> Option<ShortNumber> {
    let word = u64::from_le_bytes(*window);
    let values = word ^ ZEROS;
    let others = others(values);
    let whole = others.trailing_zeros() / 8;
    if whole == 0 || whole == 8 || (whole > 1 && word.to_le_bytes()[0] == b'0') {
        return None;
    }
    let byte_at = |at: u32| word.wrapping_shr(8 * at).to_le_bytes()[0];
    let mut next = byte_at(whole);
    let (mut digits, mut length, mut decimals) = (values, whole, 0);
    if next == b'.' {
        // Removes the point: the decimals move one byte down.
        let low = (1 << (8 * whole)) - 1;
        digits = (values & low) | ((values >> 8) & !low);
        let rest = others & (others - 1);
        length = rest.trailing_zeros() / 8;
        decimals = length.wrapping_sub(whole + 1);
        if rest == 0 || decimals == 0 {
            return None;
        }
        next = byte_at(length);
    }
    if matches!(next, b'e' | b'E') {
        return None;
    }
    let count = whole + decimals;
    // The last digit moves to the highest byte; zeros fill the lower ones.
    Some(ShortNumber { digits: eight_digits(digits << (64 - 8 * count)), decimals, length: length as usize, next })
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
