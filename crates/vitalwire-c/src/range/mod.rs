//! Ranges that are requested in parts. The core erases the types of operations, so one set of objects serves every operation.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

pub mod collected;
pub mod merged;
pub mod options;
pub mod part;
pub mod parts;
pub mod token;

use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::Client;
use vitalwire::range::{AnyRange, RangeOperation};

use self::options::vitalwire_range_options;
use self::parts::vitalwire_range_parts;
use crate::call::{Call, PreparedCall};
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeResponse;
use crate::guard::{handle, optional, present};
use crate::handles::owned;
use crate::outcome::attempt;
use crate::pending_calls::completion_queue::CompletionQueues;
use crate::view;

/// A call over a range. Nothing is requested until its parts are read. Each reading requests the range again.
pub struct vitalwire_range_call {
    pub(crate) client: Client,
    /// Queue of started readings that have ended.
    pub(crate) completions: CompletionQueues,
    pub(crate) range: AnyRange<RangeResponse>,
}

/// Begins to read a range part by part. Sends nothing until the first part is read. Free the result with vitalwire_range_parts_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_read(
    range: Option<&vitalwire_range_call>,
    out: Option<&mut MaybeUninit<Box<vitalwire_range_parts>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let range = handle(range, "range")?;
        let out = present(out, "out")?;
        out.write(owned(vitalwire_range_parts::new(range)?));
        Ok(())
    })
}

/// Frees a range. Readings in progress continue. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_call_free(range: Option<Box<vitalwire_range_call>>) {
    view::free(range);
}

impl<O> Call<'_, O>
where
    O: RangeOperation<Output: Clone + Sync> + Clone,
{
    /// Creates the call over a range. Fails if the range cannot be split into parts.
    pub(crate) fn range(
        self,
        options: Option<&vitalwire_range_options>,
        answer: fn(Arc<O::Output>) -> RangeResponse,
        out: Option<&mut MaybeUninit<Box<vitalwire_range_call>>>,
    ) -> vitalwire_code {
        self.attempt(|call| {
            let out = present(out, "out")?;
            let options = optional(options, "range_options")?;
            let vitalwire_client { core, completions } = handle(call.client, "client")?;
            let (client, completions) = (core.clone(), completions.clone());
            let PreparedCall { call, .. } = call.prepare()?;
            let split = match options {
                Some(options) => options.split(call)?,
                None => call.split(None),
            };
            // Spawned, so that parts in flight progress while the caller pauses between two reads. Timeouts continue in such a pause.
            let range = split.spawned().erased(move |value, _| answer(value));
            drop(range.parts(client.engine())?);
            out.write(owned(vitalwire_range_call { client, completions, range }));
            Ok(())
        })
    }
}
