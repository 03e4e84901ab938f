//! Reads files and readers up to [`MAX_READ`] bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;

use bytes::Bytes;
use tokio::sync::oneshot;

use vitalwire_runtime::request::content;

use super::MAX_READ;
use crate::error::Error;

/// Number of bytes per read.
const READ_BYTES: usize = 1 << 20;

/// Reads a file on a separate thread. If the future is dropped, the thread ends after the current read.
///
/// The thread is not one of the runtime's: a runtime waits for its threads on shutdown, and a named pipe or a lost network mount may never
/// return.
pub(super) async fn read_path(path: &Path) -> Result<Bytes, Error> {
    let path = path.to_owned();
    let (sender, receiver) = oneshot::channel();
    let read = move || {
        let outcome = read_file(&path, || sender.is_closed());
        // The receiver may have been dropped.
        let _ = sender.send(outcome);
    };
    let thread = thread::Builder::new().name("vitalwire-file".into()).spawn(read);
    thread.map_err(|error| Error::internal("no thread can be started to read a file").with_source(error))?;
    receiver.await.map_err(|_| Error::internal("the read of a file ended without a result"))?
}

fn read_file(path: &Path, is_abandoned: impl Fn() -> bool) -> Result<Bytes, Error> {
    let file = File::open(path).map_err(|error| open_error(path, &error))?;
    let metadata = file.metadata().map_err(|error| read_error("path", &error))?;
    if metadata.is_dir() {
        return Err(read_error("path", &io::ErrorKind::IsADirectory.into()));
    }
    // Reject long files without reading them. A file that grows later is cut off by `read_all`.
    if metadata.len() > u64::try_from(MAX_READ).unwrap_or(u64::MAX) {
        return Err(too_large("path"));
    }
    let expected = usize::try_from(metadata.len()).unwrap_or(0);
    read_all(file, expected, "path", is_abandoned)
}

pub(super) fn read_reader(reader: impl Read, argument: &'static str) -> Result<Bytes, Error> {
    read_all(reader, 0, argument, || false)
}

fn read_all(mut reader: impl Read, expected: usize, argument: &'static str, is_abandoned: impl Fn() -> bool) -> Result<Bytes, Error> {
    let mut bytes = Vec::with_capacity(expected);
    while bytes.len() <= MAX_READ && !is_abandoned() {
        let length = u64::try_from(READ_BYTES.min(MAX_READ + 1 - bytes.len())).unwrap_or(u64::MAX);
        if (&mut reader).take(length).read_to_end(&mut bytes).map_err(|error| read_error(argument, &error))? == 0 {
            break;
        }
    }
    match bytes.len() {
        0 => Err(Error::invalid_argument(argument, content::EMPTY_FILE)),
        length if length > MAX_READ => Err(too_large(argument)),
        _ => Ok(bytes.into()),
    }
}

fn too_large(argument: &'static str) -> Error {
    Error::invalid_argument(argument, "is larger than the limit for files; pass it as bytes")
}

/// Creates the error of a file that cannot be opened. The path may in fact be the content of a file.
fn open_error(path: &Path, error: &io::Error) -> Error {
    match content::detect_invalid_path(&path.to_string_lossy()) {
        Some(reason) => Error::invalid_argument("path", reason),
        None => read_error("path", error),
    }
}

/// Creates the error of a file that cannot be read. Keeps only the kind of the system's error, whose text may contain the path.
fn read_error(argument: &'static str, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "cannot be read: permission denied",
        io::ErrorKind::IsADirectory => "is a directory",
        _ => "cannot be read",
    };
    Error::from_os_error(error, Error::invalid_argument(argument, reason).with_source(io::Error::from(error.kind())))
}
