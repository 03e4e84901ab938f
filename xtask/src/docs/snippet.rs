//! Replaces snippet lines with code that the tests compile and run.
//!
//! `--8<-- "FILE"` stands for a file, `--8<-- "FILE:NAME"` for its lines between `--8<-- [start:NAME]` and `--8<-- [end:NAME]`.

use std::path::{Component, Path};

use super::install;
use super::page::{Line, Page};

pub(super) const MARK: &str = "--8<-- ";

/// Language of blocks that may be written by hand, because they contain no executable code: pictures and lists of files.
const UNTESTED: &str = "text";

/// Line before and after a block of code. No other form is allowed, so that no block is overlooked.
const FENCE: &str = "```";

/// Other forms of code in Markdown.
const OTHER_FORMS: [&str; 3] = [FENCE, "~~~", "<pre"];

/// A block of code without an end so far.
struct Block {
    language: String,
    /// Place of its first line.
    place: String,
}

impl Block {
    /// Whether a line is in the file in which the block began. A page is joined from several files.
    fn has_file_of(&self, line: &Line) -> bool {
        file(&self.place) == file(&line.place)
    }

    fn unclosed(&self) -> String {
        format!("{}: the block of code has no end", self.place)
    }
}

/// Returns the file of a place.
fn file(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(file, _)| file)
}

/// Returns the line number of a place.
fn number(place: &str) -> &str {
    place.rsplit_once(':').map_or("", |(_, number)| number)
}

