//! Cancel tokens.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use vitalwire::client::CancelToken;

use crate::guard::catch;
use crate::handles::{self, owned};
use crate::view;

/// A token that cancels calls from another thread. It can be shared by many calls and stays cancelled. Thread-safe.
pub struct vitalwire_cancel_token(pub(crate) CancelToken);

/// Creates a cancel token. Free it with vitalwire_cancel_token_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_new() -> Option<Box<vitalwire_cancel_token>> {
    catch(|| owned(vitalwire_cancel_token(CancelToken::new())))
}

/// Cancels all current and later calls with this token. They fail with VITALWIRE_ERROR_CANCELLED and close their connections.
/// Thread-safe and idempotent, but not allowed in a signal handler. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_cancel(cancel: Option<&vitalwire_cancel_token>) {
    let Some(cancel) = handles::valid(cancel) else { return };
    catch(|| cancel.0.cancel());
}

/// Frees a token. No call may use it any more. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_free(cancel: Option<Box<vitalwire_cancel_token>>) {
    view::free(cancel);
}
