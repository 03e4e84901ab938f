//! Paths of the machine that something was built on, looked for in artefacts of any kind: archives are opened, also those inside of
//! others, and every file is searched byte by byte.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use memchr::memmem::Finder;

use crate::archive::unpack;
use crate::build::target;
use crate::folder::files;

/// Look for paths of this machine in what is to be shipped: packages, libraries, programs, or folders of them.
#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// What was built.
    #[arg(required = true, value_name = "FILE")]
    artefacts: Vec<PathBuf>,
}

impl Paths {
    /// Looks, on the machine that has built in the workspace at `root`.
    ///
    /// # Errors
    /// Where one is found; the text has a line for each.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let places = Places::of(root, &target(root)?)?;
        let mut lines = Vec::new();
        for artefact in &self.artefacts {
            lines.extend(places.named_in(artefact, Search::Everything)?);
        }
        ensure!(lines.is_empty(), "paths of this machine:\n  {}", lines.join("\n  "));
        Ok(())
    }
}

/// Bytes that are shown on both sides of a path.
const AROUND: usize = 60;

/// Which files of an artefact are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// All: what is shipped.
    Everything,
    /// Texts: a debug build's own code says where its sources are.
    Texts,
}

/// Places of this machine that no artefact may name.
pub(crate) struct Places(Vec<(&'static str, Finder<'static>)>);

impl Places {
    /// Those of the workspace at `root` that builds into `target`, and of whoever builds.
    ///
    /// # Errors
    /// Where nobody's home folder is known.
    pub(crate) fn of(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let home = std::env::home_dir().context("no home folder: set HOME")?;
        let cargo = cargo_home()?;
        let temporary = std::env::temp_dir();
        let places = [("the workspace", root), ("the target folder", target), ("cargo's folder", &cargo), ("the home folder", &home)];
        Ok(Self::named(&[&places[..], &[("the temporary folder", &temporary)]].concat()))
    }

    /// These, by what they are. With the separator after them: `/root` is no part of `/rooted`. A folder at the top of everything says nothing.
    fn named(places: &[(&'static str, &Path)]) -> Self {
        let telling = places.iter().filter(|(_, path)| path.parent().is_some());
        Self(telling.map(|(what, path)| (*what, Finder::new(&separated(path)).into_owned())).collect())
    }

    /// What a file, or each file below a folder, names: a line for each file and place.
    ///
    /// # Errors
    /// Where a file cannot be read, or an archive is damaged.
    pub(crate) fn named_in(&self, artefact: &Path, search: Search) -> anyhow::Result<Vec<String>> {
        let name = artefact.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut lines = Vec::new();
        self.look(artefact, &name, search, &mut lines)?;
        Ok(lines)
    }

    fn look(&self, path: &Path, shown: &str, search: Search, lines: &mut Vec<String>) -> anyhow::Result<()> {
        let unpacked = tempfile::tempdir()?;
        let folder = if path.is_dir() {
            Some(path)
        } else {
            unpack(path, unpacked.path()).with_context(|| format!("unpacking {shown}"))?.then(|| unpacked.path())
        };
        let Some(folder) = folder else {
            let bytes = std::fs::read(path).with_context(|| format!("reading {shown}"))?;
            lines.extend(self.named_by(&bytes, search).into_iter().map(|found| format!("{shown} {found}")));
            return Ok(());
        };
        for file in files(folder)? {
            let inner = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
            self.look(&file, &format!("{shown}: {inner}"), search, lines)?;
        }
        Ok(())
    }

    /// The places in some bytes, each once, with what stands around the first.
    fn named_by(&self, bytes: &[u8], search: Search) -> Vec<String> {
        if search == Search::Texts && (bytes.contains(&0) || std::str::from_utf8(bytes).is_err()) {
            return Vec::new();
        }
        let found = self.0.iter().filter_map(|(what, finder)| Some((what, finder, finder.find(bytes)?)));
        found.map(|(what, finder, at)| format!("names {what}: {}", around(bytes, at, finder.needle().len()))).collect()
    }
}

/// What rustc is told where something is built to be shipped, as the value of `CARGO_ENCODED_RUSTFLAGS`: panics name source files, which are
/// not to say whose machine this is. Debug builds go without: they would build every crate anew.
///
/// # Errors
/// Where nobody's home folder is known.
pub(crate) fn shipped_rustflags(root: &Path) -> anyhow::Result<OsString> {
    Ok(rustflags_with(root, &cargo_home()?))
}

/// The same where it is built for phones.
///
/// # Errors
/// Where nobody's home folder is known.
pub(crate) fn phone_rustflags(root: &Path) -> anyhow::Result<OsString> {
    Ok(phone_rustflags_with(root, &cargo_home()?))
}

/// The same for a cargo that keeps its packages in this folder. Only functions that a panic can pass have a row in the tables for unwinding.
pub(crate) fn phone_rustflags_with(root: &Path, cargo: &Path) -> OsString {
    let mut flags = rustflags_with(root, cargo);
    flags.push("\x1f-Cforce-unwind-tables=no");
    flags
}

/// What names no machine, for a cargo that keeps its packages in this folder.
fn rustflags_with(root: &Path, cargo: &Path) -> OsString {
    let sources = cargo.join("registry/src");
    let remap = |from: &Path, to: &str| {
        [OsStr::new("--remap-path-prefix="), from.as_os_str(), OsStr::new("="), OsStr::new(to)].into_iter().collect()
    };
    let flags: [OsString; 2] = [remap(root, "/vitalwire"), remap(&sources, "/cargo")];
    flags.join(OsStr::new("\x1f"))
}

/// Where cargo keeps packages.
///
/// # Errors
/// Where nobody's home folder is known.
fn cargo_home() -> anyhow::Result<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home).context("no home folder: set HOME or CARGO_HOME")
}

