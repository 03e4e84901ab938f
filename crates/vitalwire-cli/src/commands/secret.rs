//! Keys and signatures: from the environment, a file or stdin, never from an argument, which other users of the machine can read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::cli::Source;
use crate::failure::Failure;

/// Longer ones are no keys: what was named is some other file.
const MAX_SECRET_BYTES: u64 = 64 * 1024;

/// Reads a source; `None` if none was named. The library removes the byte order mark and line ends that editors and shells add.
pub(crate) fn read(source: &Source) -> Result<Option<Vec<u8>>, Failure> {
    match (&source.variable, &source.file) {
        (Some(name), _) => {
            let value = std::env::var(name)
                .map_err(|_| Failure::Local("the environment variable named for a key or signature is not set", None))?;
            Ok(Some(value.into_bytes()))
        }
        (None, Some(path)) => bytes(path, MAX_SECRET_BYTES, "the file with a key or signature cannot be read").map(Some),
        (None, None) => Ok(None),
    }
}

/// A file, or stdin for `-`, of at most so many bytes.
pub(crate) fn bytes(path: &Path, most: u64, what: &'static str) -> Result<Vec<u8>, Failure> {
    let mut read = Vec::new();
    let outcome = if path == Path::new("-") {
        io::stdin().lock().take(most + 1).read_to_end(&mut read)
    } else {
        File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut read))
    };
    outcome.map_err(|error| Failure::Local(what, Some(error)))?;
    if read.len() as u64 > most {
        return Err(Failure::Local(what, Some(io::ErrorKind::FileTooLarge.into())));
    }
    Ok(read)
}
