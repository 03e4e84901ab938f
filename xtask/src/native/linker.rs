//! Linkers for shared libraries. On Linux, they determine the required glibc version: the system's compiler, or Zig's, which supports old versions.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, ensure};

use super::system::System;
use crate::archive::tar;
use crate::digest::sha256;
use crate::folder;
use crate::notices;
use crate::process::{execute, write_program};
use crate::pypi::environment;

/// A compiler that links shared libraries.
pub(crate) struct Linker {
    system: System,
    program: PathBuf,
    /// Folder of Zig, if it links.
    zig: Option<PathBuf>,
}

impl Linker {
    /// Returns Zig for a version of glibc, such as 2.17. Without a version, returns GCC, or on this system the compiler in CC or `cc`.
    ///
    /// # Errors
    /// If a version is given and the system is not Linux, or Zig cannot be installed.
    pub(crate) fn new(root: &Path, target: &Path, system: System, glibc: Option<(u32, u32)>) -> anyhow::Result<Self> {
        if let Some(glibc) = glibc {
            return Self::for_glibc(root, target, system, glibc);
        }
        let program = match system {
            System::Native => std::env::var_os("CC").unwrap_or_else(|| "cc".into()),
            other => other.tool("gcc").get_program().to_owned(),
        };
        Ok(Self { system, program: program.into(), zig: None })
    }

    /// Returns Zig from PyPI for a version of glibc. Its path is the same for all libraries, because cargo compiles C code again if the path
    /// of the compiler changes.
    fn for_glibc(root: &Path, target: &Path, system: System, (major, minor): (u32, u32)) -> anyhow::Result<Self> {
        // Languages are built in parallel.
        static WRITING: Mutex<()> = Mutex::new(());
        ensure!(cfg!(target_os = "linux") && system.has_glibc(), "a glibc version can be chosen only on Linux");
        let zig = environment(root, target, "shipping")?;
        let python = zig.join("bin/python");
        let triple = format!("{}-linux-gnu.{major}.{minor}", system.processor());
        let program = target.join("zig-cc").join(&triple);
        // Build scripts add Rust's target name, which Zig does not know.
        let variables: String =
            zig_variables(target).iter().map(|(name, value)| format!("export {name}='{}'\n", value.display())).collect();
        let script = format!(
            "#!/bin/sh\n{variables}for argument; do\n  shift\n  case $argument in --target=*) ;; *) set -- \"$@\" \"$argument\" ;; esac\ndone\n\
             exec '{}' -m ziglang cc -target {triple} \"$@\"\n",
            python.display()
        );
        let _guard = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        // A script that another thread runs cannot be written.
        if fs::read_to_string(&program).ok() != Some(script.clone()) {
            write_program(&program, &script)?;
        }
        Ok(Self { system, program, zig: Some(zig) })
    }

    pub(crate) const fn system(&self) -> System {
        self.system
    }

    /// Returns the compiler's path, which build scripts need too.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Links a static library into a shared library. Drops unused sections. On Linux, moves debug information into a [`debug_file`], which
    /// debuggers find by the build id.
    ///
    /// # Errors
    /// If the linker or objcopy fails.
    pub(crate) fn link(&self, library: &LinkInput, out: &Path) -> anyhow::Result<()> {
        let mut link = Command::new(&self.program);
        let list = out.with_file_name("shown.txt");
        let lines = |before: &str, after: &str| library.functions.iter().map(|name| format!("{before}{name}{after}\n")).collect::<String>();
        if self.system.is_windows() {
            let list = out.with_file_name("shown.def");
            fs::write(&list, format!("EXPORTS\n{}", lines("", "")))?;
            let import: OsString = ["-Wl,--out-implib,".into(), import_library(out).into_os_string()].into_iter().collect();
            // Neither GCC's libraries nor the time of the build.
            link.args(["-shared", "-static", "-Wl,--gc-sections,--no-insert-timestamp"]).arg(import).arg(list).arg(library.archive);
        } else if cfg!(target_os = "macos") {
            fs::write(&list, lines("_", ""))?;
            link.args(["-dynamiclib", "-install_name"]).arg(format!("@rpath/{}", library.name));
            link.args(["-Xlinker", "-exported_symbols_list", "-Xlinker"]).arg(&list);
            link.args(["-Xlinker", "-dead_strip", "-Xlinker", "-force_load", "-Xlinker"]).arg(library.archive);
        } else {
            fs::write(&list, format!("{{ global:\n{}local: *; }};\n", lines("", ";")))?;
            let version_script: OsString = ["-Wl,--version-script=".into(), list.into_os_string()].into_iter().collect();
            link.args(["-shared", "-Wl,--gc-sections,-z,defs,-z,relro,-z,now"])
                .arg(format!("-Wl,-soname,{}", library.name))
                .arg(format!("-Wl,--build-id={}", build_id(library)?));
            link.arg(version_script).arg("-Wl,--whole-archive").arg(library.archive).arg("-Wl,--no-whole-archive");
        }
        execute(link.args(library.native.split_whitespace()).arg("-o").arg(out))?;
        if cfg!(target_os = "linux") {
            split_debug_information(out, || self.system.tool("objcopy"))?;
            if let Some(zig) = &self.zig {
                hide_path(&debug_file(out), zig)?;
            }
        }
        Ok(())
    }

