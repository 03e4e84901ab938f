//! The library for Windows and programs that link it, built with Debian's mingw-w64.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;
use crate::native::native_libraries;
use crate::nightly;
use crate::process::{execute, has};

const TRIPLE: &str = "x86_64-pc-windows-gnu";

const COMPILERS: [&str; 2] = ["x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-g++"];

/// Returns the missing tool, with the command that installs it.
pub(crate) fn missing() -> Option<&'static str> {
    if !COMPILERS.into_iter().all(has) {
        return Some("no compiler for Windows; on Debian: apt install g++-mingw-w64-x86-64-posix");
    }
    if cargo::has_target(TRIPLE) { None } else { nightly::missing() }
}

/// A library and its linker options.
pub(crate) struct WindowsLibrary {
    library: PathBuf,
    native: String,
}

impl WindowsLibrary {
    /// Builds the library for Windows.
    ///
    /// # Errors
    /// If it does not compile.
    pub(crate) fn build(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let folder = target.join("windows");
        let mut cargo = if cargo::has_target(TRIPLE) {
            let mut cargo = cargo::command();
            cargo.current_dir(root).args(["rustc", "--locked", "--target", TRIPLE, "--target-dir"]).arg(&folder);
            cargo
        } else {
            nightly::cargo(root, target, TRIPLE, &folder, "rustc")?
        };
        cargo.args(["--package", "vitalwire-c", "--lib", "--crate-type", "staticlib", "--", "--print", "native-static-libs"]);
        let native = native_libraries(&execute(&mut cargo)?)?;
        Ok(Self { library: folder.join(TRIPLE).join("debug/libvitalwire_c.a"), native })
    }

    /// Compiles a program in C or C++.
    ///
    /// # Errors
    /// If it does not compile or link.
    pub(crate) fn compile(&self, root: &Path, sources: &[PathBuf], program: &Path) -> anyhow::Result<()> {
        let is_c = sources.iter().all(|source| source.extension().is_some_and(|extension| extension == "c"));
        let (compiler, standard) = if is_c { (COMPILERS[0], "-std=c11") } else { (COMPILERS[1], "-std=c++17") };
        let mut cc = Command::new(compiler);
        // Use the C99 printf formats, and link the compiler's runtime statically.
        cc.args([standard, "-Wall", "-Wextra", "-Werror", "-D__USE_MINGW_ANSI_STDIO=1", "-static", "-I"])
            .arg(root.join("bindings/c/include"));
        cc.args(sources).arg(&self.library).args(self.native.split_whitespace()).arg("-o").arg(program);
        execute(&mut cc).map(drop)
    }
}
