//! What links shared libraries, which decides the version of glibc that they need: the system's compiler, or Zig's, which has those of old systems.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use crate::process::{must, write_program};
use crate::pypi::environment;

/// A compiler.
pub(crate) struct Linker {
    program: PathBuf,
}

impl Linker {
    /// That of this system, by CC or its usual name.
    pub(crate) fn of_system() -> Self {
        Self { program: std::env::var_os("CC").unwrap_or_else(|| "cc".into()).into() }
    }

    /// Zig from PyPI for a version of glibc, such as 2.17.
    ///
    /// # Errors
    /// Where this is no Linux, or Zig cannot be had.
    pub(crate) fn for_glibc(root: &Path, parts: &Path, target: &Path, (major, minor): (u32, u32)) -> anyhow::Result<Self> {
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
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Links all of a static library into a shared one. What no function needs is left out.
    ///
    /// # Errors
    /// Where the linker refuses.
    pub(crate) fn link(&self, library: &Linked, out: &Path) -> anyhow::Result<()> {
        let mut link = Command::new(&self.program);
        let list = out.with_file_name("shown.txt");
        let lines = |before: &str, after: &str| library.functions.iter().map(|name| format!("{before}{name}{after}\n")).collect::<String>();
        if cfg!(target_os = "macos") {
            fs::write(&list, lines("_", ""))?;
            link.args(["-dynamiclib", "-install_name"]).arg(format!("@rpath/{}", library.name));
            link.args(["-Xlinker", "-exported_symbols_list", "-Xlinker"]).arg(&list);
            link.args(["-Xlinker", "-dead_strip", "-Xlinker", "-force_load", "-Xlinker"]).arg(library.archive);
        } else {
            fs::write(&list, format!("{{ global:\n{}local: *; }};\n", lines("", ";")))?;
            let version_script: OsString = ["-Wl,--version-script=".into(), list.into_os_string()].into_iter().collect();
            link.args(["-shared", "-Wl,--gc-sections,-s,-z,defs,-z,relro,-z,now"]).arg(format!("-Wl,-soname,{}", library.name));
            link.arg(version_script).arg("-Wl,--whole-archive").arg(library.archive).arg("-Wl,--no-whole-archive");
        }
        must(link.args(library.native.split_whitespace()).arg("-o").arg(out)).map(drop)
    }
}

/// A shared library to be linked.
pub(crate) struct Linked<'a> {
    /// The static library that it is made of.
    pub(crate) archive: &'a Path,
    /// All that others see of it.
    pub(crate) functions: &'a BTreeSet<String>,
    /// System libraries that it needs, as a linker is told them.
    pub(crate) native: &'a str,
    /// What programs call it.
    pub(crate) name: &'a str,
}

/// The names that others see in a library.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn defined(library: &Path, shared: bool) -> anyhow::Result<BTreeSet<String>> {
    let mut nm = Command::new("nm");
    // Only the names of what is defined, whatever the kind.
    nm.args(if cfg!(target_os = "macos") { &["-g", "-U", "-j"][..] } else { &["-g", "--defined-only", "--format=just-symbols"] });
    if shared && !cfg!(target_os = "macos") {
        nm.arg("-D");
    }
    let text = must(nm.arg(library))?;
    let names = text.lines().filter(|line| !line.is_empty() && !line.ends_with(':'));
    Ok(names.map(|name| if cfg!(target_os = "macos") { name.trim_start_matches('_') } else { name }.to_owned()).collect())
}

/// A version of glibc as a person writes it.
///
/// # Errors
/// Where it is none.
pub(crate) fn version(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    numbers.ok_or_else(|| "a version is two numbers, such as 2.17".to_owned())
}

/// Says which glibc a library needs.
///
/// # Errors
/// Where it cannot be read, or needs a newer glibc than was said.
pub(crate) fn fits_glibc(library: &Path, said: Option<(u32, u32)>) -> anyhow::Result<()> {
    let needed = newest(&fs::read(library)?);
    if let Some((major, minor)) = needed {
        crate::say(&format!("the shared library needs glibc {major}.{minor}"));
    }
    ensure!(said.is_none() || needed <= said, "the shared library needs a newer glibc");
    Ok(())
}

/// The newest version of glibc of which a library asks for something, if it asks for any.
fn newest(bytes: &[u8]) -> Option<(u32, u32)> {
    const BEFORE: &[u8] = b"GLIBC_";
    let number = |bytes: &[u8]| {
        let digits: String = bytes.iter().map(|byte| char::from(*byte)).take_while(char::is_ascii_digit).collect();
        Some((digits.parse().ok()?, digits.len()))
    };
    let version = |at: usize| {
        let rest = &bytes[at + BEFORE.len()..];
        let (major, length) = number(rest)?;
        let rest = rest.get(length..)?.strip_prefix(b".")?;
        Some((major, number(rest)?.0))
    };
    memchr::memmem::find_iter(bytes, BEFORE).filter_map(version).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_the_greatest_number() {
        assert_eq!(newest(b"\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_2.9\0GLIBC_PRIVATE\0GLIBC_"), Some((2, 17)));
        assert_eq!(newest(b"GLIBCXX_3.4"), None);
    }
}