    /// Checks that a library exports exactly these functions.
    ///
    /// # Errors
    /// If the library exports other functions, or cannot be read.
    pub(crate) fn check_exports(&self, library: &Path, shared: bool, functions: &BTreeSet<String>) -> anyhow::Result<()> {
        let exported = exported_names(self.system, library, shared)?;
        let other: Vec<_> = functions.symmetric_difference(&exported).take(5).collect();
        ensure!(other.is_empty(), "{} must export exactly the functions of the header: {other:?}", library.display());
        Ok(())
    }
}

/// Returns the path of the import library for a DLL.
pub(crate) fn import_library(dll: &Path) -> PathBuf {
    PathBuf::from(format!("{}.a", dll.display()))
}

/// Returns the build id of a library, from what is linked. The linker would include the debug information of Zig's own library, which has the
/// path of Zig, so that the same library had another id in another folder.
fn build_id(library: &LinkInput) -> anyhow::Result<String> {
    let digest = sha256(&fs::read(library.archive)?);
    Ok(format!("0x{}", &sha256(format!("{digest} {} {:?}", library.name, library.functions).as_bytes())[..40]))
}

/// Returns variables for Zig, which compiles parts of libc and libunwind when it links. They leave out the debug information of these parts,
/// because it has paths of this machine. Build ids would depend on them, too. The cache of the user can have parts with debug information.
pub(crate) fn zig_variables(target: &Path) -> [(&'static str, OsString); 2] {
    // Read by clang: `+` appends an option, `#` suppresses the message.
    [("CCC_OVERRIDE_OPTIONS", "# +-g0".into()), ("ZIG_GLOBAL_CACHE_DIR", target.join("zig-cache").into())]
}

/// Moves the debug information of a library into its [`debug_file`].
///
/// # Errors
/// If objcopy fails.
pub(crate) fn split_debug_information(library: &Path, objcopy: impl Fn() -> Command) -> anyhow::Result<()> {
    // It would write the current time into a DLL.
    let objcopy = |option: &str| {
        let mut objcopy = objcopy();
        objcopy.env("SOURCE_DATE_EPOCH", "0").arg(option).arg(library);
        objcopy
    };
    execute(objcopy("--only-keep-debug").arg(debug_file(library)))?;
    execute(&mut objcopy("--strip-all")).map(drop)
}

/// Replaces a path in a file by as many slashes. Zig's own library names its folder in its debug information, whatever the options.
fn hide_path(file: &Path, path: &Path) -> anyhow::Result<()> {
    let path = path.as_os_str().as_encoded_bytes();
    let mut bytes = fs::read(file)?;
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, path).collect();
    for place in places {
        bytes[place..place + path.len()].fill(b'/');
    }
    Ok(fs::write(file, bytes)?)
}

/// Returns the path of a library's debug information.
pub(crate) fn debug_file(library: &Path) -> PathBuf {
    PathBuf::from(format!("{}.debug", library.display()))
}

