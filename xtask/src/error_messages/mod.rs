//! Generates `tests/error-messages.md`, the list of error messages. Fuzz targets read it, and a reviewer can read all messages in one place.

mod lines;
mod literals;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use vitalwire_codegen::file::File;

use crate::folder;

/// Path of the list.
const LIST: &str = "tests/error-messages.md";

/// Generated file that contains uniffi's own messages.
const FOREIGN: &str = "Ffi.kt";

/// A chapter of the list.
struct Chapter {
    title: &'static str,
    folders: &'static [&'static str],
    /// Whether to list only texts in expressions that create an error. Needed for sources that print other texts too.
    in_errors: bool,
}

const CHAPTERS: [Chapter; 11] = [
    Chapter { title: "Core, in all languages", folders: &["crates/vitalwire-runtime/src", "crates/vitalwire/src"], in_errors: false },
    Chapter { title: "Cohorts and syncs", folders: &["crates/vitalwire-cohort/src", "crates/vitalwire-sync/src"], in_errors: false },
    Chapter { title: "C and C++", folders: &["crates/vitalwire-c/src", "bindings/c/include"], in_errors: false },
    Chapter { title: "Swift and Kotlin", folders: &["crates/vitalwire-uniffi/src"], in_errors: false },
    Chapter { title: "Swift", folders: &["bindings/swift/Sources/Vitalwire"], in_errors: false },
    Chapter { title: "Kotlin", folders: &["bindings/kotlin/src/main"], in_errors: false },
    Chapter { title: "Python", folders: &["crates/vitalwire-python/src", "bindings/python/python"], in_errors: false },
    Chapter {
        title: "Command line: failures and hints",
        folders: &["crates/vitalwire-cli/src/failure", "crates/vitalwire-cli/src/config"],
        in_errors: false,
    },
    Chapter { title: "Command line: commands", folders: &["crates/vitalwire-cli/src/commands"], in_errors: true },
    Chapter { title: "Sandbox", folders: &["crates/vitalwire-sandbox/src"], in_errors: true },
    Chapter { title: "Specifications", folders: &["crates/vitalwire-spec/src", "crates/vitalwire-codegen/src/read"], in_errors: true },
];

/// Reads the sources and returns the list.
///
/// # Errors
/// If a source cannot be read or parsed.
pub(crate) fn list(root: &Path) -> anyhow::Result<File> {
    let mut text = "# Error messages\n\nThe fixed texts of all errors and hints, by source file. `{}` stands for a value; no value is health data or a \
                    secret. A message\nstates the rule that was broken and the remedy ([style.md](../docs/style.md)).\n"
        .to_owned();
    for chapter in CHAPTERS {
        text += &format!("\n## {}\n", chapter.title);
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for folder in chapter.folders {
            let base = root.join(folder);
            for path in folder::files(&base)? {
                let name = folder::relative_name(&path, &base)?;
                if name.contains("test") || name.ends_with(FOREIGN) {
                    continue;
                }
                let source = || fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()));
                let messages = match path.extension().and_then(|extension| extension.to_str()) {
                    Some("rs") => literals::messages(&source()?, chapter.in_errors).with_context(|| format!("parsing {name}"))?,
                    Some("py" | "swift" | "kt" | "hpp") => lines::messages(&source()?),
                    _ => continue,
                };
                let generated = name.to_lowercase().contains("generated");
                files.entry(if generated { "generated files".to_owned() } else { name }).or_default().extend(messages);
            }
        }
        for (name, messages) in files.iter().filter(|(_, messages)| !messages.is_empty()) {
            text += &format!("\n{name}\n\n");
            messages.iter().for_each(|message| text += &format!("* {message}\n"));
        }
    }
    Ok(File::new(LIST, text))
}

/// Whether a literal is a message: at least three words, the first of them in lower case, without a full stop.
fn is_message(text: &str) -> bool {
    let letters = text.trim_start_matches(|first: char| !first.is_alphabetic());
    text.split_whitespace().count() > 2 && letters.starts_with(char::is_lowercase) && !text.contains(['\n', '<']) && !text.ends_with('.')
}
