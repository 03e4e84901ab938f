//! Credentials of users.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use vitalwire::error::Error;
use zeroize::Zeroizing;

/// Maximum size of a key file.
const MAX_KEY_FILE_BYTES: u64 = 64 * 1024;
/// Maximum time to read a file, which may be a pipe.
const FILE_TIMEOUT: Duration = Duration::from_secs(60);

/// Source of a key. The process that uses the key reads it from there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeySource {
    /// Name of an environment variable.
    Environment(String),
    /// Path of a file.
    File(PathBuf),
}

impl KeySource {
    /// Reads the key.
    ///
    /// # Errors
    /// `invalid_argument` if the variable is not set, or the file cannot be read or is larger than 64 KiB.
    pub(crate) fn read(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let invalid = |reason| Error::invalid_argument("key", reason);
        match self {
            Self::Environment(name) => {
                let value = std::env::var_os(name).ok_or_else(|| invalid("the environment variable with the key must be set"))?;
                Ok(Zeroizing::new(value.into_encoded_bytes()))
            }
            Self::File(path) => {
                let key = read_file(path, MAX_KEY_FILE_BYTES).map_err(|error| match error.kind() {
                    io::ErrorKind::TimedOut => {
                        invalid("the key file has not been read within 60 seconds; if it is a pipe, check that a program writes to it")
                    }
                    _ => invalid("the key file cannot be read; check its path and permissions"),
                })?;
                key.ok_or_else(|| invalid("the key file must have at most 64 KiB"))
            }
        }
    }
}

/// Reads a file on a thread of its own, because it may be a pipe without a writer. Returns `None` if it is larger than the limit.
pub(super) fn read_file(path: &Path, limit: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    std::thread::spawn(move || {
        let mut content = Zeroizing::new(Vec::new());
        let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut content));
        // The receiver may have been dropped.
        drop(sender.send(read.map(|_| content)));
    });
    let content = receiver.recv_timeout(FILE_TIMEOUT).map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    Ok(Some(content).filter(|content| content.len() as u64 <= limit))
}

/// Credential of a user. `Debug` does not show it.
#[derive(Clone)]
pub enum Credential {
    /// The user's access token.
    Token(Zeroizing<String>),
    /// A signature of the user id, to exchange for an access token.
    Signature {
        /// Id of the application.
        application_id: i64,
        /// Lower-case hex HMAC-SHA256 of the user id.
        signature: Zeroizing<String>,
    },
    /// An application key, which signs the user id.
    Key {
        /// Id of the application.
        application_id: i64,
        /// Source of the application key.
        source: KeySource,
    },
}

/// Shows only the kind of credential.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token(..)",
            Self::Signature { .. } => "Signature(..)",
            Self::Key { .. } => "Key(..)",
        })
    }
}
