//! Code on pages, cut from files that the tests compile and run.
//!
//! A comment before a block names the file: `<!-- FILE -->`, or `<!-- FILE:NAME -->` for its lines between `--8<-- [start:NAME]` and
//! `--8<-- [end:NAME]`. `cargo xtask docs --write` writes the code into the block. In a new block, write `--8<-- "FILE:NAME"` instead.

use std::path::{Component, Path};

use super::page::Page;
use super::readme::README;
use super::{SOURCES, install};

pub(super) const MARK: &str = "--8<-- ";

/// Line before and after a block of code. No other form is allowed, so that no block is overlooked.
pub(super) const FENCE: &str = "```";

/// Language of blocks that may be written by hand, because they contain no executable code: pictures and lists of files.
const UNTESTED: &str = "text";

/// Other forms of code in Markdown.
const OTHER_FORMS: [&str; 3] = [FENCE, "~~~", "<pre"];

/// A block of code without an end so far.
struct Block {
    language: String,
    /// Place of its first line.
    place: String,
    /// Name of the snippet, and the lines that the block must have.
    snippet: Option<(String, Vec<String>)>,
    /// Lines so far.
    lines: Vec<String>,
}

/// Returns whether a file may have snippets.
pub(super) fn applies_to(path: &str) -> bool {
    path == README || Path::new(path).starts_with(SOURCES)
}

/// Compares the blocks of a page with their files, and removes the comments that name them. Adds a problem for each snippet that cannot
/// be found, for each block of typed code, and for code in another form than a block.
pub(super) fn check(root: &Path, page: Page, problems: &mut Vec<String>) -> Page {
    let mut lines = Vec::new();
    let mut block: Option<Block> = None;
    let (mut snippet, mut installs) = (None, false);
    let mut rest = page.lines.into_iter().peekable();
    while let Some(line) = rest.next() {
        let code = line.text.as_str();
        if install::is_mark(code) {
            installs = install::is_start(code);
            continue;
        }
        if let Some(name) = name(code).filter(|_| block.is_none() && rest.peek().is_some_and(|next| next.text.starts_with(FENCE))) {
            match read(root, name) {
                Ok(found) => snippet = Some((name.to_owned(), found)),
                Err(problem) => problems.push(format!("{}: {problem}", line.place)),
            }
            continue;
        }
        if let Some(rest) = code.strip_prefix(FENCE).filter(|rest| !rest.contains('`')) {
            block = match block {
                None => Some(Block {
                    language: rest.split(' ').next().unwrap_or_default().to_owned(),
                    place: line.place.clone(),
                    snippet: snippet.take(),
                    lines: Vec::new(),
                }),
                Some(closed) if rest.trim().is_empty() => {
                    problems.extend(closed.difference());
                    None
                }
                Some(open) => {
                    problems.push(format!("{}: the block of {} has no end before this one", line.place, open.place));
                    Some(open)
                }
            };
        } else if let Some(block) = &mut block {
            let is_typed = !installs && block.snippet.is_none() && block.language != UNTESTED && !code.is_empty();
            if is_typed || code.contains(MARK) {
                problems.push(format!("{}: typed code; write {MARK}\"FILE:NAME\" and run `cargo xtask docs --write`", line.place));
            }
            block.lines.push(code.to_owned());
        } else if OTHER_FORMS.iter().any(|form| code.to_ascii_lowercase().contains(form)) || code.contains(MARK) {
            problems.push(format!("{}: write code as a block between lines of {FENCE}, not in a quote or in HTML", line.place));
        }
        lines.push(line);
    }
    problems.extend(block.map(|block| format!("{}: the block of code has no end", block.place)));
    Page { path: page.path, lines }
}

impl Block {
    fn difference(&self) -> Option<String> {
        let (name, expected) = self.snippet.as_ref()?;
        (self.lines != *expected).then(|| format!("{}: differs from {name}; run `cargo xtask docs --write`", self.place))
    }
}

