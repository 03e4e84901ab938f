//! Error kinds on the command line.

use vitalwire::ErrorKind;

/// An error kind that `vitalwire explain` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplainedKind {
    Core(ErrorKind),
    /// The native library cannot be used. Only the package for Kotlin and Java has this kind.
    Library,
}

impl ExplainedKind {
    /// Returns all kinds, in the order of their numbers.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ErrorKind::ALL.iter().copied().map(Self::Core).chain([Self::Library])
    }

    pub(crate) fn code(self) -> u16 {
        match self {
            Self::Core(kind) => kind.code(),
            Self::Library => 1902,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Core(kind) => kind.as_str(),
            Self::Library => "library",
        }
    }
}

/// Parses the number or the name of an error kind, in the spelling of any language.
pub(super) fn parse_kind(text: &str) -> Result<ExplainedKind, String> {
    let name = letters_and_digits(text.rsplit(['.', ':']).next().unwrap_or(text));
    // C prefixes each name, and Python ends each class with the same word.
    let name = name.strip_prefix("vitalwireerror").unwrap_or(&name);
    let name = name.strip_suffix("error").unwrap_or(name);
    let known = ExplainedKind::all().find(|kind| letters_and_digits(kind.name()) == name || kind.code().to_string() == name);
    known.ok_or_else(|| "must be the number or name of an error; `vitalwire explain` lists them".to_owned())
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shown for a language that does not have the kind.
    const NO_NAME: &str = "n/a";

    #[test]
    fn numbers_and_names_of_every_language_are_parsed() {
        for text in [
            "1201",
            "not_found",
            "not-found",
            "NotFound",
            "ErrorKind::NotFound",
            "NotFoundError",
            "vitalwire.NotFoundError",
            "notFound",
            ".notFound",
            "VitalwireException.NotFound",
            "VITALWIRE_ERROR_NOT_FOUND",
        ] {
            assert_eq!(parse_kind(text), Ok(ExplainedKind::Core(ErrorKind::NotFound)), "{text}");
        }
        assert_eq!(parse_kind("VITALWIRE_ERROR_INTERNAL"), Ok(ExplainedKind::Core(ErrorKind::Internal)));
        assert_eq!(parse_kind("VitalwireException.Library"), Ok(ExplainedKind::Library));
        for text in ["404", "", "Error", "VITALWIRE_ERROR_", "found", "12010"] {
            assert!(parse_kind(text).is_err(), "{text}");
        }
    }

    /// The site's pages list the names of every language.
    #[test]
    fn every_name_on_the_pages_of_errors_is_parsed() {
        let mut count = 0;
        for kind in ExplainedKind::all() {
            let page = format!("{}/../../docs/site/errors/{}.md", env!("CARGO_MANIFEST_DIR"), kind.code());
            let page = std::fs::read_to_string(page).expect("a page");
            let (number, name) = page.lines().next().and_then(|line| line.strip_prefix("# ")?.split_once(' ')).expect("a heading");
            let names = page.lines().rfind(|line| line.starts_with("| ")).expect("a row");
            let is_name = |text: &&str| !text.is_empty() && *text != NO_NAME;
            for text in names.split(['|', '`', ' ']).filter(is_name).chain([number, name]) {
                assert_eq!(parse_kind(text), Ok(kind), "{text}");
                count += 1;
            }
        }
        // Each kind has a name in five columns, a number and a name in the heading. The kind `library` has a name in one column.
        assert_eq!(count, ErrorKind::ALL.len() * 7 + 3);
    }
}
