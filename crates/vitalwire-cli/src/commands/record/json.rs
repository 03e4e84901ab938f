//! Replaces values in a JSON text and keeps all other characters, including the digits of numbers and the order of fields.

/// Name that is passed to `replace` if the value is itself a field name.
pub(super) const KEY: &str = "\0";

/// Rewrites a JSON text. `replace` receives the name of the field with the surrounding object, if the object contains no other, the field
/// name of each text or number (list items get the name of the list, field names get [`KEY`]), and the value as written. It returns the
/// replacement, if any. The text must be valid JSON.
pub(super) fn rewrite(json: &str, mut replace: impl FnMut(&str, &str, &str) -> Option<String>) -> String {
    let mut output = String::with_capacity(json.len());
    let mut outer: Vec<(bool, String, String)> = Vec::new();
    let (mut container, mut name, mut is_key) = (String::new(), String::new(), false);
    let mut rest = json;
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'"' => text_length(rest),
            b'-' | b'0'..=b'9' => rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len()),
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            b'{' | b'[' => {
                is_key = first == b'{';
                outer.push((is_key, container.clone(), name.clone()));
                if is_key {
                    container = if is_flat(rest) { name.clone() } else { String::new() };
                }
            }
            b'}' | b']' => {
                (container, name) = outer.pop().map(|(_, container, name)| (container, name)).unwrap_or_default();
                is_key = false;
            }
            b',' => is_key = outer.last().is_some_and(|(object, ..)| *object),
            b':' => is_key = false,
            b'"' if is_key => {
                name = serde_json::from_str(token).unwrap_or_default();
                if let Some(replacement) = replace("", KEY, token) {
                    output.push_str(&replacement);
                    continue;
                }
            }
            b'"' | b'-' | b'0'..=b'9' => {
                if let Some(replacement) = replace(&container, &name, token) {
                    output.push_str(&replacement);
                    continue;
                }
            }
            _ => {}
        }
        output.push_str(token);
    }
    output
}

/// Whether an object, whose first brace precedes this text, contains no other object.
fn is_flat(mut rest: &str) -> bool {
    while let Some(at) = rest.find(['"', '{', '}']) {
        rest = &rest[at..];
        if !rest.starts_with('"') {
            return rest.starts_with('}');
        }
        rest = &rest[text_length(rest)..];
    }
    true
}

/// Returns the length of a string literal, including its quotes.
fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    #[test]
    fn only_values_of_the_named_fields_change() {
        let json = r#"{"a" : [1.50, {"id":"x\"y"}], "ids":["p",{"b":"p"},7], "long":0.10000000000000000001, "t":"{\"id\":1}"}"#;
        let change = |_: &str, name: &str, value: &str| (name == "id" || name == "ids").then(|| format!("<{value}>"));
        let expected = r#"{"a" : [1.50, {"id":<"x\"y">}], "ids":[<"p">,{"b":"p"},<7>], "long":0.10000000000000000001, "t":"{\"id\":1}"}"#;
        assert_eq!(rewrite(json, change), expected);
        assert_eq!(rewrite(expected, |_, _, _| None), expected);
    }
}
