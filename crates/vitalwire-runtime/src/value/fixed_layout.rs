//! Fast parser for the date-time layouts of nearly all responses. It takes about a tenth of the time of the full grammar.

/// Parses `YYYY-MM-DDTHH:MM:SS`, up to nine decimals, and `Z`, `+HH:MM`, `-HH:MM` or nothing (UTC). Returns the seconds since
/// 1970-01-01T00:00:00Z, rounded down, and the nanoseconds. Returns `None` for any other text, including other valid date-times such as
/// leap seconds.
pub(super) fn parse_instant(text: &[u8]) -> Option<(i64, u32)> {
    let (head, rest) = text.split_first_chunk::<19>()?;
    let (date, time) = head.split_first_chunk::<8>()?;
    let [y0, _, y1, _, _, month, ..] = parse_pairs(date, *b"0000-00-")?;
    let [day, _, _, hour, _, _, minute, _] = parse_pairs(time.first_chunk()?, *b"00T00:00")?;
    let [.., second, _] = parse_pairs(time.last_chunk()?, *b"00:00:00")?;
    let year = i64::from(y0) * 100 + i64::from(y1);
    let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(i64::from);
    if year < 1 || !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (nanoseconds, rest) = parse_fraction(rest)?;
    let offset = match *rest {
        [] | [b'Z'] => 0,
        [sign @ (b'+' | b'-'), h0, h1, b':', n0, n1] => {
            let (hours, minutes) = (parse_two_digits(h0, h1)?, parse_two_digits(n0, n1)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = (hours * 60 + minutes) * 60;
            if sign == b'-' { -seconds } else { seconds }
        }
        _ => return None,
    };
    Some((((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset, nanoseconds))
}

/// Returns, for each of eight bytes, the two-digit number that it forms with the next byte. The text must have a digit wherever the layout
/// has `0`, and equal the layout elsewhere. Takes one subtraction and one comparison for all eight bytes.
#[inline]
fn parse_pairs(text: &[u8; 8], layout: [u8; 8]) -> Option<[u8; 8]> {
    // Each byte is now the value of a digit, 0 for a matching layout byte, or more than that for a mismatch.
    let digits = u64::from_le_bytes(*text) ^ u64::from_le_bytes(layout);
    // Sets the highest bit of each byte that exceeds its maximum, 9 or 0.
    let over = u64::from_le_bytes(layout.map(|byte| if byte == b'0' { 0x7f - 9 } else { 0x7f }));
    let fits = (digits.wrapping_add(over) | digits) & 0x8080_8080_8080_8080 == 0;
    // Each result is at most 99, so there is no carry into the next byte.
    fits.then(|| (digits.wrapping_mul(10).wrapping_add(digits >> 8)).to_le_bytes())
}

#[inline]
fn parse_two_digits(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens < 10 && ones < 10 { Some(i64::from(tens) * 10 + i64::from(ones)) } else { None }
}

/// Parses decimals as nanoseconds. Returns them with the rest of the text.
fn parse_fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let [b'.', decimals @ ..] = text else { return Some((0, text)) };
    let count = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&count) {
        return None;
    }
    let (digits, rest) = decimals.split_at(count);
    let nanoseconds = digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some((nanoseconds * 10_u32.pow(9 - u32::try_from(count).ok()?), rest))
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is the last of the year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests;
