//! The static and the shared library. Both export only the functions in the headers, because a program may also contain another Rust
//! library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::folder::files;
use crate::native::linker::{LinkInput, Linker, import_library};
use crate::native::{ReleaseLibrary, System};
use crate::process::execute;

/// The package's folder in the workspace.
pub(super) const FOLDER: &str = "bindings/c";

const FUNCTION_PREFIX: &str = "vitalwire_";

/// LLVM's bitcode and command line. Linkers ignore them, and tools read only the first part.
const BITCODE: [&str; 2] = [".llvmbc", ".llvmcmd"];

/// Libraries for release.
pub(super) struct Libraries {
    /// The static library. It exports only functions.
    pub(super) archive: PathBuf,
    pub(super) shared: PathBuf,
    /// The import library of the shared library on Windows.
    pub(super) import: Option<PathBuf>,
    /// Linker options for the system libraries that the static library needs.
    pub(super) native: String,
}

pub(super) struct FileNames {
    pub(super) archive: &'static str,
    /// Name of the shared library. It has the exact version while that is 0.x.
    pub(super) shared: String,
    /// Name that linkers search for.
    pub(super) link: Option<&'static str>,
    pub(super) import: Option<&'static str>,
}

/// Returns the file names on a system.
pub(super) fn file_names(system: System, version: &str) -> FileNames {
    if system == System::Windows {
        let shared = "vitalwire_c.dll".to_owned();
        FileNames { archive: "libvitalwire.a", shared, link: None, import: Some("libvitalwire.dll.a") }
    } else if cfg!(windows) {
        // The DLL must have the file name that cargo's import library refers to.
        FileNames { archive: "vitalwire_static.lib", shared: "vitalwire_c.dll".to_owned(), link: None, import: Some("vitalwire.lib") }
    } else if cfg!(target_os = "macos") {
        let shared = format!("libvitalwire.{version}.dylib");
        FileNames { archive: "libvitalwire.a", shared, link: Some("libvitalwire.dylib"), import: None }
    } else {
        FileNames { archive: "libvitalwire.a", shared: format!("libvitalwire.so.{version}"), link: Some("libvitalwire.so"), import: None }
    }
}

/// Creates the libraries from cargo's output.
///
/// # Errors
/// If a tool fails, or if a library exports other functions than the headers declare.
pub(super) fn build(root: &Path, built: &ReleaseLibrary, linker: &Linker, version: &str, folder: &Path) -> anyhow::Result<Libraries> {
    fs::create_dir_all(folder)?;
    let names = file_names(linker.system(), version);
    if let Some((shared, import)) = &built.shared {
        return Ok(Libraries {
            archive: built.archive.clone(),
            shared: shared.clone(),
            import: Some(import.clone()),
            native: built.native.clone(),
        });
    }
    let functions = functions(root)?;
    let list = folder.join("functions.txt");
    let lines = |before: &str| functions.iter().map(|name| format!("{before}{name}\n")).collect::<String>();
    fs::write(&list, lines(if cfg!(target_os = "macos") { "_" } else { "" }))?;
    let archive = folder.join(names.archive);
    let shared = folder.join(&names.shared);
    let import = names.import.map(|_| import_library(&shared));
    if import.is_some() {
        // GNU's linker cannot join object files for Windows.
        execute(linker.system().tool("objcopy").arg("--strip-debug").arg(&built.archive).arg(&archive))?;
    } else {
        hide_names(linker.system(), &built.archive, &list, folder, &archive)?;
        linker.check_exports(&archive, false, &functions)?;
    }
    // Linked from the original static library, because the packaged one has no debug information.
    linker.link(&LinkInput { archive: &built.archive, functions: &functions, native: &built.native, name: &names.shared }, &shared)?;
    linker.check_exports(import.as_ref().unwrap_or(&shared), import.is_none(), &functions)?;
    Ok(Libraries { archive, shared, import, native: built.native.clone() })
}

/// Joins all members and hides names that are not in the list. References between members are resolved first, so no member refers to a
/// hidden name. Each function keeps its section, so that linkers can still drop unused ones (`--gc-sections`).
fn hide_names(system: System, built: &Path, list: &Path, folder: &Path, out: &Path) -> anyhow::Result<()> {
    let joined = folder.join("joined.o");
    let member = folder.join("vitalwire.o");
    if cfg!(target_os = "macos") {
        let mut join = Command::new("cc");
        join.args(["-r", "-nostdlib", "-Xlinker", "-exported_symbols_list", "-Xlinker"]).arg(list);
        execute(join.args(["-Xlinker", "-force_load", "-Xlinker"]).arg(built).arg("-o").arg(&member))?;
        execute(Command::new("strip").args(["-S", "-x"]).arg(&member))?;
    } else {
        // Linkers keep one of several equal groups. Hidden names make each group unique.
        execute(system.tool("ld").args(["-r", "--force-group-allocation", "--whole-archive"]).arg(built).arg("-o").arg(&joined))?;
        let mut hide = system.tool("objcopy");
        hide.arg("--strip-unneeded").args(BITCODE.map(|section| format!("--remove-section={section}")));
        execute(hide.arg(format!("--keep-global-symbols={}", list.display())).arg(&joined).arg(&member))?;
        fs::remove_file(&joined)?;
    }
    execute(system.tool("ar").arg("rcs").arg(out).arg(&member))?;
    Ok(fs::remove_file(&member)?)
}

/// Returns the functions that the headers declare.
fn functions(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut functions = BTreeSet::new();
    // The C++ headers only wrap these.
    for file in files(&root.join(FOLDER).join("include"))?.iter().filter(|file| file.extension().is_some_and(|ending| ending == "h")) {
        functions.extend(declared_functions(&fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?));
    }
    Ok(functions)
}

/// Returns the functions that a header declares. Ignores names in comments and macros.
fn declared_functions(header: &str) -> impl Iterator<Item = String> {
    let code = header.lines().filter(|line| !line.starts_with([' ', '#', '/']) && line.contains('('));
    code.filter_map(|line| {
        let before = line.split('(').next()?;
        let name = before.rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
        (name.starts_with(FUNCTION_PREFIX) && name != before).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_header_are_found() {
        let header = "/**\n * Calls vitalwire_b(x).\n */\n/** Calls vitalwire_d(x). */\nvitalwire_str vitalwire_a_1(const char *x,\n                 int y);\n\
                      void vitalwire_free(void *it);\n#define VITALWIRE_X() vitalwire_c()\ntypedef void (*vitalwire_f)(void *);\n\
                      VITALWIRE_API const vitalwire_t *vitalwire_at(int i);\n";
        assert_eq!(declared_functions(header).collect::<Vec<_>>(), ["vitalwire_a_1", "vitalwire_free", "vitalwire_at"]);
    }
}
