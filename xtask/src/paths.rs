//! Searches artifacts of any kind for paths of the build machine. Archives are opened, also nested ones, and every file is searched byte
//! by byte.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use memchr::memmem::Finder;

use crate::archive::unpack;
use crate::build::target;
use crate::folder::files;

/// Search release packages, libraries, programs or folders for paths of this machine.
#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// Files or folders to search.
    #[arg(required = true, value_name = "FILE")]
    artifacts: Vec<PathBuf>,
}

impl Paths {
    /// Searches for paths of this machine and the workspace at `root`.
    ///
    /// # Errors
    /// If a path is found. The error has a line for each.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let places = PrivatePaths::new(root, &target(root)?)?;
        let mut lines = Vec::new();
        for artifact in &self.artifacts {
            lines.extend(places.search(artifact, SearchScope::Everything)?);
        }
        ensure!(lines.is_empty(), "paths of this machine:\n  {}", lines.join("\n  "));
        Ok(())
    }
}

/// Number of bytes shown on both sides of a path.
const EXCERPT_BYTES: usize = 60;

/// The files of an artifact to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchScope {
    /// All files, for releases.
    Everything,
    /// Text files only: a debug build's code contains the paths of its sources.
    Texts,
}

/// Paths of hosted machines, whose packages are inspected on another machine.
const HOSTED: [&str; 4] = ["/home/runner/", "/Users/runner/", r"C:\Users\runneradmin\", r"D:\a\"];

/// Paths of the build machine that no artifact may contain.
pub(crate) struct PrivatePaths(Vec<(&'static str, Finder<'static>)>);

impl PrivatePaths {
    /// Returns the paths of the workspace at `root` that builds into `target`, and of the user.
    ///
    /// # Errors
    /// If the home folder is unknown.
    pub(crate) fn new(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let home = std::env::home_dir().context("no home folder: set HOME")?;
        let cargo = cargo_home()?;
        let temporary = std::env::temp_dir();
        let places = [("the workspace", root), ("the target folder", target), ("cargo's folder", &cargo), ("the home folder", &home)];
        let mut paths = Self::from_paths(&[&places[..], &[("the temporary folder", &temporary)]].concat());
        paths.0.extend(HOSTED.map(|path| ("a folder of a hosted machine", Finder::new(path).into_owned())));
        Ok(paths)
    }

    /// Creates a search for these paths, each with a description. They end with a separator, so that `/root` does not match `/rooted`.
    /// Skips top-level folders.
    fn from_paths(places: &[(&'static str, &Path)]) -> Self {
        // An absolute path without a separator at its end, as it would be in a file.
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).components().collect::<PathBuf>();
        let private = places.iter().map(|(what, path)| (*what, absolute(path))).filter(|(_, path)| path.parent().is_some());
        Self(private.map(|(what, path)| (what, Finder::new(&with_separator(&path)).into_owned())).collect())
    }

    /// Returns a line for each file and path found in a file or below a folder.
    ///
    /// # Errors
    /// If a file cannot be read, or an archive is damaged.
    pub(crate) fn search(&self, artifact: &Path, scope: SearchScope) -> anyhow::Result<Vec<String>> {
        let name = artifact.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut lines = Vec::new();
        self.search_file(artifact, &name, scope, &mut lines)?;
        Ok(lines)
    }

    fn search_file(&self, path: &Path, shown: &str, scope: SearchScope, lines: &mut Vec<String>) -> anyhow::Result<()> {
        let unpacked = tempfile::tempdir()?;
        let folder = if path.is_dir() {
            Some(path)
        } else {
            unpack(path, unpacked.path()).with_context(|| format!("unpacking {shown}"))?.then(|| unpacked.path())
        };
        let Some(folder) = folder else {
            let bytes = std::fs::read(path).with_context(|| format!("reading {shown}"))?;
            lines.extend(self.matches(&bytes, scope).into_iter().map(|found| format!("{shown} {found}")));
            return Ok(());
        };
        for file in files(folder)? {
            let inner = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
            self.search_file(&file, &format!("{shown}: {inner}"), scope, lines)?;
        }
        Ok(())
    }

    /// Returns the paths found in some bytes, each once, with the text around the first match.
    fn matches(&self, bytes: &[u8], scope: SearchScope) -> Vec<String> {
        if scope == SearchScope::Texts && (bytes.contains(&0) || std::str::from_utf8(bytes).is_err()) {
            return Vec::new();
        }
        let found = self.0.iter().filter_map(|(what, finder)| Some((what, finder, finder.find(bytes)?)));
        found.map(|(what, finder, at)| format!("names {what}: {}", excerpt(bytes, at, finder.needle().len()))).collect()
    }
}

/// Returns rustc's options for release builds, as the value of `CARGO_ENCODED_RUSTFLAGS`. Panics name source files, whose paths must not
/// identify the machine. Debug builds do not use them, because they would rebuild every crate.
///
/// # Errors
/// If the home folder is unknown.
pub(crate) fn release_rustflags(root: &Path, target: &Path) -> anyhow::Result<OsString> {
    let mut flags = rustflags_with(root, &cargo_home()?);
    // It has the sources of a standard library, if rustup has no standard library for a system.
    flags.push("\x1f--remap-path-prefix=");
    flags.push(target);
    flags.push("=/target");
    Ok(flags)
}

/// Returns rustc's options for phones.
///
/// # Errors
/// If the home folder is unknown.
pub(crate) fn phone_rustflags(root: &Path) -> anyhow::Result<OsString> {
    Ok(phone_rustflags_with(root, &cargo_home()?))
}

/// Returns rustc's options for phones with cargo's packages in this folder. Only functions that can unwind have a row in the unwind tables.
pub(crate) fn phone_rustflags_with(root: &Path, cargo: &Path) -> OsString {
    let mut flags = rustflags_with(root, cargo);
    flags.push("\x1f-Cforce-unwind-tables=no");
    flags
}

/// Returns options that remove paths of this machine, with cargo's packages in this folder.
fn rustflags_with(root: &Path, cargo: &Path) -> OsString {
    let sources = cargo.join("registry/src");
    let remap = |from: &Path, to: &str| {
        [OsStr::new("--remap-path-prefix="), from.as_os_str(), OsStr::new("="), OsStr::new(to)].into_iter().collect()
    };
    let flags: [OsString; 2] = [remap(root, "/vitalwire"), remap(&sources, "/cargo")];
    flags.join(OsStr::new("\x1f"))
}

/// Returns cargo's package folder.
///
/// # Errors
/// If the home folder is unknown.
fn cargo_home() -> anyhow::Result<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home).context("no home folder: set HOME or CARGO_HOME")
}

