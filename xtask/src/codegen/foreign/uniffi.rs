//! uniffi's bindings, read from the built library.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate};

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

/// Builds the wrapper and writes its bindings as files of ours.
///
/// # Errors
/// Where the wrapper does not compile or uniffi names its files otherwise.
pub(crate) fn bindings(root: &Path) -> anyhow::Result<Vec<File>> {
    of(root, &build(root)?)
}

/// Bindings of a library, as files of ours.
///
/// # Errors
/// Where it holds nothing for uniffi, or uniffi names its files otherwise.
pub(crate) fn of(root: &Path, library: &Path) -> anyhow::Result<Vec<File>> {
    // uniffi asks cargo for uniffi.toml from the current folder; elsewhere it would use default names in silence.
    std::env::set_current_dir(root).context("entering the workspace")?;
    let scratch = library.with_file_name("uniffi-bindings");
    let mut files = Vec::new();
    for (language, outputs) in OUTPUTS {
        if scratch.exists() {
            std::fs::remove_dir_all(&scratch)?;
        }
        std::fs::create_dir_all(&scratch)?;
        let path = |path: &Path| path.to_str().map(Into::into).context("a path is not UTF-8");
        generate(GenerateOptions {
            languages: vec![language],
            source: path(library)?,
            out_dir: path(&scratch)?,
            config_override: None,
            format: false,
            crate_filter: Some("vitalwire_uniffi".to_owned()),
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

/// Builds the library with the wrapper's own features only, and says where it is.
fn build(root: &Path) -> anyhow::Result<std::path::PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--quiet", "--package", "vitalwire-uniffi", "--lib", "--message-format", "json"])
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("running cargo")?;
    if !output.status.success() {
        bail!("vitalwire-uniffi does not build");
    }
    // cargo names the artifacts; guessing the target folder would miss CARGO_TARGET_DIR and build.target-dir.
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if message["reason"] != "compiler-artifact" || message["target"]["name"] != "vitalwire_uniffi" {
            continue;
        }
        let dynamic = [std::env::consts::DLL_SUFFIX];
        let names = message["filenames"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
        if let Some(path) = names.into_iter().find(|name| dynamic.iter().any(|suffix| name.ends_with(suffix))) {
            return Ok(path.into());
        }
    }
    bail!("cargo built no shared library of vitalwire-uniffi")
}

/// Trailing blanks go: editors and reviews would trip over them.
fn tidy(text: &str) -> String {
    let mut tidy: String = text.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    while tidy.ends_with("\n\n") {
        tidy.pop();
    }
    tidy
}
