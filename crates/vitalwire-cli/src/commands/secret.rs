//! Keys and signatures. They come from the environment, a file or stdin, never from an argument, which other users of the machine can read.

use std::env::VarError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use vitalwire::upload::Upload;

use crate::cli::SecretSource;
use crate::failure::Failure;
use crate::render::style::{clean_name, may_be_secret_path};

/// Maximum size of a secret. A longer file is not a key.
const MAX_SECRET_BYTES: u64 = 64 * 1024;

/// Reads a source. Returns `None` if there is none. The library removes the byte order mark and line ends that editors and shells add.
pub(crate) fn read_secret(source: &SecretSource) -> Result<Option<Vec<u8>>, Failure> {
    match (&source.variable, &source.file) {
        (Some(name), _) => match std::env::var(name) {
            Ok(value) => Ok(Some(value.into_bytes())),
            Err(VarError::NotPresent) => Err(Failure::Settings(format!("the environment variable {} is not set", clean_name(name)))),
            Err(VarError::NotUnicode(_)) => Err(Failure::Settings(format!("the environment variable {} must be UTF-8", clean_name(name)))),
        },
        (None, Some(path)) => read_limited(path, MAX_SECRET_BYTES).map(Some),
        (None, None) => Ok(None),
    }
}

/// Reads a file, or stdin for `-`, of at most `max_bytes` bytes.
pub(crate) fn read_limited(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let outcome = if path == Path::new("-") {
        io::stdin().lock().take(max_bytes + 1).read_to_end(&mut content)
    } else {
        File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut content))
    };
    let name = || {
        let shown = Upload::path(path).quotable_path().filter(|name| name != "-").unwrap_or_else(|| "stdin".to_owned());
        if may_be_secret_path(path) { "the file (name not shown: it may be a secret)".to_owned() } else { shown }
    };
    outcome.map_err(|error| Failure::Input(format!("{} cannot be read: {error}", name())))?;
    if content.len() as u64 > max_bytes {
        return Err(Failure::Input(format!("{} must not be larger than {} KiB", name(), max_bytes >> 10)));
    }
    Ok(content)
}