fn separated(path: &Path) -> Vec<u8> {
    let mut bytes = path.as_os_str().as_encoded_bytes().to_vec();
    bytes.push(b'/');
    bytes
}

/// The printable bytes around a place.
fn around(bytes: &[u8], at: usize, length: usize) -> String {
    let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let before = bytes[..at].iter().rev().take(AROUND).take_while(|byte| printable(byte)).count();
    let after = bytes[at + length..].iter().take(AROUND).take_while(|byte| printable(byte)).count();
    String::from_utf8_lossy(&bytes[at - before..at + length + after]).into_owned()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn places() -> Places {
        Places::named(&[
            ("the workspace", Path::new("/somewhere/vitalwire")),
            ("the home folder", Path::new("/")),
            ("cargo's folder", Path::new("/c")),
        ])
    }

    #[test]
    fn a_place_is_found_in_texts_and_programs() {
        let program = b"\x7fELF\0\xff/somewhere/vitalwire/src/lib.rs\0";
        assert_eq!(places().named_by(program, Search::Everything), ["names the workspace: /somewhere/vitalwire/src/lib.rs"]);
        assert!(places().named_by(program, Search::Texts).is_empty());
        assert_eq!(places().named_by(b"a\nfile:///c/x y\n", Search::Texts), ["names cargo's folder: file:///c/x y"]);
    }

    #[test]
    fn longer_names_and_the_root_folder_are_no_place() {
        assert!(places().named_by(b"/somewhere/vitalwires/x /usr/lib /rustc/1a2b/library/core /cargo/x", Search::Everything).is_empty());
    }

    /// An archive in an archive, as a library in a jar in an AAR.
    #[test]
    fn archives_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("bom.json"), "{\"ref\": \"path+file:///somewhere/vitalwire/crates/a\"}").unwrap();
        std::fs::write(at("good.txt"), "/rustc/1a2b/library").unwrap();
        let zip = |made: &str, of: &[&str]| {
            let status = Command::new("python3").current_dir(&folder).args(["-m", "zipfile", "-c", made]).args(of).status().unwrap();
            assert!(status.success());
        };
        zip("inner.jar", &["bom.json", "good.txt"]);
        zip("outer.aar", &["inner.jar", "good.txt"]);
        let status = Command::new("tar").current_dir(&folder).args(["-czf", "all.tar.gz", "outer.aar"]).status().unwrap();
        assert!(status.success());
        let found = places().named_in(&at("all.tar.gz"), Search::Texts).unwrap();
        let place = "names the workspace: {\"ref\": \"path+file:///somewhere/vitalwire/crates/a\"}";
        assert_eq!(found, [format!("all.tar.gz: outer.aar: inner.jar: bom.json {place}")]);
        assert!(places().named_in(&at("good.txt"), Search::Everything).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_archive_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.whl"), "no zip").unwrap();
        let error = places().named_in(&folder.path().join("a.whl"), Search::Texts).unwrap_err();
        assert!(format!("{error:#}").starts_with("unpacking a.whl: python3 failed:"), "{error:#}");
    }
}
