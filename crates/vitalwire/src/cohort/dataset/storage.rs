//! Atomic file operations.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::cohort::error::CohortError;
use crate::webhook::hex;

/// Prefix of files that are being written.
const TEMPORARY: &str = ".vitalwire-";

/// Writes a file under a temporary name, flushes it to the disk and renames it. Replaces an existing file.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), CohortError> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(CohortError::io(folder))?;
    let replace = || -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).suffix(".tmp").tempfile_in(folder)?;
        file.write_all(content)?;
        set_default_permissions(file.as_file())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    };
    replace().map_err(CohortError::io(path))
}

/// Removes a file and flushes its folder to the disk.
pub(super) fn remove(path: &Path) -> Result<(), CohortError> {
    let removed = fs::remove_file(path).and_then(|()| path.parent().map_or(Ok(()), sync_folder));
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(CohortError::io(path)),
    }
}

/// Removes temporary files of an interrupted run.
pub(super) fn remove_temporary(folder: &Path) -> Result<(), CohortError> {
    for entry in entries(folder)? {
        let path = entry.path();
        if path.is_dir() {
            remove_temporary(&path)?;
        } else if is_temporary(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

pub(super) fn is_temporary(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(TEMPORARY))
}

/// Returns the entries of a folder. Empty if the folder does not exist.
pub(super) fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, CohortError> {
    match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.map_err(CohortError::io(folder)),
    }
}

/// Returns the SHA-256 of content, as lower-case hex.
pub(super) fn checksum(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// Temporary files are private; datasets have the permissions of other new files.
#[cfg(unix)]
fn set_default_permissions(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_default_permissions(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems cannot open a folder as a file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
