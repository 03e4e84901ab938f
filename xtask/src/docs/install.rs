//! Install lines of the site, the READMEs and the notebooks. `docs/install.toml` contains these lines, and states whether a version is
//! released.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::snippet;
use crate::git::git;
use crate::process::execute;
use crate::versions;

/// Path of the data.
pub(crate) const DATA: &str = "docs/install.toml";

/// Start of the line before a block: `<!-- install NAME WORDS -->`.
const START: &str = "<!-- install ";

/// The line after a block.
const END: &str = "<!-- end of install -->";

/// Texts that may be in blocks only.
const BLOCKS_ONLY: [&str; 11] = [
    "No version is published",
    "No version is released",
    "There is no release",
    "pip install vitalwire",
    "pip install 'vitalwire",
    "pip install ./bindings",
    "pip install './bindings",
    "cargo add vitalwire",
    "cargo install vitalwire",
    "cargo install --locked",
    "apt install vitalwire",
];

/// Files without blocks, because they are generated from source code.
const EXEMPT: [&str; 1] = ["tests/error-messages.md"];

struct InstallLines {
    data: toml::Table,
    version: String,
}

/// Returns the problems of all files: blocks that are invalid or differ from the data, and install lines outside of blocks.
///
/// # Errors
/// If the data or a file cannot be read.
pub(super) fn problems(root: &Path) -> anyhow::Result<Vec<String>> {
    let (lines, mut problems) = (InstallLines::read(root)?, Vec::new());
    for (path, text) in texts(root)? {
        let filled = lines.fill(root, &path, &text, &mut problems);
        if let Some(at) = text.lines().zip(filled.lines()).position(|(found, expected)| found != expected) {
            problems.push(format!("{path}:{}: differs from {DATA}; run `cargo xtask docs --write`", at + 1));
        }
    }
    Ok(problems)
}

/// Fills the blocks of all files, and writes the code of snippets.
///
/// # Errors
/// If a block or a snippet is invalid, or a file cannot be read or written.
pub(crate) fn write(root: &Path) -> anyhow::Result<()> {
    let (lines, mut problems) = (InstallLines::read(root)?, Vec::new());
    for (path, text) in texts(root)? {
        let mut filled = lines.fill(root, &path, &text, &mut problems);
        if snippet::applies_to(&path) {
            filled = snippet::fill(root, &path, &filled, &mut problems);
        }
        if filled != text {
            fs::write(root.join(&path), filled).with_context(|| format!("writing {path}"))?;
        }
    }
    ensure!(problems.is_empty(), "lines cannot be written:\n{}", problems.join("\n"));
    Ok(())
}

/// Sets `released` in the data, and fills the blocks.
///
/// # Errors
/// Same as [`write`].
pub(crate) fn release(root: &Path) -> anyhow::Result<()> {
    let path = root.join(DATA);
    let data = fs::read_to_string(&path).with_context(|| format!("reading {DATA}"))?;
    fs::write(path, data.replacen("\nreleased = false\n", "\nreleased = true\n", 1))?;
    write(root)
}

/// Returns whether the data states that a version is released.
///
/// # Errors
/// If the data cannot be read.
pub(crate) fn is_released(root: &Path) -> anyhow::Result<bool> {
    let data: toml::Table = fs::read_to_string(root.join(DATA)).with_context(|| format!("reading {DATA}"))?.parse()?;
    data.get("released").and_then(toml::Value::as_bool).with_context(|| format!("{DATA} must set `released` to true or false"))
}

/// Returns whether a line of a page begins or ends a block.
pub(super) fn is_mark(line: &str) -> bool {
    is_start(line) || line.trim() == END
}

/// Returns whether a line of a page begins a block.
pub(super) fn is_start(line: &str) -> bool {
    line.trim().starts_with(START)
}

/// Returns the tracked texts for users, with their paths.
fn texts(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let tracked = execute(git(root).args(["ls-files", "-z", "*.md", "*.ipynb"]))?;
    let paths = tracked.split('\0').filter(|path| !path.is_empty() && !EXEMPT.contains(path));
    paths.map(|path| Ok((path.to_owned(), fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?))).collect()
}

impl InstallLines {
    fn read(root: &Path) -> anyhow::Result<Self> {
        let data = fs::read_to_string(root.join(DATA)).with_context(|| format!("reading {DATA}"))?;
        is_released(root)?;
        Ok(Self { data: data.parse()?, version: versions::workspace(root)? })
    }

