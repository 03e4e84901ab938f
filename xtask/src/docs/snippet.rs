//! Replaces snippet lines with code that the tests compile and run.
//!
//! `--8<-- "FILE"` stands for a file, `--8<-- "FILE:NAME"` for its lines between `--8<-- [start:NAME]` and `--8<-- [end:NAME]`.

use std::path::Path;

use super::page::{Line, Page};

const MARK: &str = "--8<-- ";

/// Languages of blocks that may be written by hand, because they contain no executable code: pictures and lists of files.
const UNTESTED: [&str; 2] = ["mermaid", "text"];

/// Replaces the snippet lines of a page. Adds a problem for each snippet that cannot be found, and for each block of typed code.
pub(super) fn expand(root: &Path, page: Page, problems: &mut Vec<String>) -> Page {
    let mut lines = Vec::new();
    let mut block: Option<String> = None;
    for line in page.lines {
        let code = line.text.trim_start();
        let indent = &line.text[..line.text.len() - code.len()];
        if let Some(language) = code.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(language.split(' ').next().unwrap_or_default().to_owned()) };
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
            if block.as_ref().is_some_and(|language| !UNTESTED.contains(&language.as_str())) && !code.is_empty() {
                problems.push(format!("{}: typed code; cut it from a file that the tests run: {MARK}\"FILE:NAME\"", line.place));
            }
            lines.push(line);
        }
    }
    Page { path: page.path, lines }
}

/// Returns the lines of a snippet, without marks and common indentation.
pub(super) fn read(root: &Path, name: &str) -> Result<Vec<String>, String> {
    let (file, section) = name.rsplit_once(':').map_or((name, None), |(file, section)| (file, Some(section)));
    let text = std::fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let mut lines: Vec<&str> = match section {
        None => text.lines().collect(),
        Some(section) => {
            let end_of = |kind: &str| format!("{MARK}[{kind}:{section}]");
            let find = |mark: &str| text.lines().position(|line| line.contains(mark)).ok_or_else(|| format!("{file} has no {mark}"));
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
}
