//! Header parameters.

use http::HeaderValue;

use crate::error::Error;

/// Creates the value of a header parameter, marked as sensitive.
///
/// Rejects values that a header cannot contain, such as line breaks and other control characters.
pub fn header_value(argument: &'static str, text: String) -> Result<HeaderValue, Error> {
    let value = HeaderValue::try_from(text).map_err(|_| Error::invalid_argument(argument, "must not contain control characters"));
    value.map(|mut value| {
        value.set_sensitive(true);
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_sent_unchanged_and_is_sensitive() {
        let value = header_value("X-Trace", "a b=c".to_owned()).unwrap();
        assert_eq!((value.as_bytes(), format!("{value:?}").as_str()), (&b"a b=c"[..], "Sensitive"));
    }

    #[test]
    fn line_breaks_in_a_value_are_rejected() {
        for hostile in ["a\r\nX-Other: b", "a\nb", "\0", "\u{7f}"] {
            let error = header_value("X-Trace", hostile.to_owned()).unwrap_err();
            assert_eq!((error.kind(), error.argument()), (crate::error::ErrorKind::InvalidArgument, Some("X-Trace")));
        }
    }
}
