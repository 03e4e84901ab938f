//! Generates a few classes of the next release, in which the service has added fields and options. A test compiles them and runs code that
//! was compiled against this release.

use std::path::Path;

use anyhow::Context as _;
use vitalwire_codegen::{ir, kotlin, read, spec};

/// The classes to create: records, options that have values in this release, options that get their first one, and interfaces.
const CLASSES: [&str; 6] = [
    "records/SleepRecord",
    "records/UserInfo",
    "options/GetSleepOptions",
    "options/GetUserInfoOptions",
    "resources/Sleeps",
    "resources/User",
];

/// Start of the part of a file that calls the native library. This part is left out, because this release's library lacks the additions.
const NATIVE_PARTS: [&str; 2] = ["internal fun Native.toKotlin()", "internal class "];

/// Returns the sources: path in the package, and text.
///
/// # Errors
/// If the specifications cannot be read, or a class has another name.
pub(super) fn generate(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let sources = spec::load(root, &[])?;
    let mut ir = read::build(&sources)?;
    ir.error_kinds = read::error_kinds(root)?;
    ir.samples = read::samples(root)?;
    let files = kotlin::emit(&ir::later_release(&ir))?;
    CLASSES
        .iter()
        .map(|class| {
            let file = files
                .iter()
                .find(|file| file.path.ends_with(&format!("/{class}.kt")))
                .with_context(|| format!("the generator wrote no {class}"))?;
            let end = NATIVE_PARTS.iter().filter_map(|start| file.text.find(start)).min().unwrap_or(file.text.len());
            let lines = file.text[..end].lines().filter(|line| !line.starts_with("import dev.vitalwire.ffi."));
            let name = class.split('/').next_back().unwrap_or(class);
            Ok((format!("{FOLDER}/{name}.kt"), lines.map(|line| format!("{line}\n")).collect()))
        })
        .collect()
}

/// Folder of these classes in the package.
pub(super) const FOLDER: &str = "next";
