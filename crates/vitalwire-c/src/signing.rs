//! Signature of the token exchange.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::signing::sign_user_id;

use crate::arguments::Arguments;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::present;
use crate::handles::owned;
use crate::outcome::attempt;
use crate::value::{vitalwire_json, vitalwire_str};

/// Signs a user id for the token exchange: HMAC-SHA256 with the application's key of `length` bytes, in lower-case hex. For servers only:
/// never ship the key to a user's device.
///
/// A byte order mark before the key and line ends after it are removed. Fails with VITALWIRE_ERROR_CONFIGURATION if the key is
/// in quotes, has surrounding white space or the prefix `Bearer `, or is shorter than 16 characters. Thread-safe. Free the result with
/// vitalwire_json_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sign_user_id(
    key: *const u8,
    length: usize,
    user_id: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_json>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let key = arguments.slice("key", &key, length);
        let user_id = arguments.text("user_id", &user_id);
        arguments.check()?;
        out.write(owned(vitalwire_json(sign_user_id(key, user_id)?)));
        Ok(())
    })
}