    /// Returns a text with filled blocks. Adds its problems to `problems`.
    fn fill(&self, root: &Path, path: &str, text: &str, problems: &mut Vec<String>) -> String {
        let is_notebook = Path::new(path).extension().is_some_and(|extension| extension == "ipynb");
        let (mut filled, mut block) = (Vec::new(), None);
        for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
            // A line of a notebook is a JSON string.
            let shown = if is_notebook { line.trim().trim_end_matches(',').trim_matches('"').trim_end_matches("\\n") } else { line };
            if let Some(words) = shown.strip_prefix(START).and_then(|rest| rest.strip_suffix(" -->")) {
                filled.push(line.to_owned());
                match self.block(root, words) {
                    Ok(lines) if is_notebook => filled.extend(lines.iter().map(|text| {
                        format!("{}{},", " ".repeat(line.len() - line.trim_start().len()), serde_json::Value::from(format!("{text}\n")))
                    })),
                    Ok(lines) => filled.extend(lines),
                    Err(problem) => problems.push(format!("{path}:{number}: {problem}")),
                }
                if let Some(open) = block.replace(number) {
                    problems.push(format!("{path}:{open}: the block has no line {END}"));
                }
            } else if shown == END {
                if block.take().is_none() {
                    problems.push(format!("{path}:{number}: no block begins before this line"));
                }
                filled.push(line.to_owned());
            } else if block.is_none() {
                if let Some(found) = BLOCKS_ONLY.iter().find(|text| line.contains(**text)) {
                    problems.push(format!("{path}:{number}: write `{found}` in {DATA}, and a block `{START}NAME -->` here"));
                }
                filled.push(line.to_owned());
            }
        }
        problems.extend(block.map(|open| format!("{path}:{open}: the block has no line {END}")));
        filled.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
    }

    /// Returns the lines of a block. `words` has the name of the block and the words for `{1}` and `{rest}`.
    fn block(&self, root: &Path, words: &str) -> Result<Vec<String>, String> {
        let mut words = words.splitn(3, ' ');
        let (name, first, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let find = |key: &str| {
            let text = self.data.get(name).and_then(|block| block.get(key)?.as_str());
            text.ok_or_else(|| format!("{DATA} has no {name}.{key}"))
        };
        let (today, released) = (find("today")?, find("released")?);
        let text = if self.data["released"].as_bool() == Some(true) { released } else { today };
        let separated = if rest.is_empty() { String::new() } else { format!(" {rest}") };
        // In brackets, the words are extras, without a space before them.
        let text = text.replace("{1}", first).replace("[{rest}]", &format!("[{rest}]")).replace("{rest}", &separated);
        let mut lines = Vec::new();
        for line in text.replace("{version}", &self.version).trim().lines() {
            match line.strip_prefix(snippet::MARK) {
                Some(file) => lines.extend(snippet::read(root, file.trim_matches('"'))?),
                None => lines.push(line.to_owned()),
            }
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(released: bool) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let block =
            "[a]\ntoday = '''\nFrom a clone:\n\n--8<-- \"b.sh\"\n'''\nreleased = \"pip install 'vitalwire[{1}]=={version}'{rest}\"\n";
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(folder.path().join(DATA), format!("# Data\nreleased = {released}\n{block}")).unwrap();
        fs::write(folder.path().join("b.sh"), "build\n").unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[workspace.package]\nversion = \"1.2.3\"\n").unwrap();
        folder
    }

    fn fill(released: bool, path: &str, text: &str) -> (String, Vec<String>) {
        let (folder, mut problems) = (workspace(released), Vec::new());
        let filled = InstallLines::read(folder.path()).unwrap().fill(folder.path(), path, text, &mut problems);
        (filled, problems)
    }

    #[test]
    fn a_block_has_the_lines_of_today_or_of_the_release() {
        let page = |lines: &str| format!("# A\n<!-- install a plot duckdb jupyter -->\n{lines}<!-- end of install -->\nb\n");
        let empty = page("");
        assert_eq!(fill(false, "a.md", &empty), (page("From a clone:\n\nbuild\n"), vec![]));
        assert_eq!(fill(true, "a.md", &page("other\n")), (page("pip install 'vitalwire[plot]==1.2.3' duckdb jupyter\n"), vec![]));
    }

    #[test]
    fn lines_of_a_notebook_are_json() {
        let cell = |lines: &str| format!("  \"<!-- install a -->\\n\",\n{lines}  \"<!-- end of install -->\"\n");
        assert_eq!(fill(false, "a.ipynb", &cell("")), (cell("  \"From a clone:\\n\",\n  \"\\n\",\n  \"build\\n\",\n"), vec![]));
    }

    #[test]
    fn invalid_blocks_and_install_lines_outside_of_blocks_are_reported_with_their_place() {
        let [unknown, open, outside] = [
            "<!-- install b -->\n<!-- end of install -->\n<!-- end of install -->\n",
            "\n<!-- install a -->\n",
            "Run `cargo add vitalwire`.\n",
        ]
        .map(|text| fill(false, "a.md", text).1);
        assert_eq!(unknown, ["a.md:1: docs/install.toml has no b.today", "a.md:3: no block begins before this line"]);
        assert_eq!(open, ["a.md:2: the block has no line <!-- end of install -->"]);
        assert_eq!(outside, ["a.md:1: write `cargo add vitalwire` in docs/install.toml, and a block `<!-- install NAME -->` here"]);
    }

    #[test]
    fn a_release_sets_released_in_the_data() {
        let folder = workspace(false);
        execute(git(folder.path()).args(["init", "--quiet"])).unwrap();
        release(folder.path()).unwrap();
        assert!(is_released(folder.path()).unwrap());
        release(folder.path()).unwrap();
    }
}
