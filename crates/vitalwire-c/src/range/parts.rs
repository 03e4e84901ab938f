//! The parts of a range, read one after the other.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::blocking::block_on_several;
use vitalwire::range::{AnyParts, OnError};

use super::part::{vitalwire_range_part, vitalwire_range_progress};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::ranges::RangeAnswer;
use crate::guard::{attempt_with, catch, present};
use crate::value::vitalwire_json;
use crate::view;

/// The parts of a range, which one reading at a time has. Any thread may read or close them; a second reading at the same time ends with
/// VITALWIRE_ERROR_CONFIGURATION and harms nothing.
pub struct vitalwire_range_parts {
    parts: AnyParts<RangeAnswer>,
    on_error: OnError,
}

impl vitalwire_range_parts {
    pub(super) fn new(parts: AnyParts<RangeAnswer>, on_error: OnError) -> Self {
        Self { parts, on_error }
    }
}

/// Reads the next part, in order; `out` gets NULL after the last one, and after they were closed. A part that failed is handed out with its
/// error where failures are collected; else it ends the range, and vitalwire_error_resume_token has what is left.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_next(
    parts: Option<&vitalwire_range_parts>,
    out: Option<&mut MaybeUninit<Option<Box<vitalwire_range_part>>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt_with(error, || {
        let parts = present(parts, "parts")?;
        let out = present(out, "out")?;
        let Some(part) = block_on_several(parts.parts.next())?? else {
            out.write(None);
            return Ok(());
        };
        let mut part = vitalwire_range_part::try_from(part)?;
        match part.failure.take_if(|_| parts.on_error == OnError::Stop) {
            Some(failure) => Err(failure),
            None => {
                out.write(Some(Box::new(part)));
                Ok(())
            }
        }
    })
}

/// How far the range is, as of the last part that was handed out. Returns false for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_progress(
    parts: Option<&vitalwire_range_parts>,
    value: Option<&mut MaybeUninit<vitalwire_range_progress>>,
) -> bool {
    view::scalar(parts, value, |parts| Some(parts.parts.progress().into()))
}

/// The text of a resume token for all parts that have failed or were not handed out, in every state, also while one is being read; NULL
/// where nothing is left. It is freed by vitalwire_json_free, and can be stored.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_resume_token(parts: Option<&vitalwire_range_parts>) -> Option<Box<vitalwire_json>> {
    let parts = parts?;
    catch(|| parts.parts.resume_token().map(|token| Box::new(vitalwire_json(token.to_string())))).flatten()
}

/// Ends what is on its way: a reading ends with VITALWIRE_ERROR_CANCELLED. May be used from any thread, more than once; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_close(parts: Option<&vitalwire_range_parts>) {
    let Some(parts) = parts else { return };
    catch(|| parts.parts.close());
}

/// Frees the parts when no thread reads them, and ends what is on its way; NULL is allowed. Parts that were handed out stay.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_parts_free(parts: Option<Box<vitalwire_range_parts>>) {
    view::free(parts);
}
