//! Checks the deadline and cancellation of a call while a body is decoded.
//!
//! Reading a body counts against the attempt and total timeouts; decoding it counts against the total timeout only. A decoder never
//! awaits, so it polls the guard every few milliseconds (`value::decode::interrupt`).

use std::rc::Rc;

use super::deadlines::{CallClock, ExpiredDeadline};
use super::{CallOptions, CancelToken, ClientState};
use crate::error::Error;
use crate::operation::ResponseMetadata;
use crate::value::decode::run_interruptibly;

/// Maximum size of bodies decoded without a guard, in bytes. Decoding one takes a few milliseconds even in a debug build.
const MAX_UNGUARDED_BYTES: usize = 64 << 10;

/// The deadline and the cancellation token of a call whose response is decoded.
pub struct DecodeGuard {
    clock: CallClock,
    cancel_token: Option<CancelToken>,
    closed: CancelToken,
}

impl DecodeGuard {
    /// Creates the guard of a call. Returns `None` if the body is small.
    pub(crate) fn new(client: &ClientState, options: &CallOptions, clock: CallClock, body: &[u8]) -> Option<Box<Self>> {
        (body.len() > MAX_UNGUARDED_BYTES)
            .then(|| Box::new(Self { clock, cancel_token: options.cancel_token.clone(), closed: client.close_token.clone() }))
    }

    /// Decodes a response. Fails if the call ends before decoding completes.
    pub(crate) fn run<T>(guard: Option<Box<Self>>, meta: &ResponseMetadata, decode: impl FnOnce() -> T) -> Result<T, Error> {
        let Some(guard) = guard else { return Ok(decode()) };
        let guard: Rc<Self> = Rc::from(guard);
        let checked = Rc::clone(&guard);
        // The end of a call is permanent, so the guard returns the same error again.
        let decoded = run_interruptibly(move || checked.end_error().is_some(), decode);
        decoded.ok_or_else(|| guard.end_error().unwrap_or_else(Error::cancelled).with_response(meta.clone()))
    }

    /// Returns the error of a call that has ended.
    fn end_error(&self) -> Option<Error> {
        if self.cancel_token.as_ref().is_some_and(CancelToken::is_cancelled) {
            Some(Error::cancelled())
        } else if self.closed.is_cancelled() {
            Some(Error::closed())
        } else {
            self.clock.check().is_err().then(|| ExpiredDeadline::Total.into())
        }
    }
}
