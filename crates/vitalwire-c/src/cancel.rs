//! Ending calls from another thread.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use vitalwire::client::CancelToken;

use crate::guard::catch;
use crate::kind::{self, owned};
use crate::view;

/// Ends calls from another thread. One can be given to many calls; once cancelled, it stays so.
pub struct vitalwire_cancel_token(pub(crate) CancelToken);

/// Makes a handle that cancels calls.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_new() -> Option<Box<vitalwire_cancel_token>> {
    catch(|| owned(vitalwire_cancel_token(CancelToken::new())))
}

/// Cancels: calls that were given this handle end with VITALWIRE_ERROR_CANCELLED and close their connections, also calls yet to
/// come. May be used from any thread, more than once, but not from a signal handler.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_cancel(cancel: Option<&vitalwire_cancel_token>) {
    let Some(cancel) = kind::known(cancel) else { return };
    catch(|| cancel.0.cancel());
}

/// Frees the handle when no call that was given it runs any more; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_cancel_token_free(cancel: Option<Box<vitalwire_cancel_token>>) {
    view::free(cancel);
}
