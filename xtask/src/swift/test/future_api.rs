//! Checks that callers and mocks compile with the next release, in which the service has added a field to every record and a parameter to
//! every operation. Function bodies are left out, because the library lacks those fields.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use vitalwire_codegen::{ir, read, spec, swift};

use crate::folder::{self, files};
use crate::process::execute;
use crate::steps::Count;
use crate::swift::layout::FOLDER;
use crate::swift::test_build::Package;

/// The module, and the folder of its sources in the package.
const MODULE: &str = "Vitalwire";
const SOURCES: &str = "Sources/Vitalwire";

/// Callers in the package: a short one, one that makes every call with every parameter, and mocks.
const CALLERS: [&str; 3] = ["Examples/LastNight", "Tests/ConformanceRunner", "Tests/VitalwireTests/ForwardingFakes.swift"];

/// A caller that compiles only with the next release. It proves that the other callers are compiled with that release too.
const NEW_CALLER: &str = "import Vitalwire

func added(_ info: UserInfo) { _ = info.addedLater }
func added(_ call: VitalwireClient.Sleeps.GetCall) { _ = call.addedLater }
";

/// Compiles the callers. Each caller is a test.
///
/// # Errors
/// If the next release cannot be created or does not compile.
pub(super) fn check(root: &Path, package: &Package) -> anyhow::Result<Count> {
    let folder = package.sibling_folder("next");
    let sources = write_sources(root, &folder)?;
    let mut compile = package.compiler(&[]);
    compile.args(["-emit-module", "-parse-as-library", "-Xfrontend", "-experimental-skip-all-function-bodies"]);
    compile.args(["-module-name", MODULE, "-package-name", MODULE, "-emit-module-path"]).arg(folder.join(format!("{MODULE}.swiftmodule")));
    execute(compile.args(sources)).context("the next release of the Swift package")?;
    let new = folder.join("New.swift");
    fs::write(&new, NEW_CALLER)?;
    let mut callers = vec![("a caller of the additions", vec![new])];
    for caller in CALLERS {
        callers.push((caller, swift_files(&root.join(FOLDER).join(caller))?));
    }
    let mut count = Count::default();
    for (caller, sources) in callers {
        let failed = execute(package.compiler(&[&folder]).arg("-typecheck").args(sources)).err();
        failed.iter().for_each(|error| crate::print_line(&format!("{caller} does not compile against the next release: {error:#}")));
        count += Count::from_check(failed.is_none());
    }
    Ok(count)
}

/// Writes the sources of the next release.
fn write_sources(root: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let specifications = spec::load(root, &[])?;
    let mut ir = read::build(&specifications)?;
    ir.error_kinds = read::error_kinds(root)?;
    ir.samples = read::samples(root)?;
    let generated = swift::emit(&ir::later_release(&ir))?;
    let within = format!("{FOLDER}/{SOURCES}/");
    let generated: Vec<_> = generated.iter().filter(|file| file.path.starts_with(&within)).collect();
    folder::remove(folder)?;
    let mut sources = Vec::new();
    for file in &generated {
        let path = folder.join(&file.path[within.len()..]);
        fs::create_dir_all(path.parent().context("the file has no folder")?)?;
        fs::write(&path, &file.text)?;
        sources.push(path);
    }
    let own = swift_files(&root.join(FOLDER).join(SOURCES))?;
    sources.extend(own.into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "Generated")));
    Ok(sources)
}

/// Returns the Swift files below a folder, or a single file.
pub(super) fn swift_files(place: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = if place.is_file() { vec![place.to_path_buf()] } else { files(place)? };
    found.retain(|path| path.extension().is_some_and(|extension| extension == "swift"));
    Ok(found)
}
