//! New files with request bodies.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use reqwest::Body;
use tokio_util::task::AbortOnDropHandle;

use crate::error::Error;
use crate::private_files;

/// A new file with a request body. Removed when it is dropped, unless it is [kept](Self::keep).
pub(super) struct BodyFile {
    path: PathBuf,
    /// Kept open so that the system does not reuse its inode number.
    file: fs::File,
    is_kept: bool,
}

impl BodyFile {
    /// Writes a body to a new file, on a thread for blocking work. If the future is dropped, the file is removed.
    ///
    /// # Errors
    /// `invalid_argument` naming `file` if the file exists or cannot be written.
    pub(super) async fn write(path: PathBuf, body: Body) -> Result<Self, Error> {
        let write = move || -> io::Result<Self> {
            let file = private_files::create_options().write(true).create_new(true).open(&path)?;
            let mut written = Self { path, file, is_kept: false };
            written.file.write_all(body.as_bytes().unwrap_or_default())?;
            // Some file systems report a full disk only now.
            written.file.sync_data()?;
            Ok(written)
        };
        // Dropping the future cancels a write that has not started.
        let task = AbortOnDropHandle::new(tokio::task::spawn_blocking(write));
        let written = task.await.map_err(|_| Error::internal("the file was not written"))?;
        written.map_err(|error| write_error(&error))
    }

    /// Whether the path still names this file, and not a file of a later call.
    fn is_at_path(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;

            let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
            let (own, at_path) = (self.file.metadata().map(id), fs::symlink_metadata(&self.path).map(id));
            own.is_ok_and(|own| at_path.is_ok_and(|other| own == other))
        }
        #[cfg(not(unix))]
        true
    }

    /// Keeps the file.
    pub(super) fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        std::mem::take(&mut self.path)
    }
}

impl Drop for BodyFile {
    fn drop(&mut self) {
        if !self.is_kept && self.is_at_path() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Creates the error of a file that cannot be written. Keeps only the kind of the system's error, whose text may contain the path.
fn write_error(error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::AlreadyExists => "must not exist yet; remove it or choose another path",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "its folder does not exist; create it first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "cannot be written: permission denied",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "cannot be written: no space is left",
        _ => "cannot be written",
    };
    Error::from_os_error(error, Error::invalid_argument("file", reason).with_source(io::Error::from(error.kind())))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_dropped_body_file_removes_only_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("body");
        let written = BodyFile::write(path.clone(), Body::from("first")).await.unwrap();
        fs::remove_file(&path).unwrap();
        let next = BodyFile::write(path.clone(), Body::from("second")).await.unwrap();
        drop(written);
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        drop(next);
        assert!(!path.exists());
    }
}
