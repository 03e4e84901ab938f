//! Signature for the token exchange, for servers only.
//!
//! The application key must stay on your server. An app gets the signature, or the token, from that server; the mobile packages do not have
//! this function.

use crate::error::Error;
use crate::webhook::{MIN_KEY_LENGTH, hex, signature};
use vitalwire_runtime::auth::secret::{APPLICATION_KEY, check_key};

/// Signs a user id for the token exchange. Returns an HMAC-SHA256 under the application key, as lower-case hex.
///
/// ```
/// let signature = vitalwire::signing::sign_user_id("an-application-key", "user-1")?;
/// assert_eq!(signature, "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2");
/// # Ok::<(), vitalwire::Error>(())
/// ```
///
/// A leading byte order mark and trailing line ends of the key are removed, because editors add them to files.
///
/// # Errors
/// * `invalid_argument` if the key or the user id is empty.
/// * `configuration` if the key is shorter than 16 bytes, quoted, surrounded by white space, contains a line break, or begins with `Bearer
///   `.
pub fn sign_user_id(key: impl AsRef<[u8]>, user_id: &str) -> Result<String, Error> {
    let key = key.as_ref();
    if key.is_empty() {
        return Err(Error::invalid_argument("key", "must not be empty"));
    }
    if user_id.is_empty() {
        return Err(Error::invalid_argument("user_id", "must not be empty"));
    }
    let key = check_key(key, &APPLICATION_KEY).map_err(|reason| Error::invalid_setting("key", reason))?;
    if key.len() < MIN_KEY_LENGTH {
        return Err(Error::invalid_setting("key", "must be at least 16 bytes long"));
    }
    Ok(hex(&signature(key, user_id.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::sign_user_id;
    use crate::error::ErrorKind;

    #[test]
    fn a_key_is_trimmed_and_checked() {
        let signature = sign_user_id("an-application-key", "user-1").unwrap();
        for key in ["an-application-key\n", "\u{feff}an-application-key\r\n"] {
            assert_eq!(sign_user_id(key, "user-1").unwrap(), signature, "{key:?}");
        }
        for key in
            ["\"CANARY-application-key\"", " CANARY-application-key", "Bearer CANARY-application", "CANARY", "CANARY-fifteen.\n\n", "\n"]
        {
            let error = sign_user_id(key, "user-1").unwrap_err();
            assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("key")), "{key:?}");
            assert!(!format!("{error} {error:?}").contains("CANARY"), "{error}");
        }
        for (key, user) in [("", "user-1"), ("an-application-key", "")] {
            assert_eq!(sign_user_id(key, user).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
    }
}
