//! Colours, and the width of texts.

use std::borrow::Cow;
use std::path::Path;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Color, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The default style of the terminal.
pub(crate) const PLAIN: Style = Style::new();
/// Emphasis.
pub(crate) const STRONG: Style = Style::new().bold();
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Good values.
pub(crate) const GOOD: Style = color(AnsiColor::Green);
/// Values that deserve attention.
pub(crate) const WARN: Style = color(AnsiColor::Yellow);
/// Bad values.
pub(crate) const BAD: Style = color(AnsiColor::Red);
/// Curves and bars.
pub(crate) const CURVE: Style = color(AnsiColor::Cyan);
pub(crate) const HEADING: Style = color(AnsiColor::Cyan).bold();

/// Minimum length of a secret: that of a webhook key.
const MIN_SECRET: usize = 16;
/// Minimum number of digits in a text that may be a secret. Names of variables and profiles have fewer.
const MIN_SECRET_DIGITS: usize = 4;
/// Maximum length of a name.
const MAX_NAME: usize = 100;

/// Returns a foreground colour from the terminal's palette, which suits light and dark themes.
pub(crate) const fn color(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

/// Formats a text in a style. Adds no escape sequences for a plain style or a blank text.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if style.is_plain() || text.trim().is_empty() { text.to_owned() } else { format!("{style}{text}{style:#}") }
}

/// Removes control sequences from a text of the service. Line ends and tabs become spaces. Other control characters, and marks that
/// change the writing direction, become `�`.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains(controls_terminal) { Cow::Owned(text.chars().map(replacement).collect()) } else { Cow::Borrowed(text) }
}

/// Returns a path as text without control sequences, like [`clean`].
pub(crate) fn clean_path(path: &Path) -> String {
    clean(&path.to_string_lossy()).into_owned()
}

/// Returns a name that the user gave for an error text. A secret that was given in its place is left out.
pub(crate) fn clean_name(name: &str) -> Cow<'_, str> {
    if may_be_secret(name) { Cow::Borrowed("(name not shown: it may be a secret)") } else { clean(name) }
}

/// Whether a text may be a token or a key: it is long, a JSON Web Token, or has at least 16 characters that look random.
pub(crate) fn may_be_secret(text: &str) -> bool {
    let is_random = |part: &str| {
        let has = |is: fn(&u8) -> bool| part.as_bytes().iter().any(is);
        part.len() >= MIN_SECRET && (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
    };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() > MAX_NAME
        || is_json_web_token(text)
        || text.len() >= MIN_SECRET && digits >= MIN_SECRET_DIGITS
        || text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_random)
        || text.len() >= MIN_SECRET && text.contains(['+', '/', '=', '$', '!', '%'])
}

/// Like [`may_be_secret`], for a path. A name with an extension is that of a file, unless it is a JSON Web Token.
pub(crate) fn may_be_secret_path(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.len() > MAX_NAME || is_json_web_token(&name) || path.extension().is_none() && may_be_secret(&name)
}

fn is_json_web_token(text: &str) -> bool {
    text.starts_with("eyJ") && text.matches('.').count() == 2
}

/// Like [`clean`], for several lines. Keeps line breaks and tabs.
pub(crate) fn clean_lines(text: &str) -> String {
    let clean = |char| if matches!(char, '\n' | '\t') || !controls_terminal(char) { char } else { '\u{fffd}' };
    text.replace("\r\n", "\n").chars().map(clean).collect()
}

/// Removes control sequences from a line of our own but keeps its styles, in case a text of the service was not cleaned.
pub(crate) fn clean_line(line: &str) -> Cow<'_, str> {
    if !line.contains(controls_terminal) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(controls_terminal) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (style, after) = from.split_at(style_length(from));
        out.push_str(style);
        let mut chars = after.chars();
        if style.is_empty() {
            out.extend(chars.next().map(replacement));
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the length in bytes of a style's escape sequence at the start, or 0.
fn style_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit() && byte != b';');
    end.filter(|end| rest.as_bytes().get(*end) == Some(&b'm')).map_or(0, |end| end + 3)
}

/// Whether a character controls a terminal instead of being shown.
pub(crate) fn controls_terminal(char: char) -> bool {
    char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn replacement(char: char) -> char {
    match char {
        '\n' | '\r' | '\t' => ' ',
        _ if controls_terminal(char) => '\u{fffd}',
        _ => char,
    }
}

/// Returns the width of a text in columns. Escape sequences have no width.
pub(crate) fn width(text: &str) -> usize {
    strip_str(text).map(UnicodeWidthStr::width).sum()
}

/// Shortens a text to this many columns, with `…` at the end.
pub(crate) fn truncate(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for char in text.chars() {
        used += char.width().unwrap_or(0);
        if used >= columns {
            break;
        }
        kept.push(char);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

/// Breaks a text between words into lines of at most this many columns. A longer word stays whole.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    join_wrapped(text.split_whitespace(), " ", columns)
}

/// Joins items into lines of at most this many columns, broken between items. A longer item stays whole.
pub(crate) fn join_wrapped<T: AsRef<str>>(items: impl IntoIterator<Item = T>, separator: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for item in items {
        let item = item.as_ref();
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(item),
            Some(line) if width(line) + width(separator) + width(item) <= columns => {
                line.push_str(separator);
                line.push_str(item);
            }
            _ => lines.push(item.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
