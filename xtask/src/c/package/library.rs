//! The static and the shared library. Both have the functions that the headers declare and no other name that anyone sees: another library in Rust
//! may be in the same program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::folder::files;
use crate::native::Built;
use crate::native::linker::{Linked, Linker, defined};
use crate::process::must;

/// The package in the clone.
pub(super) const FOLDER: &str = "bindings/c";

/// What names of functions begin with.
const OURS: &str = "vitalwire_";

/// LLVM's bitcode and how it was compiled, which linkers make nothing of, and of which tools read the first piece alone.
const BITCODE: [&str; 2] = [".llvmbc", ".llvmcmd"];

/// Libraries as they are shipped.
pub(super) struct Libraries {
    /// The static library; none of its names is seen but those of functions.
    pub(super) archive: PathBuf,
    pub(super) shared: PathBuf,
    /// What programs are linked with on Windows to use the shared library.
    pub(super) import: Option<PathBuf>,
    /// System libraries that the static library needs, as a linker is told them.
    pub(super) native: String,
}

/// Names of the libraries' files.
pub(super) struct Names {
    pub(super) archive: &'static str,
    /// With the exact version, as long as that is 0.x.
    pub(super) shared: String,
    /// What linkers look for.
    pub(super) link: Option<&'static str>,
    pub(super) import: Option<&'static str>,
}

/// What this system calls them.
pub(super) fn names(version: &str) -> Names {
    if cfg!(windows) {
        // The import library says so, and cargo has made it.
        Names { archive: "vitalwire_static.lib", shared: "vitalwire_c.dll".to_owned(), link: None, import: Some("vitalwire.lib") }
    } else if cfg!(target_os = "macos") {
        let shared = format!("libvitalwire.{version}.dylib");
        Names { archive: "libvitalwire.a", shared, link: Some("libvitalwire.dylib"), import: None }
    } else {
        Names { archive: "libvitalwire.a", shared: format!("libvitalwire.so.{version}"), link: Some("libvitalwire.so"), import: None }
    }
}

/// Makes them of what cargo built.
///
/// # Errors
/// Where a tool fails, or one of them has other names than the headers.
pub(super) fn make(root: &Path, built: &Built, linker: &Linker, version: &str, folder: &Path) -> anyhow::Result<Libraries> {
    fs::create_dir_all(folder)?;
    let names = names(version);
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
    reduce(&built.archive, &list, folder, &archive)?;
    linker.link(&Linked { archive: &archive, functions: &functions, native: &built.native, name: &names.shared }, &shared)?;
    for library in [&archive, &shared] {
        let found = defined(library, library == &shared)?;
        let other: Vec<_> = functions.symmetric_difference(&found).take(5).collect();
        ensure!(other.is_empty(), "{} has other names than the headers: {other:?}", library.display());
    }
    Ok(Libraries { archive, shared, import: None, native: built.native.clone() })
}

/// Joins all members to one and hides what is not in the list. References between members are resolved by then, so that nothing asks for a name that is
/// hidden. A linker that is told to still leaves out what is not used (`--gc-sections`): each function keeps its section.
fn reduce(built: &Path, list: &Path, folder: &Path, out: &Path) -> anyhow::Result<()> {
    let joined = folder.join("joined.o");
    let member = folder.join("vitalwire.o");
    if cfg!(target_os = "macos") {
        let mut join = Command::new("cc");
        join.args(["-r", "-nostdlib", "-Xlinker", "-exported_symbols_list", "-Xlinker"]).arg(list);
        must(join.args(["-Xlinker", "-force_load", "-Xlinker"]).arg(built).arg("-o").arg(&member))?;
        must(Command::new("strip").args(["-S", "-x"]).arg(&member))?;
    } else {
        // Groups of which linkers keep one of several: their names are hidden, so that each is alone.
        must(Command::new("ld").args(["-r", "--force-group-allocation", "--whole-archive"]).arg(built).arg("-o").arg(&joined))?;
        let mut hide = Command::new("objcopy");
        hide.arg("--strip-unneeded").args(BITCODE.map(|section| format!("--remove-section={section}")));
        must(hide.arg(format!("--keep-global-symbols={}", list.display())).arg(&joined).arg(&member))?;
        fs::remove_file(&joined)?;
    }
    must(Command::new("ar").arg("rcs").arg(out).arg(&member))?;
    Ok(fs::remove_file(&member)?)
}

/// The functions that the headers declare.
fn functions(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut functions = BTreeSet::new();
    // Those of C++ are over these.
    for file in files(&root.join(FOLDER).join("include"))?.iter().filter(|file| file.extension().is_some_and(|ending| ending == "h")) {
        functions.extend(declared(&fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?));
    }
    Ok(functions)
}

/// The functions that a header declares. Comments and macros name some, too.
fn declared(header: &str) -> impl Iterator<Item = String> {
    let code = header.lines().filter(|line| !line.starts_with([' ', '#', '/']) && line.contains('('));
    code.filter_map(|line| {
        let before = line.split('(').next()?;
        let name = before.rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
        (name.starts_with(OURS) && name != before).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_from_a_header() {
        let header = "/**\n * Calls vitalwire_b(x).\n */\n/** Calls vitalwire_d(x). */\nvitalwire_str vitalwire_a_1(const char *x,\n                 int y);\n\
                      void vitalwire_free(void *it);\n#define VITALWIRE_X() vitalwire_c()\ntypedef void (*vitalwire_f)(void *);\n\
                      VITALWIRE_API const vitalwire_t *vitalwire_at(int i);\n";
        assert_eq!(declared(header).collect::<Vec<_>>(), ["vitalwire_a_1", "vitalwire_free", "vitalwire_at"]);
    }
}
