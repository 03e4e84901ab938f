//! Conversion of JSON text to plain Python values with exact numbers.
//!
//! Python's `json` turns `1e400` into infinity, drops digits, and raises errors for integers with too many digits and values with too many
//! levels. Here such a value is a [`JsonText`], which equals no string:
//!
//! | JSON | Python |
//! |---|---|
//! | an integer | exact `int`; text if it exceeds the interpreter's limit of digits |
//! | another number | `float` if it is exact in decimal; otherwise text, such as `1e400` |
//! | a value of more than [`MAX_LEVELS`] levels | text of the whole field |

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};
use vitalwire::Error;

use crate::errors;
use crate::json_text::JsonText;

/// Maximum levels of a value: more than any real value has, and few enough for Python's recursion limit.
const MAX_LEVELS: usize = 64;
/// Maximum levels of declared fields in a list of records, which the results of lab reports have. Deeper values become text.
const MAX_DECLARED_LEVELS: usize = 6;
/// Number of decimal digits that every normal double preserves.
const EXACT_DIGITS: usize = 15;
const LARGE: f64 = 1e300;
const SMALL: f64 = 1e-290;

/// Converts an undeclared value. It becomes text if it has too many levels.
pub(crate) fn value<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    read(py, text, 0)
}

/// Converts a record or a list of records. A field with too many levels becomes text.
pub(crate) fn record<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    read(py, text, MAX_DECLARED_LEVELS)
}

fn read<'py>(py: Python<'py>, text: &str, declared: usize) -> PyResult<Bound<'py, PyAny>> {
    match (Reader { py, text, at: 0, names: HashMap::new(), declared }).value(0) {
        Ok(value) => Ok(value),
        Err(ParseFailure::Deep) => JsonText::object(py, text),
        Err(ParseFailure::RaisedException(error)) => Err(error),
    }
}

/// Reason why a value cannot be converted.
enum ParseFailure {
    /// Too many levels.
    Deep,
    RaisedException(PyErr),
}

impl From<PyErr> for ParseFailure {
    fn from(error: PyErr) -> Self {
        Self::RaisedException(error)
    }
}

/// Parser of valid JSON from the core.
struct Reader<'a, 'py> {
    py: Python<'py>,
    text: &'a str,
    at: usize,
    /// Cache of names as Python strings, because list items repeat them.
    names: HashMap<&'a str, Bound<'py, PyString>>,
    /// Maximum level at which a field may become text.
    declared: usize,
}

