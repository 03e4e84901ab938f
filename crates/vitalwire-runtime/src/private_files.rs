//! New files and folders for health data and credentials. Only their owner can read them, within the umask.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// Mode of a new file.
pub const FILE_MODE: u32 = 0o600;

/// Mode of a new folder.
pub const FOLDER_MODE: u32 = 0o700;

/// Returns options that create a file which only its owner can read, if it does not exist. An existing file keeps its mode.
#[must_use]
pub fn create_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    options
}

/// Creates a folder and the folders above it, unless they exist.
///
/// # Errors
/// If a folder cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER_MODE);
    builder.create(path)
}
