//! Finds gcc and clang. If clang is not installed, uses the one in the Swift toolchain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{has, write_program};
use crate::swift::toolchain;

/// Folder of clang in our Swift toolchain.
const SWIFT_CLANG_FOLDER: &str = "/usr/libexec/swift/bin";

/// A compiler for C and C++.
pub(super) struct Compiler {
    pub(super) name: &'static str,
    pub(super) c: PathBuf,
    pub(super) cpp: PathBuf,
    /// Program that starts compiled programs, if they need another C library than the system's.
    wrapper: Option<PathBuf>,
}

impl Compiler {
    /// Returns the command that runs a compiled program.
    pub(super) fn run(&self, program: &Path) -> Command {
        let mut command = Command::new(self.wrapper.as_deref().unwrap_or(program));
        if self.wrapper.is_some() {
            command.arg(program);
        }
        command
    }
}

/// Returns both compilers, if both are available. `folder` is where programs are compiled.
///
/// # Errors
/// If a script cannot be written.
pub(super) fn find(root: &Path, folder: &Path) -> anyhow::Result<Option<Vec<Compiler>>> {
    let installed = |name, c: &str, cpp: &str| Compiler { name, c: c.into(), cpp: cpp.into(), wrapper: None };
    if !has("gcc") || !has("g++") {
        return Ok(None);
    }
    let clang = if has("clang") && has("clang++") {
        installed("clang", "clang", "clang++")
    } else if cfg!(target_os = "linux") && toolchain::missing(root)?.is_none() {
        let script = |name: &str, program: &str| -> anyhow::Result<PathBuf> {
            let path = folder.join("compilers").join(name);
            let with_swift = toolchain::with_swift(root);
            let text =
                format!("#!/bin/sh\nVITALWIRE_SWIFT_BINDS='{}' exec '{}' {program} \"$@\"\n", folder.display(), with_swift.display());
            write_program(&path, &text)?;
            Ok(fs::canonicalize(path)?)
        };
        let compiler = |name: &str| script(name, &format!("{SWIFT_CLANG_FOLDER}/{name}"));
        Compiler { name: "clang", c: compiler("clang")?, cpp: compiler("clang++")?, wrapper: Some(script("run", "")?) }
    } else {
        return Ok(None);
    };
    Ok(Some(vec![installed("gcc", "gcc", "g++"), clang]))
}