/// Writes code into the blocks of a text.
pub(super) fn fill(root: &Path, path: &str, text: &str, problems: &mut Vec<String>) -> String {
    let mut filled: Vec<String> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        filled.push(line.to_owned());
        if !line.starts_with(FENCE) {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with(FENCE)).collect();
        let before = filled.len().checked_sub(2).and_then(|before| name(&filled[before])).map(str::to_owned);
        let new = block.first().and_then(|line| line.strip_prefix(MARK)).filter(|_| block.len() == 1).map(|name| name.trim_matches('"'));
        match new.or(before.as_deref()).map(|name| (name, read(root, name))) {
            Some((name, Ok(code))) => {
                if new.is_some() && before.as_deref() != Some(name) {
                    filled.insert(filled.len() - 1, format!("<!-- {name} -->"));
                }
                filled.extend(code);
            }
            found => {
                problems.extend(found.and_then(|(_, code)| code.err()).map(|problem| format!("{path}:{}: {problem}", at + 1)));
                filled.extend(block.into_iter().map(str::to_owned));
            }
        }
        filled.push(FENCE.to_owned());
    }
    filled.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

/// Returns the name of a snippet in a comment before a block.
fn name(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->").filter(|name| !name.contains(' '))
}

/// Returns the lines of a snippet, without marks and common indentation.
pub(super) fn read(root: &Path, name: &str) -> Result<Vec<String>, String> {
    let (file, section) = name.rsplit_once(':').map_or((name, None), |(file, section)| (file, Some(section)));
    if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(format!("{file}: the path must start at the root of the workspace and stay in it"));
    }
    let text = std::fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let mut lines: Vec<&str> = match section {
        None => text.lines().collect(),
        Some(section) => {
            let end_of = |kind: &str| format!("{MARK}[{kind}:{section}]");
            let find = |mark: &str| {
                let mut found = text.lines().enumerate().filter(|(_, line)| line.contains(mark)).map(|(at, _)| at);
                let first = found.next().ok_or_else(|| format!("{file} has no {mark}"))?;
                found.next().map_or(Ok(first), |_| Err(format!("{file} has {mark} twice")))
            };
            let (start, end) = (find(&end_of("start"))?, find(&end_of("end"))?);
            text.lines().skip(start + 1).take(end.saturating_sub(start + 1)).collect()
        }
    };
    lines.retain(|line| !line.contains(MARK));
    while lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if lines.is_empty() {
        return Err(format!("{name} is empty"));
    }
    let width = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    Ok(lines.iter().map(|line| line.get(width..).unwrap_or_default().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[&str]) -> Page {
        Page::new("a.md".into(), "a.md", &lines.join("\n"))
    }

    #[test]
    fn a_snippet_loses_its_marks_and_indentation() {
        let folder = tempfile::tempdir().expect("a folder");
        let code = "fn main() {\n    // --8<-- [start:call]\n    if true {\n        call();\n    }\n    // --8<-- [end:call]\n}\n";
        std::fs::write(folder.path().join("main.rs"), code).expect("a file");
        let (marked, written) =
            ("```rust\n--8<-- \"main.rs:call\"\n```\n", "<!-- main.rs:call -->\n```rust\nif true {\n    call();\n}\n```\n");
        let mut problems = Vec::new();
        for text in [marked, written, &written.replace("true", "false")] {
            assert_eq!((fill(folder.path(), "a.md", text, &mut problems).as_str(), &problems), (written, &vec![]), "{text}");
        }
        let checked = check(folder.path(), page(&written.lines().collect::<Vec<_>>()), &mut problems);
        assert_eq!((checked.text().as_str(), problems), (written.split_once('\n').expect("a line").1, vec![]));
    }

    #[test]
    fn typed_code_and_unknown_snippets_are_problems_with_their_place() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("main.rs"), "fn main() {}\n").expect("a file");
        let (differs, typed) = ("differs from main.rs; run `cargo xtask docs --write`", "typed code");
        let cases: &[(&[&str], &[&str])] = &[
            (&["<!-- main.rs -->", "```rust", "fn main() {}", "```"], &[]),
            (&["<!-- main.rs -->", "```rust", "fn main() { }", "```"], &["a.md:2: ", differs]),
            (&["<!-- main.rs -->", "```rust", "```"], &["a.md:2: ", differs]),
            (&["<!-- main.rs -->", "", "```rust", "fn main() {}", "```"], &["a.md:4: ", typed]),
            (&["```sh", "cargo add vitalwire", "```"], &["a.md:2: ", typed]),
            (&["```rust", "--8<-- \"main.rs\"", "```"], &["a.md:2: ", typed]),
            (&["<!-- main.rs:none -->", "```text", "```"], &["a.md:1: ", "main.rs has no --8<-- [start:none]"]),
            (&["<!-- other.rs -->", "```text", "```"], &["a.md:1: ", "other.rs: "]),
        ];
        for (lines, expected) in cases {
            let mut problems = Vec::new();
            check(folder.path(), page(lines), &mut problems);
            assert_eq!(problems.len(), usize::from(!expected.is_empty()), "{lines:?}: {problems:?}");
            assert!(expected.iter().all(|part| problems[0].contains(part)), "{lines:?}: {problems:?}");
        }
        let mut problems = Vec::new();
        let text = "<!-- other.rs -->\n```rust\nold\n```\n";
        assert_eq!(fill(folder.path(), "a.md", text, &mut problems), text);
        assert!(problems[0].starts_with("a.md:2: other.rs: "), "{problems:?}");
    }

    #[test]
    fn other_forms_of_code_and_of_paths_are_problems() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("workspace");
        std::fs::create_dir(&root).expect("a folder");
        let marked = |kind: &str| format!("// --8<-- [{kind}:call]\n");
        let [start, end] = ["start", "end"].map(marked);
        for (name, text) in [
            ("workspace/main.rs", format!("{start}call();\n{end}")),
            ("workspace/start.rs", format!("{start}call();\n{start}call();\n{end}")),
            ("workspace/end.rs", format!("{start}call();\n{end}call();\n{end}")),
            ("outside.rs", "call();\n".to_owned()),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let form = "1: write code as a block";
        let path = "1: the path must";
        let absolute = format!("<!-- {} -->", folder.path().join("outside.rs").display());
        let snippet = |comment: &'static str| vec![comment, "```rust", "call();", "```"];
        let cases: &[(Vec<&str>, &[&str])] = &[
            (vec!["A `call()`, and ``a ` b``.", "```text", "~~~ <pre> a ` b", "```"], &[]),
            (snippet("<!-- main.rs:call -->"), &[]),
            (vec!["~~~sh"], &[form]),
            (vec!["    ~~~"], &[form]),
            (vec!["    ```sh"], &[form]),
            (vec!["````sh"], &[form]),
            (vec!["<pre>call();</pre>"], &[form]),
            (vec!["See <PRE class=\"a\">"], &[form]),
            (vec!["> ```sh"], &[form]),
            (vec!["* ```sh"], &[form]),
            (vec!["--8<-- \"main.rs:call\""], &[form]),
            (vec!["```text", "a"], &["1: the block of code has no end"]),
            (vec!["```text", "```sh", "```"], &["2: the block of a.md:1 has no end"]),
            (vec!["<!-- ../outside.rs -->", "```text", "```"], &[path]),
            (vec!["<!-- a/../../outside.rs -->", "```text", "```"], &[path]),
            (vec![absolute.as_str(), "```text", "```"], &[path]),
            (vec!["<!-- start.rs:call -->", "```text", "```"], &["1: start.rs has --8<-- [start:call] twice"]),
            (vec!["<!-- end.rs:call -->", "```text", "```"], &["1: end.rs has --8<-- [end:call] twice"]),
        ];
        for (lines, expected) in cases {
            let mut problems = Vec::new();
            check(&root, page(lines), &mut problems);
            assert_eq!(problems.len(), expected.len(), "{lines:?}: {problems:?}");
            for (problem, part) in problems.iter().zip(*expected) {
                let (line, text) = problem.strip_prefix("a.md:").and_then(|text| text.split_once(": ")).expect("a place");
                let (expected_line, part) = part.split_once(": ").expect("a line");
                assert!(line == expected_line && text.contains(part), "{lines:?}: {problem}");
            }
        }
    }
}
