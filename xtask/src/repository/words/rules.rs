//! Checks two rules of `docs/style.md`: first words of doc comments, and phrases that replace a term.

/// Extensions of files with `///`, `//!` or `/**` comments.
const CODE: [&str; 8] = ["c", "cpp", "h", "hpp", "java", "kt", "rs", "swift"];

/// Extensions of files with docstrings.
const PYTHON: [&str; 2] = ["py", "pyi"];

/// Extensions of other texts.
const TEXTS: [&str; 4] = ["md", "toml", "yaml", "yml"];

/// First words that a doc comment must not have.
const STARTS: [&str; 7] = ["What", "Where", "Why", "Of", "Those", "One that", "That of"];

/// Phrases that replace a term.
const PHRASES: [&str; 8] =
    ["is told of", "on its way", "on their way", "one that there is", "such bound", "what is known of", "what is told", "where it is none"];

/// Whether a file can have findings.
pub(super) fn applies_to(file: &str) -> bool {
    [&CODE[..], &PYTHON, &TEXTS].concat().contains(&extension(file))
}

/// Returns the findings in a file, each with its line, the rule and the remedy.
pub(super) fn findings(file: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (number, lower) = (index + 1, line.to_lowercase());
        if let Some(start) = first_sentence(extension(file), &lines[..=index]).and_then(bad_start) {
            let rule = "begin with a verb or a noun phrase (docs/style.md, \"Doc comments\")";
            found.push(format!("{file}:{number}: the doc comment begins with `{start}`: {rule}"));
        }
        for phrase in PHRASES.iter().filter(|phrase| lower.contains(**phrase)) {
            let rule = "use the term that readers would search for (docs/style.md, \"Text\")";
            found.push(format!("{file}:{number}: `{phrase}` replaces a term: {rule}"));
        }
    }
    found
}

/// Returns the extension of a file, or of the files that a template generates.
fn extension(file: &str) -> &str {
    file.strip_suffix(".j2").unwrap_or(file).rsplit('.').next().unwrap_or_default()
}

/// Returns the text of the last line, if a doc comment starts there.
fn first_sentence<'a>(extension: &str, lines: &[&'a str]) -> Option<&'a str> {
    let (line, before) = lines.split_last()?;
    let previous = before.last().copied().unwrap_or_default();
    if PYTHON.contains(&extension) {
        let opens = previous.is_empty() || previous.ends_with(':') || previous.starts_with('#');
        return line.strip_prefix("\"\"\"").filter(|_| opens);
    }
    if !CODE.contains(&extension) {
        return None;
    }
    if previous == "/**" {
        return line.strip_prefix("* ");
    }
    let block = line.strip_prefix("/** ");
    block.or_else(|| line_comment(line).filter(|_| line_comment(previous).is_none())).map(str::trim_start)
}

fn line_comment(line: &str) -> Option<&str> {
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// Returns the forbidden words at the start of a sentence.
fn bad_start(sentence: &str) -> Option<&'static str> {
    let follows = |start: &&str| sentence.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    STARTS.into_iter().find(|start| follows(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line and the quoted words of each finding.
    fn found(file: &str, text: &str) -> Vec<String> {
        let short = |finding: &String| finding.split('`').take(2).collect::<String>().replace(": the doc comment begins with ", " ");
        findings(file, text).iter().map(short).collect()
    }

    #[test]
    fn a_doc_comment_begins_with_a_verb_or_a_noun() {
        let rust = "//! What a.\n\n/// Of b.\n/// Where c.\nfn d() {}\n\n    /// Offers e.\n    /// One that f.\n// Why g.\n";
        assert_eq!(found("a.rs", rust), ["a.rs:1 What", "a.rs:3 Of"]);
        assert_eq!(found("a.rs.j2", "/// Why: {{ a }}\n"), ["a.rs.j2:1 Why"]);
        let kotlin = "/** Those a. */\n/**\n * That of b.\n * What c.\n */\n/** That d. */\n";
        assert_eq!(found("a.kt", kotlin), ["a.kt:1 Those", "a.kt:3 That of"]);
        let python = "\"\"\"What a.\"\"\"\n\ndef b():\n    \"\"\"Where c.\"\"\"\n    d = (\n        \"\"\"Why e.\"\"\"\n    )\n";
        assert_eq!(found("a.py", python), ["a.py:1 What", "a.py:4 Where"]);
    }

    #[test]
    fn a_phrase_that_replaces_a_term_is_found_in_every_text() {
        let text = "Ends calls On Their Way.\n\nIt is told of calls; what is told.\nIn flight.\n";
        for file in ["a.md", "a.swift", "a.toml"] {
            let expected = ["1: on their way", "3: is told of", "3: what is told"].map(|finding| format!("{file}:{finding}"));
            assert_eq!(found(file, text), expected);
        }
    }

    #[test]
    fn findings_name_the_rule_and_the_remedy() {
        assert_eq!(
            findings("a.h", "/** What a. */\n"),
            ["a.h:1: the doc comment begins with `What`: begin with a verb or a noun phrase (docs/style.md, \"Doc comments\")"]
        );
    }

    #[test]
    fn only_texts_that_people_write_are_read() {
        assert!(["a.rs", "b/a.pyi.j2", "a.md"].into_iter().all(applies_to));
        assert!(!["a.txt", "a.tsv", "a.j2", "Makefile"].into_iter().any(applies_to));
    }
}
