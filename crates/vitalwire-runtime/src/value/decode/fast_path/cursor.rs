//! A cursor over the JSON text of a body.
//!
//! It reads eight bytes at a time as an integer (SIMD within a register), which is fast on every processor and needs no unsafe code.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error;

/// Reason why the fast path cannot decode a body.
#[derive(Debug, PartialEq, Eq)]
pub enum FastPathError {
    /// The type has no fast path.
    Unsupported,
    /// The text is malformed, or has a leaf that can only be read as text.
    Malformed,
    /// A value breaks a rule, or a limit is exceeded.
    Invalid,
}

impl fmt::Display for FastPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unreadable")
    }
}

impl std::error::Error for FastPathError {}

impl Error for FastPathError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Invalid
    }
}

/// Result of reading from a cursor.
pub(crate) type Result<T> = std::result::Result<T, FastPathError>;

/// A byte in each of the eight bytes of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A position in a text.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

/// A value of the text, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Null,
    True,
    False,
    String,
    Number,
    List,
    Object,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor at the start of a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the rest of the text.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the next `N` bytes without consuming them. Returns `None` near the end of the text.
    #[inline(always)]
    pub(crate) fn window<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.bytes().first_chunk()
    }

    /// Consumes bytes that were looked at.
    #[inline(always)]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Returns the position, for [`Cursor::rewind`].
    #[inline(always)]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Returns to an earlier position.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// Skips white space and returns the next byte without consuming it. Returns 0 at the end of the text.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_after_space(),
        }
    }

    #[inline(never)]
    fn peek_after_space(&mut self) -> u8 {
        let bytes = self.bytes();
        let spaces = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')).count();
        self.at += spaces;
        bytes.get(spaces).copied().unwrap_or(0)
    }

    /// Consumes a byte after white space.
    #[inline(always)]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.peek() != byte {
            return Err(FastPathError::Malformed);
        }
        self.at += 1;
        Ok(())
    }

    /// Consumes the comma before a further item or field, or the end of the list or object. Returns whether there is a further one.
    #[inline(always)]
    pub(crate) fn has_next(&mut self, end: u8) -> Result<bool> {
        let byte = self.peek();
        if byte != b',' && byte != end {
            return Err(FastPathError::Malformed);
        }
        self.at += 1;
        Ok(byte == b',')
    }

    /// Consumes the start of a list or an object. Returns whether it has items or fields.
    #[inline(always)]
    pub(crate) fn begin(&mut self, start: u8, end: u8) -> Result<bool> {
        self.expect(start)?;
        let is_empty = self.peek() == end;
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// Whether only white space is left.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.peek();
        self.bytes().is_empty()
    }

    /// Skips white space and returns the type of the next value.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> Result<Token> {
        Ok(match self.peek() {
            b'"' => Token::String,
            b'-' | b'0'..=b'9' => Token::Number,
            b'{' => Token::Object,
            b'[' => Token::List,
            b'n' => Token::Null,
            b't' => Token::True,
            b'f' => Token::False,
            _ => return Err(FastPathError::Malformed),
        })
    }

    /// Consumes `null`, `true` or `false`.
    #[inline]
    pub(crate) fn word(&mut self, token: Token) -> Result<()> {
        let word: &[u8] = match token {
            Token::Null => b"null",
            Token::True => b"true",
            _ => b"false",
        };
        if !self.bytes().starts_with(word) {
            return Err(FastPathError::Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    /// Consumes a string, quotes included. Returns its text.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'t, str>> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            let Some(word) = self.window::<8>() else { return self.string_at_end(start) };
            let special = special(u64::from_le_bytes(*word));
            if special != 0 {
                self.at += special.trailing_zeros() as usize / 8;
                break;
            }
            self.at += 8;
        }
        self.end_string(start)
    }

    /// Ends a string whose next byte is a quote, a backslash or a control character.
    #[inline]
    fn end_string(&mut self, start: usize) -> Result<Cow<'t, str>> {
        if self.text.as_bytes().get(self.at) == Some(&b'"') {
            let text = self.text.get(start..self.at).ok_or(FastPathError::Malformed)?;
            self.at += 1;
            return Ok(Cow::Borrowed(text));
        }
        self.escaped(start).map(Cow::Owned)
    }

    #[cold]
    fn string_at_end(&mut self, start: usize) -> Result<Cow<'t, str>> {
        let length = self.bytes().iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')).ok_or(FastPathError::Malformed)?;
        self.at += length;
        self.end_string(start)
    }

    /// Reads a string with escapes.
    #[cold]
    fn escaped(&mut self, start: usize) -> Result<String> {
        self.at = start;
        self.skip_string()?;
        let quoted = self.text.get(start - 1..self.at).ok_or(FastPathError::Malformed)?;
        serde_json::from_str(quoted).map_err(|_| FastPathError::Malformed)
    }

    /// Consumes the rest of a string after its first quote. Escapes are checked as serde_json checks them in values that it ignores.
    #[inline]
    fn skip_string(&mut self) -> Result<()> {
        loop {
            while let Some(word) = self.window::<8>() {
                let special = special(u64::from_le_bytes(*word));
                if special != 0 {
                    self.at += special.trailing_zeros() as usize / 8;
                    break;
                }
                self.at += 8;
            }
            match self.bytes() {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(());
                }
                [b'\\', b'u', code @ ..] if code.iter().take(4).filter(|digit| digit.is_ascii_hexdigit()).count() == 4 => self.at += 6,
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
                [b'\\' | 0..b' ', ..] | [] => return Err(FastPathError::Malformed),
                _ => self.at += 1,
            }
        }
    }

    /// Consumes a value of any type. Nested values take no stack; a value that is nested more than 128 times is left to serde_json.
    #[inline]
    pub(crate) fn skip(&mut self) -> Result<()> {
        match self.token()? {
            Token::String => {
                self.at += 1;
                self.skip_string()
            }
            Token::Number => self.skip_number(),
            Token::List | Token::Object => self.skip_nested(),
            word => self.word(word),
        }
    }

    /// Consumes a value of any type. Returns its text.
    #[inline]
    pub(crate) fn value_text(&mut self) -> Result<&'t str> {
        self.peek();
        let start = self.at;
        self.skip()?;
        self.text_since(start)
    }

    /// Returns the text from an earlier position to this one.
    #[inline]
    pub(crate) fn text_since(&self, start: usize) -> Result<&'t str> {
        self.text.get(start..self.at).ok_or(FastPathError::Malformed)
    }

    #[inline]
    fn skip_nested(&mut self) -> Result<()> {
        // Whether each list or object around the current value is an object, the innermost one in the lowest bit.
        let (mut objects, mut depth) = (0_u128, 0_u32);
        loop {
            let token = self.token()?;
            if matches!(token, Token::List | Token::Object) {
                if depth == u128::BITS {
                    return Err(FastPathError::Malformed);
                }
                let is_object = token == Token::Object;
                let (start, end) = if is_object { (b'{', b'}') } else { (b'[', b']') };
                if self.begin(start, end)? {
                    objects = objects << 1 | u128::from(is_object);
                    depth += 1;
                    self.skip_name(is_object)?;
                    continue;
                }
            } else {
                self.skip()?;
            }
            loop {
                if depth == 0 {
                    return Ok(());
                }
                let is_object = objects & 1 == 1;
                if self.has_next(if is_object { b'}' } else { b']' })? {
                    self.skip_name(is_object)?;
                    break;
                }
                objects >>= 1;
                depth -= 1;
            }
        }
    }

    /// Consumes the name of a field with its colon, in an object.
    #[inline]
    fn skip_name(&mut self, is_object: bool) -> Result<()> {
        if !is_object {
            return Ok(());
        }
        self.expect(b'"')?;
        self.skip_string()?;
        self.expect(b':')
    }

    /// Consumes a number. Returns its text, which follows JSON's grammar.
    pub(crate) fn number_text(&mut self) -> Result<&'t str> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits = |from: usize| bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut at = start + usize::from(bytes.get(start) == Some(&b'-'));
        let whole = digits(at);
        if whole == 0 || (whole > 1 && bytes.get(at) == Some(&b'0')) {
            return Err(FastPathError::Malformed);
        }
        at += whole;
        if bytes.get(at) == Some(&b'.') {
            let decimals = digits(at + 1);
            if decimals == 0 {
                return Err(FastPathError::Malformed);
            }
            at += 1 + decimals;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let exponent = digits(at);
            if exponent == 0 {
                return Err(FastPathError::Malformed);
            }
            at += exponent;
        }
        self.at = at;
        self.text_since(start)
    }
}

/// Sets the high bit of the first byte that is a quote, a backslash or a control character. Higher bits are meaningless.
#[inline(always)]
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let quotes = quote.wrapping_sub(ONES) & !quote;
    let backslashes = backslash.wrapping_sub(ONES) & !backslash;
    let controls = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
    (quotes | backslashes | controls) & HIGH
}
