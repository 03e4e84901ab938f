//! Reading files and readers whole, but never more than a bound.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;

use bytes::Bytes;
use tokio::sync::oneshot;

use vitalwire_runtime::request::content;

use super::MAX_READ;
use crate::error::Error;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// Reads a file on a thread of its own. The thread ends after the current piece if the future is dropped.
///
/// A runtime waits for its threads when it ends, and a named pipe or a lost network mount may never return.
pub(super) async fn path(path: &Path) -> Result<Bytes, Error> {
    let path = path.to_owned();
    let (sender, receiver) = oneshot::channel();
    let read = move || {
        let outcome = file(&path, || sender.is_closed());
        // Nobody waits for it any more.
        let _ = sender.send(outcome);
    };
    let thread = thread::Builder::new().name("vitalwire-file".into()).spawn(read);
    thread.map_err(|error| Error::internal("no thread can be started to read a file").caused_by(error))?;
    receiver.await.map_err(|_| Error::internal("reading a file ended early"))?
}

fn file(path: &Path, is_abandoned: impl Fn() -> bool) -> Result<Bytes, Error> {
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
    sized(file, expected, "path", is_abandoned)
}

/// Reads everything a reader gives.
pub(super) fn reader(reader: impl Read, argument: &'static str) -> Result<Bytes, Error> {
    sized(reader, 0, argument, || false)
}

fn sized(mut reader: impl Read, expected: usize, argument: &'static str, is_abandoned: impl Fn() -> bool) -> Result<Bytes, Error> {
    let mut bytes = Vec::with_capacity(expected);
    while bytes.len() <= MAX_READ && !is_abandoned() {
        let piece = u64::try_from(PIECE.min(MAX_READ + 1 - bytes.len())).unwrap_or(u64::MAX);
        if (&mut reader).take(piece).read_to_end(&mut bytes).map_err(|error| refuse(argument, &error))? == 0 {
            break;
        }
    }
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

/// Creates the error of a file that cannot be read. The system's text may contain the path, so only its kind is kept.
fn refuse(argument: &'static str, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "may not be read",
        io::ErrorKind::IsADirectory => "is a directory",
        _ => "cannot be read",
    };
    Error::system(error, Error::invalid_argument(argument, reason).caused_by(io::Error::from(error.kind())))
}
