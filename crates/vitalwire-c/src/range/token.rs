//! Resume tokens.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::Error;
use vitalwire::range::{RangeBounds, ResumeToken};

use super::part::{read_dates, read_instants};
use crate::arguments::Arguments;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::present;
use crate::handles::{self, owned};
use crate::outcome::attempt;
use crate::value::{vitalwire_date, vitalwire_str, vitalwire_timestamp};
use crate::view;

/// A parsed resume token: operation, range and number of missing parts.
pub struct vitalwire_resume_token {
    token: ResumeToken,
    range: Option<RangeBounds>,
}

/// Parses the text of a resume token. Free the result with vitalwire_resume_token_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_parse(
    text: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_resume_token>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let text = arguments.text("text", &text);
        arguments.check()?;
        let token: ResumeToken = text.parse().map_err(|error: Error| error.with_argument("text"))?;
        out.write(owned(vitalwire_resume_token { range: token.range(), token }));
        Ok(())
    })
}

/// Returns the operation id, such as `daily_statistics`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_operation(of: Option<&vitalwire_resume_token>) -> vitalwire_str {
    view::text(of, |of| Some(of.token.operation()))
}

/// Returns the number of missing parts.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_parts_left(of: Option<&vitalwire_resume_token>) -> u32 {
    view::plain(of, 0, |of| of.token.parts_left())
}

/// Writes the first and the last day of the whole range, like vitalwire_range_part_dates.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_dates(
    of: Option<&vitalwire_resume_token>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    read_dates(handles::valid(of).and_then(|of| of.range.as_ref()), first, last)
}

/// Writes the bounds of the whole range as instants, like vitalwire_range_part_instants.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_instants(
    of: Option<&vitalwire_resume_token>,
    start: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    end: Option<&mut MaybeUninit<vitalwire_timestamp>>,
) -> bool {
    read_instants(handles::valid(of).and_then(|of| of.range.as_ref()), start, end)
}

/// Frees a token. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_resume_token_free(of: Option<Box<vitalwire_resume_token>>) {
    view::free(of);
}
