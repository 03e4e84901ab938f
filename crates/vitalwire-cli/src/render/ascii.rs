//! ASCII forms of charts and tables, for terminals without UTF-8.

use std::env;
use std::ffi::OsString;

use unicode_width::UnicodeWidthChar;

/// Environment variables that name the locale, by priority.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];
/// Symbols of this program, each with an ASCII form of the same width.
const REPLACEMENTS: [(&str, char); 15] = [
    ("─━–", '-'),
    ("┬┏┓┗┛", '+'),
    ("┃", '|'),
    ("·", '.'),
    ("●", 'o'),
    ("×", 'x'),
    ("²", '2'),
    ("…", '~'),
    ("▁▂", '_'),
    ("▃", '.'),
    ("▄", '-'),
    ("▅", '='),
    ("▆", '+'),
    ("▇", '*'),
    ("█", '#'),
];

/// Whether the locale uses UTF-8 or is unknown. Always true on Windows.
pub(crate) fn is_utf8() -> bool {
    cfg!(windows) || locale_is_utf8(|name| env::var_os(name))
}

fn locale_is_utf8(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let locale = VARIABLES.iter().filter_map(|name| variable(name)).find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Converts a line to ASCII of the same width. Letters of other scripts become `?`.
pub(crate) fn to_ascii(line: &str) -> String {
    let line = line.replace("°C", "C ").replace(" · ", " | ");
    let mut out = String::with_capacity(line.len());
    for char in line.chars() {
        if char.is_ascii() {
            out.push(char);
        } else if let Some((_, form)) = REPLACEMENTS.iter().find(|(marks, _)| marks.contains(char)) {
            out.push(*form);
        } else {
            out.extend(std::iter::repeat_n('?', char.width().unwrap_or(0)));
        }
    }
    out.trim_end_matches(' ').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::style::width;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        for (all, ctype, lang, expected) in [
            ("", "", "", true),
            ("C", "", "en_US.UTF-8", false),
            ("C.UTF-8", "C", "C", true),
            ("", "UTF-8", "C", true),
            ("", "de_DE.ISO-8859-1", "en_US.UTF-8", false),
            ("", "", "de_DE.utf8", true),
            ("", "", "POSIX", false),
        ] {
            let values = [("LC_ALL", all), ("LC_CTYPE", ctype), ("LANG", lang)];
            let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
            assert_eq!(locale_is_utf8(value), expected, "{values:?}");
        }
        assert!(locale_is_utf8(|_| None));
    }

    #[test]
    fn charts_keep_their_width() {
        let bars = "▁▂▃▄▅▆▇█";
        assert_eq!(to_ascii(bars), "__.-=+*#");
        assert_eq!(to_ascii("·····━●━━━····"), ".....-o---....");
        for line in ["━┓       ┏┛", "70–99", "Käse 朝食 x", "°C  -0.28", bars] {
            assert!(to_ascii(line).is_ascii(), "{line}");
            assert_eq!(width(&to_ascii(line)), width(line), "{line}");
        }
        assert_eq!(to_ascii("score 88  ·  skin 34.15 °C"), "score 88  |  skin 34.15 C");
    }
}
