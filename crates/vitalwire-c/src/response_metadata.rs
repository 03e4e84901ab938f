//! Response metadata: status, attempts, duration, request id, body.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use crate::guard::catch;
use crate::handles::{self, owned};
use crate::options::vitalwire_call_options;
use crate::response_slot::{ResponseSlot, StoredMetadata};
use crate::skipped::vitalwire_skipped_items;
use crate::value::vitalwire_str;
use crate::view;

/// A slot that receives the metadata of the last response. Each call overwrites it; use one slot for each thread.
pub struct vitalwire_response_metadata {
    slot: ResponseSlot,
    /// Metadata as last read. Kept because its texts were returned as views.
    read: Option<StoredMetadata>,
}

/// Metadata of a response.
#[repr(C)]
pub struct vitalwire_response {
    /// The HTTP status.
    pub status: u16,
    /// Number of attempts.
    pub attempts: u32,
    /// Duration of the call, in milliseconds.
    pub elapsed_ms: u64,
    /// Request id that the service assigned, unchanged; empty if there is none.
    pub request_id: vitalwire_str,
    /// Body as received, if vitalwire_call_options_set_keep_body was set. It may be invalid UTF-8 and contains health data.
    pub body: vitalwire_str,
}

/// Creates a slot that receives response metadata: status, request id, attempts. Set it with
/// vitalwire_call_options_set_response_metadata.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_response_metadata_new() -> Option<Box<vitalwire_response_metadata>> {
    catch(|| owned(vitalwire_response_metadata { slot: ResponseSlot::default(), read: None }))
}

/// Sets the slot that receives the metadata of each response to a call with these options. The slot may be freed before the options.
/// NULL removes it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_response_metadata(
    options: Option<&mut vitalwire_call_options>,
    metadata: Option<&vitalwire_response_metadata>,
) {
    let Some(options) = handles::valid(options) else { return };
    catch(|| options.metadata = options.arguments.handle("metadata", metadata).map(|metadata| metadata.slot.clone()));
}

/// Writes the metadata of the last response to `value`. After a wait, this is the last poll. Returns false if no call has ended or the last
/// call failed.
/// The texts are valid until the next use of the slot.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_response_metadata_read(
    metadata: Option<&mut vitalwire_response_metadata>,
    value: Option<&mut MaybeUninit<vitalwire_response>>,
) -> bool {
    let Some(metadata) = handles::valid(metadata) else { return false };
    let read = catch(|| {
        metadata.read = metadata.slot.get();
        metadata.read.as_ref().map(|stored| vitalwire_response {
            status: stored.status,
            attempts: stored.attempts,
            elapsed_ms: stored.elapsed_ms,
            request_id: stored.request_id.as_deref().map_or(vitalwire_str::NONE, vitalwire_str::from),
            body: stored.body.as_deref().map_or(vitalwire_str::NONE, vitalwire_str::from_bytes),
        })
    });
    let read = read.flatten();
    let there = read.is_some();
    if let (Some(value), Some(read)) = (value, read) {
        value.write(read);
    }
    there
}

/// Returns the skipped list items of the response that vitalwire_response_metadata_read read last; NULL before the first read. They are
/// valid until the next read and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_response_metadata_skipped_items(
    metadata: Option<&vitalwire_response_metadata>,
) -> Option<&vitalwire_skipped_items> {
    view::child(metadata, |metadata| metadata.read.as_ref().map(|stored| &stored.skipped))
}

/// Frees the slot. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_response_metadata_free(metadata: Option<Box<vitalwire_response_metadata>>) {
    view::free(metadata);
}
