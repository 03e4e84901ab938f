//! The signature of the token exchange, for servers.
//!
//! The key of an application stays on its server. An app on a user's device gets the signature, or the token, from there: no package
//! for phones has this function.

use crate::error::Error;
use crate::webhook::{hex, signature};

/// Signs a user id for the token exchange: HMAC-SHA256 under the application's key, in lower-case hex.
///
/// ```
/// let signature = vitalwire::signing::sign_user_id("an-application-key", "user-1")?;
/// assert_eq!(signature, "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2");
/// # Ok::<(), vitalwire::Error>(())
/// ```
///
/// # Errors
/// `invalid_argument` if the key or the user id is empty.
pub fn sign_user_id(key: impl AsRef<[u8]>, user_id: &str) -> Result<String, Error> {
    let key = key.as_ref();
    if key.is_empty() {
        return Err(Error::invalid_argument("key", "it is empty"));
    }
    if user_id.is_empty() {
        return Err(Error::invalid_argument("user_id", "it is empty"));
    }
    Ok(hex(&signature(key, user_id.as_bytes())))
}
