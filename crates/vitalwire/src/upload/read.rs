//! Reading files and readers whole, but never more than a bound.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;

use vitalwire_runtime::request::content;

use super::MAX_READ;
use crate::error::Error;

/// Reads a file away from the threads that drive connections.
pub(super) async fn path(path: &Path) -> Result<Bytes, Error> {
    let path = path.to_owned();
    let task = tokio::task::spawn_blocking(move || file(&path));
    task.await.map_err(|_| Error::internal("reading a file ended early"))?
}

fn file(path: &Path) -> Result<Bytes, Error> {
    let file = File::open(path).map_err(|error| unopened(path, &error))?;
    let facts = file.metadata().map_err(|error| refuse("path", &error))?;
    if facts.is_dir() {
        return Err(refuse("path", &io::ErrorKind::IsADirectory.into()));
    }
    // Known to be too long: nothing is read. A file that grows meanwhile is cut off by the reader below.
    if facts.len() > u64::try_from(MAX_READ).unwrap_or(u64::MAX) {
        return Err(too_long("path"));
    }
    let expected = usize::try_from(facts.len()).unwrap_or(0);
    sized(file, expected, "path")
}

/// Reads everything a reader gives.
pub(super) fn reader(reader: impl Read, argument: &'static str) -> Result<Bytes, Error> {
    sized(reader, 0, argument)
}

fn sized(reader: impl Read, expected: usize, argument: &'static str) -> Result<Bytes, Error> {
    let mut bytes = Vec::with_capacity(expected);
    let most = u64::try_from(MAX_READ).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(most).read_to_end(&mut bytes).map_err(|error| refuse(argument, &error))?;
    match bytes.len() {
        0 => Err(Error::invalid_argument(argument, content::EMPTY)),
        length if length > MAX_READ => Err(too_long(argument)),
        _ => Ok(bytes.into()),
    }
}

fn too_long(argument: &'static str) -> Error {
    Error::invalid_argument(argument, "is larger than the limit for files; pass it as bytes")
}

/// A path that cannot be opened may be the content of a file, passed as text.
fn unopened(path: &Path, error: &io::Error) -> Error {
    match content::in_place_of_path(&path.to_string_lossy()) {
        Some(reason) => Error::invalid_argument("path", reason),
        None => refuse("path", error),
    }
}

/// What the system says may hold the path, so only its kind goes on.
fn refuse(argument: &'static str, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "may not be read",
        io::ErrorKind::IsADirectory => "is a directory",
        _ => "cannot be read",
    };
    Error::invalid_argument(argument, reason).caused_by(io::Error::from(error.kind()))
}
