//! uniffi's bindings, read from the built library.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate};

use crate::build;
use crate::codegen::emit::File;

/// Each language: what uniffi writes, and where it goes.
const OUTPUTS: [(TargetLanguage, &[(&str, &str)]); 2] = [
    (
        TargetLanguage::Swift,
        &[
            ("VitalwireFFI.swift", "bindings/swift/Sources/VitalwireFFI/Generated/VitalwireFFI.swift"),
            ("CVitalwireFFI.h", "bindings/swift/Sources/CVitalwireFFI/CVitalwireFFI.h"),
        ],
    ),
    (TargetLanguage::Kotlin, &[("dev/vitalwire/ffi/vitalwire.kt", "bindings/kotlin/src/main/kotlin/generated/Ffi.kt")]),
];

/// The wrapper's package, its target, and the module of functions that only tests call.
const PACKAGE: &str = "crates/vitalwire-uniffi";
const TARGET: &str = "vitalwire_uniffi";
const PROBE: &str = "src/probe.rs";

/// What becomes of the functions that only tests call, which the build that everything shares has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    /// They are left out, as what is shipped has none.
    Left,
    /// They are there.
    Kept,
}

/// Builds the wrapper and writes its bindings as files of ours.
///
/// # Errors
/// Where the wrapper does not compile or uniffi names its files otherwise.
pub(crate) fn bindings(root: &Path) -> anyhow::Result<Vec<File>> {
    let library = build::libraries(root)?.dynamic_library(TARGET)?;
    of(root, &library, Probe::Left)
}

/// Bindings of a library, as files of ours.
///
/// # Errors
/// Where it holds nothing for uniffi, or uniffi names its files otherwise.
pub(crate) fn of(root: &Path, library: &Path, probe: Probe) -> anyhow::Result<Vec<File>> {
    // uniffi keeps the current folder's workspace in mind, and steps of the tests ask side by side.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // uniffi asks cargo for uniffi.toml from the current folder; elsewhere it would use default names in silence.
    std::env::set_current_dir(root).context("entering the workspace")?;
    let scratch = library.with_file_name("uniffi-bindings");
    let path = |path: &Path| path.to_str().map(Into::into).context("a path is not UTF-8");
    let mut files = Vec::new();
    for (language, outputs) in OUTPUTS {
        if scratch.exists() {
            std::fs::remove_dir_all(&scratch)?;
        }
        std::fs::create_dir_all(&scratch)?;
        let config = scratch.join("uniffi.toml");
        std::fs::write(&config, if probe == Probe::Left { without_probe(root)? } else { String::new() })?;
        generate(GenerateOptions {
            languages: vec![language],
            source: path(library)?,
            out_dir: path(&scratch)?,
            config_override: Some(path(&config)?),
            format: false,
            crate_filter: Some(TARGET.to_owned()),
            metadata_no_deps: true,
        })?;
        for (from, to) in outputs {
            let text = std::fs::read_to_string(scratch.join(from)).with_context(|| format!("uniffi wrote no {from}"))?;
            files.push(File::new(*to, tidy(&text)));
        }
    }
    std::fs::remove_dir_all(&scratch)?;
    Ok(files)
}

/// Settings for uniffi that leave the probe's functions out. They take and give types that the rest has, too.
fn without_probe(root: &Path) -> anyhow::Result<String> {
    let file = root.join(PACKAGE).join(PROBE);
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let items = syn::parse_file(&text).with_context(|| format!("parsing {}", file.display()))?.items;
    let exported =
        |function: &syn::ItemFn| function.attrs.iter().any(|attribute| attribute.path().segments.iter().any(|part| part.ident == "uniffi"));
    let names: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Fn(function) if exported(function) => Some(format!("{:?}", function.sig.ident.to_string())),
            _ => None,
        })
        .collect();
    let exclude = format!("exclude = [{}]", names.join(", "));
    Ok(["kotlin", "swift"].map(|language| format!("[crates.{TARGET}.bindings.{language}]\n{exclude}\n")).concat())
}

/// Trailing blanks go: editors and reviews would trip over them.
fn tidy(text: &str) -> String {
    let mut tidy: String = text.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    while tidy.ends_with("\n\n") {
        tidy.pop();
    }
    tidy
}
