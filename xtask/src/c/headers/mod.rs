//! The C headers, from the Rust source of the C wrapper: cbindgen writes the declarations, and each goes to the header of its theme.

mod conventions;
mod declarations;
mod place;
mod source;
mod version;

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use cbindgen::{Builder, Config};

use crate::versions::workspace;
use declarations::{Declaration, Kind};
use place::{Header, Places};
use source::Source;
use vitalwire_codegen::file::File;

/// The wrapper.
const CRATE: &str = "crates/vitalwire-c";
/// What ownership, text, errors and threads are like: the first comment.
const CONVENTIONS: &str = "bindings/c/CONVENTIONS.md";
/// Where headers are.
const FOLDER: &str = "bindings/c/include";

/// Makes the headers. No macro is expanded and no other crate is read, so a stable toolchain is enough.
///
/// # Errors
/// Where the source is no Rust, or has an exported function that did not come through.
pub(crate) fn headers(root: &Path) -> anyhow::Result<Vec<File>> {
    let folder = root.join(CRATE);
    let source = Source::read(&folder)?;
    let mut config = Config::from_file(folder.join("cbindgen.toml")).map_err(|text| anyhow!("{CRATE}/cbindgen.toml: {text}"))?;
    // The core's types are incomplete ones in C, which cbindgen could not make: it would ask for the core's source.
    config.export.exclude.extend(source.aliases.iter().map(|alias| alias.name.clone()));
    // Functions for tests are not in the headers.
    config.export.exclude.extend(source.hidden.iter().cloned());
    // It follows the modules of one file; asking for the crate would run `cargo metadata` and read what it depends on.
    let bindings = Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate().context("running cbindgen")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).context("cbindgen's text is not UTF-8")?;
    let mut all: Vec<Declaration> = source.aliases.iter().map(Declaration::incomplete).collect();
    all.extend(Declaration::read(&text)?);
    // A function that cbindgen does not understand is left out with a warning: nobody would miss it before linking.
    let written = |name: &str| all.iter().filter(|it| it.kind == Kind::Function && it.name == name).count() == 1;
    if let Some(name) = source.functions.keys().find(|name| !written(name)) {
        bail!("cbindgen did not write `{name}` once");
    }
    files(root, &Places::of(&source, &all), &all)
}

fn files(root: &Path, places: &Places<'_>, all: &[Declaration]) -> anyhow::Result<Vec<File>> {
    let mut headers: Vec<Header> = places.headers();
    for declaration in all {
        let at = places.header(declaration)?;
        let header = headers.iter_mut().find(|header| header.name == at).with_context(|| format!("no header `{at}`"))?;
        header.declarations.push(declaration);
    }
    let conventions = std::fs::read_to_string(root.join(CONVENTIONS)).with_context(|| format!("reading {CONVENTIONS}"))?;
    let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
    let whole = version::whole(&conventions::comment(&conventions), &workspace(root)?, &names)?;
    let mut files = vec![File::new(format!("{FOLDER}/vitalwire.h"), whole)];
    files.extend(headers.iter().map(|header| File::new(format!("{FOLDER}/vitalwire/{}.h", header.name), header.text())));
    Ok(files)
}
