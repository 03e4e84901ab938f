//! What is known of answers besides their values.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use crate::guard::catch;
use crate::kind::{self, owned};
use crate::options::vitalwire_call_options;
use crate::place::{Known, Place};
use crate::skipped::vitalwire_skipped_items;
use crate::value::vitalwire_str;
use crate::view;

/// Where calls leave what is known of their answers besides the values. Each call takes the place of the one before; give threads one each.
pub struct vitalwire_facts {
    place: Place,
    /// What was read last, so that its text stays.
    read: Option<Known>,
}

/// What is known of an answer besides its value.
#[repr(C)]
pub struct vitalwire_response {
    /// The HTTP status.
    pub status: u16,
    /// How many times the request was sent or tried.
    pub attempts: u32,
    /// How long the call took, in milliseconds.
    pub elapsed_ms: u64,
    /// The id that the service gave the request, as it came; no text where it gave none.
    pub request_id: vitalwire_str,
    /// The body as it came, of a call that keeps it (vitalwire_call_options_set_keep_raw); it may be no UTF-8, and hold health data.
    pub body: vitalwire_str,
}

/// Makes a place for what is known of answers; vitalwire_call_options_set_facts has calls use it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_facts_new() -> Option<Box<vitalwire_facts>> {
    catch(|| owned(vitalwire_facts { place: Place::default(), read: None }))
}

/// Has each call with these options leave there what is known of its answer. The place may be freed before the options; NULL sets none.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_facts(options: Option<&mut vitalwire_call_options>, facts: Option<&vitalwire_facts>) {
    let Some(options) = kind::known(options) else { return };
    catch(|| options.facts = options.given.handle("facts", facts).map(|facts| facts.place.clone()));
}

/// What is known of the answer of the last call, of a wait that of its last reading. Returns false where no call has ended, or the last one
/// failed. The text is readable until this is used again.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_facts_last(facts: Option<&mut vitalwire_facts>, value: Option<&mut MaybeUninit<vitalwire_response>>) -> bool {
    let Some(facts) = kind::known(facts) else { return false };
    let read = catch(|| {
        facts.read = facts.place.known();
        facts.read.as_ref().map(|known| vitalwire_response {
            status: known.status,
            attempts: known.attempts,
            elapsed_ms: known.elapsed_ms,
            request_id: known.request_id.as_deref().map_or(vitalwire_str::NONE, vitalwire_str::from),
            body: known.body.as_deref().map_or(vitalwire_str::NONE, vitalwire_str::of),
        })
    });
    let read = read.flatten();
    let there = read.is_some();
    if let (Some(value), Some(read)) = (value, read) {
        value.write(read);
    }
    there
}

/// The list items that were left out of the response that vitalwire_facts_last read last; NULL before it. They are readable until it is used
/// again, and are not freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_facts_skipped_items(facts: Option<&vitalwire_facts>) -> Option<&vitalwire_skipped_items> {
    view::child(facts, |facts| facts.read.as_ref().map(|known| &known.skipped))
}

/// Frees the place; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_facts_free(facts: Option<Box<vitalwire_facts>>) {
    view::free(facts);
}
