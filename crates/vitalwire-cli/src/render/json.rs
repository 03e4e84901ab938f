//! JSON with line breaks and indentation. The order of fields and all digits of numbers are kept.

use serde::de::IgnoredAny;

use super::style::controls_terminal;

/// Spaces per level of nesting.
const INDENT: usize = 2;

/// Returns the indented text, without a byte order mark. Returns `None` if the body is not JSON.
pub(crate) fn indented(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let (mut within_string, mut escaped) = (false, false);
    // Whether the last character opened a list or object that has no content yet.
    let mut opened = false;
    for char in text.chars() {
        if within_string {
            // An escaped character has the same meaning and cannot control a terminal.
            if controls_terminal(char) {
                out.push_str(&format!("\\u{:04x}", u32::from(char)));
            } else {
                out.push(char);
            }
            within_string = escaped || char != '"';
            escaped = !escaped && char == '\\';
            continue;
        }
        if char.is_ascii_whitespace() {
            continue;
        }
        if matches!(char, ']' | '}') {
            depth = depth.saturating_sub(1);
            if !opened {
                break_line(&mut out, depth);
            }
        } else if opened {
            break_line(&mut out, depth);
        }
        opened = matches!(char, '[' | '{');
        out.push(char);
        match char {
            '"' => within_string = true,
            '[' | '{' => depth += 1,
            ',' => break_line(&mut out, depth),
            ':' => out.push(' '),
            _ => {}
        }
    }
    Some(out)
}

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth * INDENT));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_digits_and_texts_are_kept() {
        let body = br#" {"b":1.50,"a":[1e2,{},[ ],null],"t":"x, \"{[:\\"} "#;
        let text = "{\n  \"b\": 1.50,\n  \"a\": [\n    1e2,\n    {},\n    [],\n    null\n  ],\n  \"t\": \"x, \\\"{[:\\\\\"\n}";
        assert_eq!(indented(body).as_deref(), Some(text));
        assert_eq!(indented(b"null").as_deref(), Some("null"));
        assert_eq!(indented("\u{feff}[1]".as_bytes()).as_deref(), Some("[\n  1\n]"));
    }

    #[test]
    fn characters_that_control_terminals_are_escaped() {
        let body = "\"a\u{9b}2J\u{7f}\u{202e}\u{e4}\"";
        let text = indented(body.as_bytes()).expect("JSON");
        assert_eq!(text, "\"a\\u009b2J\\u007f\\u202e\u{e4}\"");
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), serde_json::from_str::<String>(body).expect("JSON"));
    }

    #[test]
    fn invalid_json_is_not_printed() {
        for body in [&b"<html>"[..], b"{\"a\":", b"\"\xff\"", b""] {
            assert_eq!(indented(body), None);
        }
    }
}
