//! Parts that a started call reads, and that count as returned only when the caller takes them.

use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::Error;
use vitalwire::client::CancelToken;
use vitalwire::range::{AnyPart, AnyParts, Delivery, RangeError, UndeliveredPart};

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{handle, present};
use crate::handles;
use crate::outcome::attempt_with;
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::pending_calls::vitalwire_call;
use crate::start::{CompletionCallback, start, take_result};

/// A part that was read. If it is dropped, the parts end, and the part counts as not returned.
struct ReadPart<P, A: Send + 'static> {
    part: Result<Box<P>, vitalwire_error>,
    delivery: Delivery<A>,
}

impl<P, A: Send + 'static> ReadPart<P, A> {
    fn deliver(self) -> Result<Box<P>, vitalwire_error> {
        self.delivery.confirm();
        self.part
    }
}

/// Starts to read the next part. Cancelling the call ends the parts.
pub(crate) fn start_part<P: Send + 'static, A: Send + 'static>(
    name: &'static str,
    parts: &Arc<AnyParts<A>>,
    completions: &CompletionQueues,
    callback: CompletionCallback,
    out: &mut MaybeUninit<*mut vitalwire_call>,
    convert: impl FnOnce(AnyPart<A>) -> Result<Box<P>, vitalwire_error> + Send + 'static,
) -> Result<(), Error> {
    let token = CancelToken::new();
    let (parts, cancel) = (Arc::clone(parts), token.clone());
    let reading = async move {
        let Some(read) = cancel.unless_cancelled(parts.next_undelivered()).await else {
            return Err(RangeError::<()>::new(Error::cancelled(), None, parts.resume_token()).into());
        };
        Ok(read?.map(|UndeliveredPart { part, delivery }| ReadPart { part: convert(part), delivery }))
    };
    start(name, completions, token, callback, out, |_| reading)
}

/// Takes the part of a call that has ended. Writes NULL after the last part.
pub(crate) fn finish_part<P: 'static, A: Send + 'static>(
    name: &str,
    call: Option<&vitalwire_call>,
    out: Option<&mut MaybeUninit<Option<Box<P>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let call = handle(call, "call")?;
        let out = present(out, "out")?;
        let read = take_result::<Option<ReadPart<P, A>>>(name, call)?;
        out.write(read.map(ReadPart::deliver).transpose()?.map(handles::register_box));
        Ok(())
    })
}
