//! Generates the C headers from the source of the C wrapper. cbindgen writes the declarations, and each goes into the header of its topic.

mod conventions;
mod declarations;
mod header_map;
mod source;
mod umbrella;

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use cbindgen::{Builder, Config};

use crate::versions::workspace;
use declarations::{Declaration, Kind};
use header_map::{Header, HeaderMap};
use source::Source;
use vitalwire_codegen::file::File;

/// Folder of the C wrapper.
const CRATE: &str = "crates/vitalwire-c";
/// The document about ownership, text, errors and threads: the first comment.
const CONVENTIONS: &str = "bindings/c/CONVENTIONS.md";
/// Folder of the headers.
const FOLDER: &str = "bindings/c/include";

/// Generates the headers. It expands no macros and reads no other crate, so that a stable toolchain suffices.
///
/// # Errors
/// If the source is not valid Rust, or an exported function is missing in the output.
pub(crate) fn headers(root: &Path) -> anyhow::Result<Vec<File>> {
    let folder = root.join(CRATE);
    let source = Source::read(&folder)?;
    let mut config = Config::from_file(folder.join("cbindgen.toml")).map_err(|text| anyhow!("{CRATE}/cbindgen.toml: {text}"))?;
    // The core's types are incomplete in C. cbindgen would need the core's source for them.
    config.export.exclude.extend(source.aliases.iter().map(|alias| alias.name.clone()));
    // Test-only functions are not in the headers.
    config.export.exclude.extend(source.hidden.iter().cloned());
    // Pass a file, whose modules cbindgen follows. For a crate, it would run `cargo metadata` and read the dependencies.
    let bindings = Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate().context("running cbindgen")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).context("cbindgen's text is not UTF-8")?;
    let mut all: Vec<Declaration> = source.aliases.iter().map(Declaration::incomplete).collect();
    all.extend(Declaration::parse(&text)?);
    // cbindgen skips functions that it does not understand with a warning, and only a linker would notice.
    let written = |name: &str| all.iter().filter(|it| it.kind == Kind::Function && it.name == name).count() == 1;
    if let Some(name) = source.functions.keys().find(|name| !written(name)) {
        bail!("cbindgen did not write `{name}` once");
    }
    files(root, &HeaderMap::new(&source, &all), &all)
}

fn files(root: &Path, map: &HeaderMap<'_>, all: &[Declaration]) -> anyhow::Result<Vec<File>> {
    let mut headers: Vec<Header> = map.headers();
    for declaration in all {
        let at = map.header(declaration)?;
        let header = headers.iter_mut().find(|header| header.name == at).with_context(|| format!("no header `{at}`"))?;
        header.declarations.push(declaration);
    }
    let conventions = std::fs::read_to_string(root.join(CONVENTIONS)).with_context(|| format!("reading {CONVENTIONS}"))?;
    let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
    let whole = umbrella::umbrella_header(&conventions::comment(&conventions), &workspace(root)?, &names)?;
    let mut files = vec![File::new(format!("{FOLDER}/vitalwire.h"), whole)];
    files.extend(headers.iter().map(|header| File::new(format!("{FOLDER}/vitalwire/{}.h", header.name), header.text())));
    Ok(files)
}
