//! Reads a directory of recorded exchanges.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{Exchange, MockResponse, RecordedRequest};
use crate::error::Error;

/// Name of the setting in errors.
const SETTING: &str = "mock_responses";
/// Maximum size of a file, in bytes. `vitalwire record` writes at most two bodies of 64 MiB, encoded.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Reads all exchanges, sorted by their numbered file names. Errors do not contain file names: a folder may be named after a person.
pub(super) fn read(folder: &Path) -> Result<Vec<(RecordedRequest, MockResponse)>, Error> {
    let unreadable = |error| {
        let unreadable = Error::invalid_setting(SETTING, "the folder of recorded exchanges cannot be read");
        Error::from_os_error(&error, unreadable).with_source(error)
    };
    let paths = fs::read_dir(folder).map_err(unreadable)?.map(|entry| Ok(entry.map_err(unreadable)?.path()));
    let mut paths = paths.collect::<Result<Vec<PathBuf>, Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort_unstable();
    if paths.is_empty() {
        return Err(Error::invalid_setting(SETTING, "the folder must contain a recorded exchange"));
    }
    let exchange = |path: PathBuf| {
        // A link or a pipe could be endless.
        if !fs::symlink_metadata(&path).map_err(unreadable)?.is_file() {
            return Err(Error::invalid_setting(SETTING, "every file of the folder must be a regular file"));
        }
        let mut text = Vec::new();
        fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut text)).map_err(unreadable)?;
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(Error::invalid_setting(SETTING, "a recorded exchange must not be larger than 256 MiB"));
        }
        let exchange = Exchange::from_text(&text);
        let recorded = exchange.and_then(|exchange| Some((exchange.to_response()?, exchange.request)));
        let (response, request) =
            recorded.ok_or_else(|| Error::invalid_setting(SETTING, "every file of the folder must be a recorded exchange"))?;
        Ok((request, response))
    };
    paths.into_iter().map(exchange).collect()
}
