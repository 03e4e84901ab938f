//! Checks that reject an unusable output before a request is sent.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Destination;
use crate::failure::Failure;
use crate::render::style::clean;

/// File name that means stdout.
const STDOUT: &str = "-";

impl Destination {
    /// Rejects an output that will fail: binary data on a terminal, or a file that already exists.
    pub(crate) fn check(&self, is_binary: bool) -> Result<(), Failure> {
        match self.file() {
            None => reject_terminal(is_binary, io::stdout().is_terminal()),
            Some(path) => self.check_file(path),
        }
    }

    /// Returns the file, or `None` for stdout.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != STDOUT)
    }

    /// Returns the file, unless it is a device or a named pipe, which are written to directly.
    pub(crate) fn regular_file(&self) -> Option<&Path> {
        self.file().filter(|path| !is_device(path))
    }

    /// Rejects an output that would replace an input file.
    pub(crate) fn reject_input(&self, input: &Path) -> Result<(), Failure> {
        let same = self.regular_file().is_some_and(|path| is_same(path, input));
        if same { Err(Failure::Blocked("--output must not be an input file", "name another file")) } else { Ok(()) }
    }

    fn check_file(&self, path: &Path) -> Result<(), Failure> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(Failure::Blocked("--output must be a file, not a folder", "name a file in the folder"))
            }
            Ok(metadata) if metadata.is_file() && !self.force => Err(already_exists()),
            Err(_) if !parent_folder(path).is_dir() => Err(Failure::Blocked("the folder of --output does not exist", "create it first")),
            _ if is_device(path) => Ok(()),
            // Create a temporary file, because no other check shows reliably whether a file can be created.
            _ => create_temporary(&resolve_links(path)).map(drop).map_err(|error| {
                let folder = parent_folder(path).display().to_string();
                Failure::File(format!("no file can be created in {}: {error}", clean(&folder)), "name a file in another folder".to_owned())
            }),
        }
    }
}

/// Resolves symbolic links, so that writing the file replaces the target and keeps the link.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Creates a temporary file in the folder of the final file.
pub(super) fn create_temporary(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".vitalwire-").tempfile_in(parent_folder(path)).map_err(without_path)
}

/// Whether both paths name the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
        id(one).is_some_and(|one| id(other) == Some(one))
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
    }
}

fn reject_terminal(is_binary: bool, is_terminal: bool) -> Result<(), Failure> {
    if is_binary && is_terminal {
        return Err(Failure::Usage("this format is binary, and stdout is a terminal", "name a file with --output FILE, or use a pipe"));
    }
    Ok(())
}

pub(super) fn already_exists() -> Failure {
    Failure::Blocked("the file of --output exists already", "--force overwrites it")
}

pub(super) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

pub(super) fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes the name of the temporary file from an error.
pub(super) fn without_path(error: io::Error) -> io::Error {
    error.kind().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(path: &Path) -> Destination {
        Destination { output: Some(path.to_owned()), force: true }
    }

    #[test]
    fn an_output_that_cannot_be_a_file_is_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in [folder.path().to_owned(), folder.path().join("none/d")] {
            assert!(matches!(to(&path).check(true), Err(Failure::Blocked(..))));
        }
        assert!(Destination { output: Some(STDOUT.into()), force: false }.file().is_none());
        assert!(matches!(reject_terminal(true, true), Err(Failure::Usage(_, hint)) if hint.contains("--output")));
        assert!(reject_terminal(false, true).is_ok() && reject_terminal(true, false).is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_without_write_access_is_rejected() {
        // Not even root can create files there.
        let outcome = to(Path::new("/proc/self/d")).check(false);
        assert!(matches!(outcome, Err(Failure::File(text, _)) if text.starts_with("no file can be created in /proc/self: ")));
    }

    #[test]
    fn the_input_file_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("d"), folder.path().join("e"));
        fs::write(&path, "input").expect("a file");
        assert!(matches!(to(&path).reject_input(&folder.path().join(".").join("d")), Err(Failure::Blocked(..))));
        assert!(to(&other).reject_input(&path).is_ok() && to(&path).reject_input(&other).is_ok());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&path, &other).expect("a link");
            assert!(to(&other).reject_input(&path).is_err());
        }
    }
}
