//! Long ranges, requested in parts. Types of operations are put away by the core: one set of objects serves every operation.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

pub mod merged;
pub mod options;
pub mod part;
pub mod parts;
pub mod token;

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire::blocking::block_on_several;
use vitalwire::range::{AnyFailure, AnyMerged, AnyRange, RangeOperation, Step};
use vitalwire::{Client, Error};

use self::merged::vitalwire_range_merged;
use self::options::vitalwire_range_options;
use self::part::vitalwire_range_progress;
use self::parts::vitalwire_range_parts;
use crate::call::{Begun, Call};
use crate::client::vitalwire_client;
use crate::error::{Kept, vitalwire_error};
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeAnswer;
use crate::guard::present;
use crate::outcome::{attempt, attempt_with};
use crate::started::endings::Endings;
use crate::view;

/// A call over a range, of which nothing is requested before its parts are read. Each reading requests anew.
pub struct vitalwire_range {
    pub(crate) client: Client,
    /// Where readings of parts go that were started and have ended.
    endings: Endings,
    pub(crate) range: AnyRange<RangeAnswer>,
}

/// Is told how far a range is.
pub type vitalwire_range_observer = Option<extern "C" fn(user_data: *mut c_void, progress: &vitalwire_range_progress)>;

/// Begins to read a range part by part. Nothing is requested before the first one is read.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_read(
    range: Option<&vitalwire_range>,
    out: Option<&mut MaybeUninit<Box<vitalwire_range_parts>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let range = present(range, "range")?;
        let out = present(out, "out")?;
        out.write(Box::new(vitalwire_range_parts::of(range)?));
        Ok(())
    })
}

/// Reads every part of a range and merges the answers. `observer`, which may be NULL, is called with `user_data` after each part, on the
/// thread that waits; a call that it makes itself ends with VITALWIRE_ERROR_CONFIGURATION. Where the range ends early, the error has what
/// was read and what is left: vitalwire_error_so_far, vitalwire_error_resume_token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_collect(
    range: Option<&vitalwire_range>,
    observer: vitalwire_range_observer,
    user_data: *mut c_void,
    out: Option<&mut MaybeUninit<Box<vitalwire_range_merged>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let range = present(range, "range")?;
        let out = present(out, "out")?;
        let ended = block_on_several(collected(range, |progress| {
            if let Some(observer) = observer {
                observer(user_data, &progress);
            }
        }))?;
        let merged = ended.map_err(|failure| {
            let (error, left, so_far) = failure.into_parts();
            let so_far = so_far.map(|merged| Box::new(vitalwire_range_merged::from(merged)) as Kept);
            vitalwire_error { so_far, ..vitalwire_error::leaving(error, left.as_ref()) }
        })?;
        out.write(Box::new(merged.into()));
        Ok(())
    })
}

/// Frees a range; parts that are being read go on. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_free(range: Option<Box<vitalwire_range>>) {
    view::free(range);
}

/// Reads a range to its end.
async fn collected(
    range: &vitalwire_range,
    mut tell: impl FnMut(vitalwire_range_progress),
) -> Result<AnyMerged<RangeAnswer>, AnyFailure<AnyMerged<RangeAnswer>>> {
    let mut reading = range.range.collect(range.client.engine());
    loop {
        match reading.step().await? {
            Step::Progress(progress) => tell(progress.into()),
            Step::Ended(merged) => return Ok(merged),
        }
    }
}

impl<O> Call<'_, O>
where
    O: RangeOperation<Output: Clone + Sync> + Clone,
{
    /// The call over a range. What cannot be requested in parts is refused here.
    pub(crate) fn range(
        mut self,
        options: Option<&vitalwire_range_options>,
        answer: fn(Arc<O::Output>) -> RangeAnswer,
        out: Option<&mut MaybeUninit<Box<vitalwire_range>>>,
    ) -> vitalwire_code {
        let error = self.error.take();
        attempt(error, || {
            let out = present(out, "out")?;
            let vitalwire_client { core, endings } = present(self.client, "client")?;
            let (client, endings) = (core.clone(), endings.clone());
            let Begun { call, .. } = self.begin()?;
            let split = match options {
                Some(options) => options.split(call)?,
                None => call.split(None),
            };
            // A task of its own: whoever reads may take any time between two parts, and timeouts go on.
            let range = split.spawned().erased(move |value, _| answer(value));
            drop(range.parts(client.engine())?);
            out.write(Box::new(vitalwire_range { client, endings, range }));
            Ok::<(), Error>(())
        })
    }
}
