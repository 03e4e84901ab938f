//! Credentials of users.

use std::fmt;
use std::path::PathBuf;

use zeroize::Zeroizing;

use crate::error::Error;
use crate::signing::sign_user_id;

/// Maximum size of a key file, in bytes.
const MAX_KEY_FILE: u64 = 64 * 1024;

/// A source of an application key. The key itself is read when it is needed, on the machine that needs it.
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
    /// `configuration` if the variable is not set or the file cannot be read.
    pub(super) fn read(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let invalid = |reason| Error::invalid_argument("key", reason);
        match self {
            Self::Environment(name) => {
                let value = std::env::var_os(name).ok_or_else(|| invalid("the environment variable of the key is not set"))?;
                Ok(Zeroizing::new(value.into_encoded_bytes()))
            }
            Self::File(path) => {
                let size = std::fs::metadata(path).map_err(|_| invalid("the key file cannot be read"))?.len();
                if size > MAX_KEY_FILE {
                    return Err(invalid("the key file is larger than 64 KiB"));
                }
                std::fs::read(path).map(Zeroizing::new).map_err(|_| invalid("the key file cannot be read"))
            }
        }
    }
}

/// A user's credential. Never shown.
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
    /// The application key, to sign the user id with.
    Key {
        /// Id of the application.
        application_id: i64,
        /// Source of the key.
        source: KeySource,
    },
}

impl Credential {
    /// Returns the application id and the signature to exchange, or `None` for a token.
    pub(super) fn signature(&self, user: &str) -> Result<Option<(i64, Zeroizing<String>)>, Error> {
        match self {
            Self::Token(_) => Ok(None),
            Self::Signature { application_id, signature } => Ok(Some((*application_id, signature.clone()))),
            Self::Key { application_id, source } => {
                let signature = sign_user_id(&*source.read()?, user)?;
                Ok(Some((*application_id, Zeroizing::new(signature))))
            }
        }
    }
}

/// Redacted.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token(..)",
            Self::Signature { .. } => "Signature(..)",
            Self::Key { .. } => "Key(..)",
        })
    }
}
