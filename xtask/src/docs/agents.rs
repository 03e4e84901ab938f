//! Writes the files of the site for language models. `llms.txt` lists the pages, and `llms-full.txt` has the guides in one file. `SKILL.md`
//! has instructions for assistants that write programs with this library.

use std::fmt::Write as _;
use std::path::Path;

use super::page::Page;

/// Text before the list of pages.
const INTRODUCTION: &str = "# Vitalwire\n\n> A client for a health data service (sleep, statistics, lab reports, meals) in Rust, Python, \
     Swift, Kotlin, C and C++, with a command line and a local sandbox.\n\n";

/// Front matter and rules of the skill file.
const SKILL: &str = "---
name: vitalwire
description: Write programs that read or write health data with Vitalwire, in Rust, Python, Swift, Kotlin, Java, C or C++. Use it when \
code imports vitalwire or calls the program `vitalwire`.
---

# Vitalwire

* Develop against the sandbox: `vitalwire sandbox` prints `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`, and `from_env` of each language \
reads them.
* Never put an application key into an app. Servers sign; apps get tokens through a token provider.
* Ids of sleeps cannot be guessed or listed: search sleeps by date.
* Dates are days of the user; instants are in UTC. A missing value is not 0.
* Retry only if the error is transient. If a call may have taken effect, look for its result first.
* A record with the status `failed` is the result of an analysis, not an error of the call.
* Do not log records, tokens or URLs. Errors and log lines of the library contain none.

Read the page of the task before you write code:

";

/// Writes the files into a folder.
pub(super) fn write(pages: &[Page], folder: &Path) -> anyhow::Result<()> {
    let (mut list, mut full, mut skill) = (format!("{INTRODUCTION}## Pages\n\n"), INTRODUCTION.to_owned(), SKILL.to_owned());
    for page in pages {
        let text = page.text();
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let entry = format!("- [{title}]({})\n", page.path.display());
        list.push_str(&entry);
        if page.path.starts_with("guide") {
            skill.push_str(&entry);
        }
        if !page.path.starts_with("python/reference") {
            let _ = writeln!(full, "{}", without_tabs(&text));
        }
    }
    for (name, text) in [("llms.txt", list), ("llms-full.txt", full), ("SKILL.md", skill)] {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// Replaces tabs with headings.
fn without_tabs(text: &str) -> String {
    let mut inside = false;
    let mut plain = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            inside = true;
            let _ = writeln!(plain, "## {}", title.trim_matches('"'));
        } else {
            inside &= line.is_empty() || line.starts_with("    ");
            let _ = writeln!(plain, "{}", if inside { line.get(4..).unwrap_or_default() } else { line });
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_become_headings() {
        let text = "# A\n\n=== \"Rust\"\n\n    one\n\n        two\n\n## B\n    code\n";
        assert_eq!(without_tabs(text), "# A\n\n## Rust\n\none\n\n    two\n\n## B\n    code\n");
    }
}