/// Replaces the snippet lines of a page. Adds a problem for each snippet that cannot be found, for each block of typed code, and for code
/// in another form than a block.
pub(super) fn expand(root: &Path, page: Page, problems: &mut Vec<String>) -> Page {
    let mut lines = Vec::new();
    let (mut block, mut installs): (Option<Block>, bool) = (None, false);
    for line in page.lines {
        if let Some(unclosed) = block.take_if(|block| !block.has_file_of(&line)) {
            problems.push(unclosed.unclosed());
        }
        let code = line.text.trim_start();
        if install::is_mark(code) {
            installs = install::is_start(code);
            continue;
        }
        let indent = &line.text[..line.text.len() - code.len()];
        if let Some(rest) = code.strip_prefix(FENCE).filter(|rest| !rest.contains('`')) {
            block = match block {
                None => Some(Block { language: rest.split(' ').next().unwrap_or_default().to_owned(), place: line.place.clone() }),
                Some(_) if rest.trim().is_empty() => None,
                Some(open) => {
                    problems.push(format!("{}: the block of line {} has no end before this one", line.place, number(&open.place)));
                    Some(open)
                }
            };
            lines.push(line);
        } else if let Some(name) = code.strip_prefix(MARK) {
            match read(root, name.trim_matches('"')) {
                Ok(found) => {
                    lines.extend(found.into_iter().map(|text| Line {
                        text: if text.is_empty() { text } else { format!("{indent}{text}") },
                        place: line.place.clone(),
                    }))
                }
                Err(problem) => problems.push(format!("{}: {problem}", line.place)),
            }
        } else {
            if code.contains(MARK) {
                problems.push(format!("{}: a snippet must be alone on its line", line.place));
            }
            if block.is_none() && OTHER_FORMS.iter().any(|form| code.to_ascii_lowercase().contains(form)) {
                problems.push(format!("{}: write code as a block between lines of {FENCE}, not in a quote or in HTML", line.place));
            }
            if !installs && block.as_ref().is_some_and(|block| block.language != UNTESTED) && !code.is_empty() {
                problems.push(format!("{}: typed code; cut it from a file that the tests run: {MARK}\"FILE:NAME\"", line.place));
            }
            lines.push(line);
        }
    }
    problems.extend(block.map(|block| block.unclosed()));
    Page { path: page.path, lines }
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
        let lines = lines.iter().enumerate().map(|(at, text)| Line { text: (*text).to_owned(), place: format!("a.md:{}", at + 1) });
        Page { path: "a.md".into(), lines: lines.collect() }
    }

    #[test]
    fn a_snippet_loses_its_marks_and_indentation() {
        let folder = tempfile::tempdir().expect("a folder");
        let code = "fn main() {\n    // --8<-- [start:call]\n    if true {\n        call();\n    }\n    // --8<-- [end:call]\n}\n";
        std::fs::write(folder.path().join("main.rs"), code).expect("a file");
        let mut problems = Vec::new();
        let found = expand(folder.path(), page(&["  ```rust", "  --8<-- \"main.rs:call\"", "  ```"]), &mut problems);
        assert_eq!((found.text().as_str(), problems.len()), ("  ```rust\n  if true {\n      call();\n  }\n  ```\n", 0));
    }

    #[test]
    fn typed_code_and_unknown_snippets_are_problems_with_their_place() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("main.rs"), "fn main() {}\n").expect("a file");
        let mut problems = Vec::new();
        let lines = ["```sh", "cargo add vitalwire", "```", "--8<-- \"main.rs:none\"", "--8<-- \"other.rs\""];
        expand(folder.path(), page(&lines), &mut problems);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].starts_with("a.md:2: typed code"), "{problems:?}");
        assert!(problems[1].starts_with("a.md:4: main.rs has no --8<-- [start:none]"), "{problems:?}");
        assert!(problems[2].starts_with("a.md:5: other.rs: "), "{problems:?}");
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
        let absolute = format!("--8<-- \"{}\"", folder.path().join("outside.rs").display());
        let cases: &[(&[&str], &[&str])] = &[
            (&["A `call()`, and ``a ` b``.", "```text", "~~~ <pre> a ` b", "```", "```sh", "--8<-- \"main.rs:call\"", "```"], &[]),
            (&["~~~sh"], &[form]),
            (&["    ~~~"], &[form]),
            (&["<pre>call();</pre>"], &[form]),
            (&["See <PRE class=\"a\">"], &[form]),
            (&["````sh"], &[form]),
            (&["> ```sh"], &[form]),
            (&["* ```sh"], &[form]),
            (&["> --8<-- \"main.rs:call\""], &["1: a snippet must be alone"]),
            (&["```text", "a"], &["1: the block of code has no end"]),
            (&["```text", "```sh", "```"], &["2: the block of line 1 has no end"]),
            (&["--8<-- \"../outside.rs\""], &[path]),
            (&["--8<-- \"a/../../outside.rs\""], &[path]),
            (&[&absolute], &[path]),
            (&["--8<-- \"start.rs:call\""], &["1: start.rs has --8<-- [start:call] twice"]),
            (&["--8<-- \"end.rs:call\""], &["1: end.rs has --8<-- [end:call] twice"]),
        ];
        for (lines, expected) in cases {
            let mut problems = Vec::new();
            expand(&root, page(lines), &mut problems);
            assert_eq!(problems.len(), expected.len(), "{lines:?}: {problems:?}");
            for (problem, part) in problems.iter().zip(*expected) {
                let (line, text) = problem.strip_prefix("a.md:").and_then(|text| text.split_once(": ")).expect("a place");
                let (expected_line, part) = part.split_once(": ").expect("a line");
                assert!(line == expected_line && text.contains(part), "{lines:?}: {problem}");
            }
        }
    }

    /// A page is joined from a file per language.
    #[test]
    fn a_block_ends_in_its_own_file() {
        let mut page = page(&["```text", "a", "b", "```"]);
        page.lines[2].place = "b.md:1".to_owned();
        page.lines[3].place = "b.md:2".to_owned();
        let mut problems = Vec::new();
        expand(Path::new("."), page, &mut problems);
        assert_eq!(problems, ["a.md:1: the block of code has no end", "b.md:2: the block of code has no end"]);
    }
}
