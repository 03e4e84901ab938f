//! Checks that reject an unusable output before a request is sent.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Destination;
use crate::failure::Failure;
use crate::render::style::clean_path;

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

    /// Returns the file, or `None` for stdout and for a path of stdout, such as `/dev/stdout`.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != STDOUT && !is_open_as(&io::stdout(), path))
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
            Ok(metadata) if metadata.is_dir() => Err(unusable("--output must be a file, not a folder", path, "name a file in the folder")),
            Ok(metadata) if is_pipe_of_others(&metadata) => {
                Err(unusable("--output must not be a named pipe of another user", path, "name a file, or a pipe of your own"))
            }
            Ok(_) if is_device(path) => Ok(()),
            Ok(_) if !self.force && !self.may_be_written => Err(already_exists(path)),
            Ok(_) => check_creatable(&resolve_links(path)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(unusable(&format!("the file of --output cannot be written: {error}"), path, "name another file"))
            }
            Err(_) => check_creatable(path),
        }
    }
}

/// Whether a file is a named pipe that another user has created, who would read the output.
#[cfg(unix)]
fn is_pipe_of_others(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()) && is_of_others(metadata)
}

/// Whether a file belongs to another user.
#[cfg(unix)]
pub(super) fn is_of_others(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) != rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_pipe_of_others(_: &fs::Metadata) -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn is_of_others(_: &fs::Metadata) -> bool {
    false
}

/// Rejects a path at which no file can be created.
pub(super) fn check_creatable(path: &Path) -> Result<(), Failure> {
    let folder = parent_folder(path);
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(unusable("a link to a missing file cannot be written", path, "remove the link, or name another file"));
    }
    if ends_in_folder(path) {
        return Err(unusable("--output must be a file, not a folder", path, "name a file in the folder"));
    }
    if !folder.is_dir() {
        return Err(unusable("the folder of --output does not exist", folder, "create it first"));
    }
    // Create a temporary file, because no other check shows reliably whether a file can be created.
    create_temporary(path).map(drop).map_err(|error| {
        Failure::File(format!("no file can be created in {}: {error}", clean_path(folder)), "name a file in another folder".to_owned())
    })
}

/// Whether a path ends in a separator or a dot.
fn ends_in_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    path.file_name().is_none_or(|name| !bytes.ends_with(name.as_encoded_bytes()))
}

fn unusable(reason: &str, path: &Path, hint: &str) -> Failure {
    Failure::File(format!("{reason}: {}", clean_path(path)), hint.to_owned())
}

/// Resolves symbolic links, so that writing the file replaces the target and keeps the link.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Creates a temporary file in the folder of the final file.
pub(crate) fn create_temporary(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".vitalwire-").tempfile_in(parent_folder(path)).map_err(without_path)
}

/// Whether both paths name the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        id(fs::metadata(one)).is_some_and(|one| id(fs::metadata(other)) == Some(one))
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
    }
}

/// Returns the device and the number of a file.
#[cfg(unix)]
fn id(metadata: io::Result<fs::Metadata>) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    metadata.map(|metadata| (metadata.dev(), metadata.ino())).ok()
}

/// Whether a path names the file, pipe or terminal of an open stream.
#[cfg(unix)]
pub(super) fn is_open_as(stream: &impl std::os::fd::AsFd, path: &Path) -> bool {
    let open = stream.as_fd().try_clone_to_owned().map(fs::File::from).and_then(|file| file.metadata());
    id(open).is_some_and(|open| id(fs::metadata(path)) == Some(open))
}

#[cfg(not(unix))]
pub(super) fn is_open_as<T>(_: &T, _: &Path) -> bool {
    false
}

fn reject_terminal(is_binary: bool, is_terminal: bool) -> Result<(), Failure> {
    if is_binary && is_terminal {
        return Err(Failure::Usage("this format is binary, and stdout is a terminal", "name a file with --output FILE, or use a pipe"));
    }
    Ok(())
}

pub(super) fn already_exists(path: &Path) -> Failure {
    unusable("the file of --output exists already", path, "--force overwrites it")
}

/// Whether a path names a device, a named pipe or an open file descriptor, whose content is kept.
pub(super) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
        || is_descriptor(path)
        || fs::read_link(path).is_ok_and(|target| is_descriptor(&target))
}

/// Whether a path names an open file descriptor, such as `/dev/stderr` or `/dev/fd/3`.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr", "/dev/fd"].iter().any(|start| path.starts_with(start))
        || (path.starts_with("/proc") && parent_folder(path).ends_with("fd"))
}

pub(super) fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes the name of the temporary file from an error.
pub(super) fn without_path(error: io::Error) -> io::Error {
    error.kind().into()
}

#[cfg(test)]
mod tests;