/// Archives the debug information of linked libraries as `NAME.tar.gz` below `out`, with the licences in `licences`. Each library has the
/// name of its folder in the archive. Returns the archive, or nothing on systems on which debug information is not split.
///
/// # Errors
/// If debug information is missing, or a file cannot be read or written.
pub(crate) fn archive_debug_files(libraries: &[(&str, &Path)], name: &str, licences: &Path, out: &Path) -> anyhow::Result<Option<PathBuf>> {
    let files: Vec<(&str, PathBuf)> = libraries.iter().map(|(folder, library)| (*folder, debug_file(library))).collect();
    if !cfg!(target_os = "linux") && !files.iter().all(|(_, file)| file.is_file()) {
        return Ok(None);
    }
    let tree = out.join(name);
    folder::remove(&tree)?;
    for (folder, file) in files {
        fs::create_dir_all(tree.join(folder))?;
        fs::copy(&file, tree.join(folder).join(file.file_name().unwrap_or_default()))
            .with_context(|| format!("{} is missing: the library was linked without debug information", file.display()))?;
    }
    for file in notices::FILES {
        fs::copy(licences.join(file), tree.join(file))?;
    }
    let archive = out.join(format!("{name}.tar.gz"));
    fs::write(&archive, tar::archive(&tree)?)?;
    folder::remove(&tree)?;
    Ok(Some(archive))
}

/// A shared library to link.
pub(crate) struct LinkInput<'a> {
    /// The static library to link.
    pub(crate) archive: &'a Path,
    /// All exported functions.
    pub(crate) functions: &'a BTreeSet<String>,
    /// Linker options for the system libraries that it needs.
    pub(crate) native: &'a str,
    /// Name that programs load it by.
    pub(crate) name: &'a str,
}

/// Returns the minimum version of glibc for released libraries, which is also that of the wheels. `None` on systems without glibc.
pub(crate) fn released_glibc(system: System) -> Option<(u32, u32)> {
    system.has_glibc().then_some((2, 17))
}

/// Returns the exported names of a library.
fn exported_names(system: System, library: &Path, shared: bool) -> anyhow::Result<BTreeSet<String>> {
    let mut nm = system.tool("nm");
    // Print only the names of defined symbols.
    nm.args(if cfg!(target_os = "macos") { &["-g", "-U", "-j"][..] } else { &["-g", "--defined-only", "--format=just-symbols"] });
    if shared && !cfg!(target_os = "macos") {
        nm.arg("-D");
    }
    let text = execute(nm.arg(library))?;
    let names = text.lines().filter(|line| !line.is_empty() && !line.ends_with(':'));
    // An import library has further names for each function and for itself.
    let names = names.filter(|name| !system.is_windows() || !name.starts_with('_') && !name.ends_with("_iname"));
    Ok(names.map(|name| if cfg!(target_os = "macos") { name.trim_start_matches('_') } else { name }.to_owned()).collect())
}

/// Parses a glibc version.
///
/// # Errors
/// If it is invalid.
pub(crate) fn parse_glibc_version(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    numbers.ok_or_else(|| "the version must be two numbers, such as 2.17".to_owned())
}

/// Prints the glibc version that a library needs.
///
/// # Errors
/// If the library cannot be read, or needs a newer glibc than `max`.
pub(crate) fn check_glibc(library: &Path, max: Option<(u32, u32)>) -> anyhow::Result<()> {
    let needed = newest_glibc(&fs::read(library)?);
    if let Some((major, minor)) = needed {
        crate::print_line(&format!("the shared library needs glibc {major}.{minor}"));
    }
    ensure!(max.is_none() || needed <= max, "the shared library must not need a newer glibc than requested");
    Ok(())
}

/// Returns the newest glibc version of the symbols that a library needs, if any.
fn newest_glibc(bytes: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &[u8] = b"GLIBC_";
    let number = |bytes: &[u8]| {
        let digits: String = bytes.iter().map(|byte| char::from(*byte)).take_while(char::is_ascii_digit).collect();
        Some((digits.parse().ok()?, digits.len()))
    };
    let version = |at: usize| {
        let rest = &bytes[at + PREFIX.len()..];
        let (major, length) = number(rest)?;
        let rest = rest.get(length..)?.strip_prefix(b".")?;
        Some((major, number(rest)?.0))
    };
    memchr::memmem::find_iter(bytes, PREFIX).filter_map(version).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_path_keeps_the_size() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "a\0/b/c/d\0/b/c\0").unwrap();
        hide_path(file.path(), Path::new("/b/c")).unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "a\0/////d\0////\0");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(newest_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_2.9\0GLIBC_PRIVATE\0GLIBC_"), Some((2, 17)));
        assert_eq!(newest_glibc(b"GLIBCXX_3.4"), None);
    }
}