fn with_separator(path: &Path) -> Vec<u8> {
    let mut bytes = path.as_os_str().as_encoded_bytes().to_vec();
    bytes.extend(std::path::MAIN_SEPARATOR_STR.as_bytes());
    bytes
}

/// Returns the printable bytes around a match.
fn excerpt(bytes: &[u8], at: usize, length: usize) -> String {
    let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let before = bytes[..at].iter().rev().take(EXCERPT_BYTES).take_while(|byte| printable(byte)).count();
    let after = bytes[at + length..].iter().take(EXCERPT_BYTES).take_while(|byte| printable(byte)).count();
    String::from_utf8_lossy(&bytes[at - before..at + length + after]).into_owned()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn places() -> PrivatePaths {
        PrivatePaths::from_paths(&[
            ("the workspace", Path::new("/somewhere/vitalwire")),
            ("the home folder", Path::new("/")),
            ("cargo's folder", Path::new("/c")),
        ])
    }

    #[test]
    fn a_private_path_is_found_in_texts_and_programs() {
        let program = b"\x7fELF\0\xff/somewhere/vitalwire/src/lib.rs\0";
        assert_eq!(places().matches(program, SearchScope::Everything), ["names the workspace: /somewhere/vitalwire/src/lib.rs"]);
        assert!(places().matches(program, SearchScope::Texts).is_empty());
        assert_eq!(places().matches(b"a\nfile:///c/x y\n", SearchScope::Texts), ["names cargo's folder: file:///c/x y"]);
    }

    #[test]
    fn longer_names_and_top_level_folders_are_ignored() {
        assert!(
            places().matches(b"/somewhere/vitalwires/x /usr/lib /rustc/1a2b/library/core /cargo/x", SearchScope::Everything).is_empty()
        );
    }

    /// Searches an archive within an archive, such as a library in a jar in an AAR.
    #[test]
    fn nested_archives_are_searched() {
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
        let found = places().search(&at("all.tar.gz"), SearchScope::Texts).unwrap();
        let place = "names the workspace: {\"ref\": \"path+file:///somewhere/vitalwire/crates/a\"}";
        assert_eq!(found, [format!("all.tar.gz: outer.aar: inner.jar: bom.json {place}")]);
        assert!(places().search(&at("good.txt"), SearchScope::Everything).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_archive_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.whl"), "no zip").unwrap();
        let error = places().search(&folder.path().join("a.whl"), SearchScope::Texts).unwrap_err();
        assert!(format!("{error:#}").starts_with("unpacking a.whl: python3 failed:"), "{error:#}");
    }
}