impl<'a, 'py> Reader<'a, 'py> {
    /// Parses the next value at this level.
    fn value(&mut self, level: usize) -> Result<Bound<'py, PyAny>, ParseFailure> {
        match self.peek() {
            Some(b'{') => self.object(level + 1),
            Some(b'[') => self.list(level + 1),
            Some(b'"') => Ok(self.string()?.into_any()),
            Some(b't') => self.literal("true", true.into_pyobject(self.py).map_err(PyErr::from)?.to_owned().into_any()),
            Some(b'f') => self.literal("false", false.into_pyobject(self.py).map_err(PyErr::from)?.to_owned().into_any()),
            Some(b'n') => self.literal("null", self.py.None().into_bound(self.py)),
            Some(b'-' | b'0'..=b'9') => Ok(self.number()?),
            _ => Err(self.invalid_json()),
        }
    }

    fn object(&mut self, level: usize) -> Result<Bound<'py, PyAny>, ParseFailure> {
        self.enter(level)?;
        let dict = PyDict::new(self.py);
        while !self.at_end(b'}') {
            let name = self.name()?;
            self.expect(b':')?;
            self.peek();
            let start = self.at;
            let value = match self.value(level) {
                Err(ParseFailure::Deep) if level <= self.declared => {
                    self.at = find_end(self.text, start);
                    JsonText::object(self.py, self.text.get(start..self.at).unwrap_or_default())?
                }
                other => other?,
            };
            dict.set_item(name, value)?;
        }
        Ok(dict.into_any())
    }

    fn list(&mut self, level: usize) -> Result<Bound<'py, PyAny>, ParseFailure> {
        self.enter(level)?;
        let mut items = Vec::new();
        while !self.at_end(b']') {
            items.push(self.value(level)?);
        }
        Ok(PyList::new(self.py, items)?.into_any())
    }

    fn enter(&mut self, level: usize) -> Result<(), ParseFailure> {
        self.at += 1;
        if level > MAX_LEVELS + self.declared { Err(ParseFailure::Deep) } else { Ok(()) }
    }

    /// Whether an object or a list ends here. Skips a comma between items.
    fn at_end(&mut self, end: u8) -> bool {
        if self.peek() == Some(b',') {
            self.at += 1;
        }
        let ends = self.peek() == Some(end);
        self.at += usize::from(ends);
        ends
    }

    fn name(&mut self) -> Result<Bound<'py, PyString>, ParseFailure> {
        self.peek();
        let start = self.at;
        let token = self.text.get(start..find_end(self.text, start)).unwrap_or_default();
        if let Some(name) = self.names.get(token) {
            self.at = start + token.len();
            return Ok(name.clone());
        }
        let name = self.string()?;
        self.names.insert(token, name.clone());
        Ok(name)
    }

    fn string(&mut self) -> Result<Bound<'py, PyString>, ParseFailure> {
        let start = self.at;
        self.at = find_end(self.text, start);
        let token = self.text.get(start..self.at).unwrap_or_default();
        match token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) {
            Some(plain) if !plain.contains('\\') => Ok(PyString::new(self.py, plain)),
            // Python's decoder accepts unpaired surrogates, which Rust strings cannot contain.
            Some(_) => Ok(self.py.import("json")?.call_method1("loads", (token,))?.cast_into::<PyString>().map_err(PyErr::from)?),
            None => Err(self.invalid_json()),
        }
    }

    fn number(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.find(|sign: char| !matches!(sign, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let token = rest.get(..end).unwrap_or_default();
        self.at += end;
        if !token.contains(['.', 'e', 'E']) {
            if let Ok(small) = token.parse::<i64>() {
                return Ok(small.into_pyobject(self.py)?.into_any());
            }
            // Python limits the number of digits. Longer integers become JSON text.
            let whole = self.py.get_type::<PyInt>().call1((token,));
            return whole.or_else(|_| JsonText::object(self.py, token));
        }
        double(token).map_or_else(|| JsonText::object(self.py, token), |double| Ok(PyFloat::new(self.py, double).into_any()))
    }

    fn literal(&mut self, word: &str, value: Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, ParseFailure> {
        self.at += word.len();
        Ok(value)
    }

    fn expect(&mut self, sign: u8) -> Result<(), ParseFailure> {
        if self.peek() != Some(sign) {
            return Err(self.invalid_json());
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the next character that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let (skipped, sign) = rest.iter().enumerate().find(|(_, sign)| !matches!(sign, b' ' | b'\t' | b'\n' | b'\r'))?;
        self.at += skipped;
        Some(*sign)
    }

    fn invalid_json(&self) -> ParseFailure {
        ParseFailure::RaisedException(errors::raise(self.py, Error::internal("the core returned invalid JSON")))
    }
}

/// Returns the end of the string, object or list that starts here.
fn find_end(text: &str, start: usize) -> usize {
    let (mut open, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, sign) in text.bytes().enumerate().skip(start) {
        match sign {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => open += 1,
            b'}' | b']' if !quoted => open = open.saturating_sub(1),
            _ => continue,
        }
        if open == 0 && !quoted && !escaped {
            return at + 1;
        }
    }
    text.len()
}

/// Returns the double with the same decimal value, if there is one.
fn double(token: &str) -> Option<f64> {
    let double: f64 = token.parse().ok()?;
    let mantissa = token.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    if digits <= EXACT_DIGITS && (SMALL..LARGE).contains(&double.abs()) {
        return Some(double);
    }
    (double.is_finite() && decimal(token) == decimal(&format!("{double:e}"))).then_some(double)
}

/// Returns the significant digits of a number and the power of ten of the last one. Zero has no digits.
fn decimal(number: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa.trim_start_matches('-'), ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - digits.len()).ok()?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some((String::new(), 0));
    }
    let exponent = exponent.trim_start_matches('+').parse::<i64>().ok()?;
    Some((digits.to_owned(), exponent.checked_add(zeros)?.checked_sub(i64::try_from(fraction.len()).ok()?)?))
}
