//! What links the shared library, which decides the version of glibc that it needs: the system's compiler, or Zig's, which has those of old systems.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use crate::python::{environment, write_program};

/// A compiler.
pub(super) struct Linker {
    program: PathBuf,
}

impl Linker {
    /// That of this system, by CC or its usual name.
    pub(super) fn of_system() -> Self {
        Self { program: std::env::var_os("CC").unwrap_or_else(|| "cc".into()).into() }
    }

    /// Zig from PyPI for a version of glibc, such as 2.17.
    ///
    /// # Errors
    /// Where this is no Linux, or Zig cannot be had.
    pub(super) fn for_glibc(root: &Path, parts: &Path, target: &Path, (major, minor): (u32, u32)) -> anyhow::Result<Self> {
        ensure!(cfg!(target_os = "linux"), "glibc is Linux's");
        let python = environment(root, target, "shipping")?.join("bin/python");
        let program = parts.join("zig-cc");
        let triple = format!("{}-linux-gnu.{major}.{minor}", std::env::consts::ARCH);
        // Rust's name of the target, which build scripts add, is none of Zig's.
        let script = format!(
            "#!/bin/sh\nfor argument; do\n  shift\n  case $argument in --target=*) ;; *) set -- \"$@\" \"$argument\" ;; esac\ndone\n\
             exec '{}' -m ziglang cc -target {triple} \"$@\"\n",
            python.display()
        );
        write_program(&program, &script)?;
        Ok(Self { program })
    }

    /// Where it is: build scripts compile by it, too.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    pub(super) fn command(&self) -> Command {
        Command::new(&self.program)
    }
}
