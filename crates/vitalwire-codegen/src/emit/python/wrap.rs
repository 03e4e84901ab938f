//! Lines of docstrings, as wide as fits where `help()` shows them.

/// Characters of a line without its margin: `help()` puts up to nine before them, and terminals have 80.
const WIDTH: usize = 71;

/// A stub whose docstrings are wrapped. Paragraphs stay apart; examples, which are indented, stay as they are.
pub(super) fn wrapped(stub: &str) -> String {
    let mut text = String::new();
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let Some(first) = start.strip_prefix("\"\"\"") else {
            text.push_str(&format!("{line}\n"));
            continue;
        };
        let margin = &line[..line.len() - start.len()];
        let mut inner = first.to_owned();
        while !inner.ends_with("\"\"\"") {
            let Some(next) = lines.next() else { break };
            inner.push_str(&format!("\n{}", next.strip_prefix(margin).unwrap_or_default().trim_end()));
        }
        let paragraphs = inner.trim_end_matches("\"\"\"").trim_end().split("\n\n");
        let wrapped: Vec<String> = paragraphs.map(paragraph).collect();
        let (all, end) = (wrapped.join("\n\n"), if wrapped.concat().contains('\n') || wrapped.len() > 1 { "\n" } else { "" });
        let lines: Vec<String> =
            format!("\"\"\"{all}{end}\"\"\"").lines().map(|line| format!("{margin}{line}").trim_end().to_owned()).collect();
        text.push_str(&(lines.join("\n") + "\n"));
    }
    text.trim_end().to_owned()
}

fn paragraph(text: &str) -> String {
    if text.starts_with("    ") {
        return text.to_owned();
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(last) if line == 0 => last.push_str(word),
            Some(last) if line + 1 + word.chars().count() <= WIDTH => last.extend([" ", word]),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docstrings_are_wrapped() {
        let short = "def a() -> None:\n    \"\"\"Does it.\"\"\"\n\nb: int";
        assert_eq!(wrapped(short), short);
        let words = "word ".repeat(16);
        let long = format!("class A:\n    \"\"\"{words}\n    ends.\n\n        an   example\n\n    b: c\n    d\n    \"\"\"\n\n    x: int");
        let fourteen = "word ".repeat(14);
        let expected = format!(
            "class A:\n    \"\"\"{}\n    word word ends.\n\n        an   example\n\n    b: c d\n    \"\"\"\n\n    x: int",
            fourteen.trim_end()
        );
        assert_eq!(wrapped(&long), expected);
        let one = format!("    \"\"\"{words}\\\"\"\"\"");
        assert_eq!(wrapped(&one), format!("    \"\"\"{}\n    word word \\\"\n    \"\"\"", fourteen.trim_end()));
    }
}
