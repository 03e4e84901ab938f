//! A few classes of the next release: what a record and an operation's options are when the service has added something. A test compiles them and runs
//! what was compiled against this release with them.

use std::path::Path;

use anyhow::Context as _;
use vitalwire_codegen::{ir, kotlin, read, spec};

/// What of the next release is made: a record, options that have values already, options that get their first one, and interfaces.
const CLASSES: [&str; 6] = [
    "records/SleepRecord",
    "records/UserInfo",
    "options/GetSleepOptions",
    "options/GetUserInfoOptions",
    "resources/Sleeps",
    "resources/User",
];

/// Where each file's part begins that calls the native library, which this release has without the additions.
const BENEATH: [&str; 2] = ["internal fun Native.shown()", "internal class "];

/// The sources: place in the package, and text.
///
/// # Errors
/// Where the specifications cannot be read, or a class is called otherwise.
pub(super) fn release(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let sources = spec::load(root, &[])?;
    let mut ir = read::build(&sources)?;
    ir.error_kinds = read::error_kinds(root)?;
    ir.samples = read::samples(root)?;
    let files = kotlin::emit(&ir::later(&ir))?;
    CLASSES
        .iter()
        .map(|class| {
            let file =
                files.iter().find(|file| file.path.ends_with(&format!("/{class}.kt"))).with_context(|| format!("there is no {class}"))?;
            let end = BENEATH.iter().filter_map(|beneath| file.text.find(beneath)).min().unwrap_or(file.text.len());
            let lines = file.text[..end].lines().filter(|line| !line.starts_with("import dev.vitalwire.ffi."));
            let name = class.split('/').next_back().unwrap_or(class);
            Ok((format!("{FOLDER}/{name}.kt"), lines.map(|line| format!("{line}\n")).collect()))
        })
        .collect()
}

/// The folder in the package.
pub(super) const FOLDER: &str = "next";
