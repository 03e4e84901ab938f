//! gcc and clang. Where clang is not installed, that of the Swift toolchain is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{has, write_program};
use crate::swift::toolchain;

/// Where the Swift toolchain that is made here has its clang.
const IN_SWIFT: &str = "/usr/libexec/swift/bin";

/// A compiler of both languages.
pub(super) struct Compiler {
    pub(super) name: &'static str,
    pub(super) c: PathBuf,
    pub(super) cpp: PathBuf,
    /// What its programs are run by, where they are not for this system's own library of C.
    inside: Option<PathBuf>,
}

impl Compiler {
    /// A program that it made.
    pub(super) fn run(&self, program: &Path) -> Command {
        let mut command = Command::new(self.inside.as_deref().unwrap_or(program));
        if self.inside.is_some() {
            command.arg(program);
        }
        command
    }
}

/// Both, if both are there. `folder` is where programs are compiled.
///
/// # Errors
/// Where a script cannot be written.
pub(super) fn found(root: &Path, folder: &Path) -> anyhow::Result<Option<Vec<Compiler>>> {
    let installed = |name, c: &str, cpp: &str| Compiler { name, c: c.into(), cpp: cpp.into(), inside: None };
    if !has("gcc") || !has("g++") {
        return Ok(None);
    }
    let clang = if has("clang") && has("clang++") {
        installed("clang", "clang", "clang++")
    } else if cfg!(target_os = "linux") && toolchain::missing(root)?.is_none() {
        let inside = |name: &str, program: &str| -> anyhow::Result<PathBuf> {
            let script = folder.join("compilers").join(name);
            let with_swift = toolchain::with_swift(root);
            let text =
                format!("#!/bin/sh\nVITALWIRE_SWIFT_BINDS='{}' exec '{}' {program} \"$@\"\n", folder.display(), with_swift.display());
            write_program(&script, &text)?;
            Ok(fs::canonicalize(script)?)
        };
        let compiler = |name: &str| inside(name, &format!("{IN_SWIFT}/{name}"));
        Compiler { name: "clang", c: compiler("clang")?, cpp: compiler("clang++")?, inside: Some(inside("run", "")?) }
    } else {
        return Ok(None);
    };
    Ok(Some(vec![installed("gcc", "gcc", "g++"), clang]))
}
