//! Error kinds on the command line.

use vitalwire::ErrorKind;

/// Parses the number or the name of an error kind.
pub(super) fn parse_kind(text: &str) -> Result<ErrorKind, String> {
    let known = ErrorKind::ALL.iter().copied().find(|kind| kind.as_str() == text || text.parse() == Ok(kind.code()));
    known.ok_or_else(|| "must be the number or name of an error; `vitalwire explain` lists them".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_parsed() {
        assert_eq!(parse_kind("1201"), Ok(ErrorKind::NotFound));
        assert_eq!(parse_kind("not_found"), Ok(ErrorKind::NotFound));
        assert!(parse_kind("404").is_err() && parse_kind("").is_err());
    }
}
