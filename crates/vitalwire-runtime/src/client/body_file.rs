//! New files with request bodies.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use reqwest::Body;

use crate::error::Error;
use crate::private_files;

/// A new file with a request body. Removed when it is dropped, unless it is [kept](Self::keep).
pub(super) struct BodyFile {
    path: PathBuf,
    is_kept: bool,
}

impl BodyFile {
    /// Writes a body to a new file, on a thread for blocking work. If the future is dropped, the file is removed.
    ///
    /// # Errors
    /// `invalid_argument` naming `file` if the file exists or cannot be written.
    pub(super) async fn write(path: PathBuf, body: Body) -> Result<Self, Error> {
        let write = move || -> io::Result<Self> {
            let mut file = private_files::create_options().write(true).create_new(true).open(&path)?;
            let written = Self { path, is_kept: false };
            file.write_all(body.as_bytes().unwrap_or_default())?;
            // Some file systems report a full disk only now.
            file.sync_data()?;
            Ok(written)
        };
        let written = tokio::task::spawn_blocking(write).await.map_err(|_| Error::internal("the file was not written"))?;
        written.map_err(|error| write_error(&error))
    }

    /// Keeps the file.
    pub(super) fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        std::mem::take(&mut self.path)
    }
}

impl Drop for BodyFile {
    fn drop(&mut self) {
        if !self.is_kept {
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
