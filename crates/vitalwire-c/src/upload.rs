//! Pictures without what they tell of their maker.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use crate::generated::types::vitalwire_nutrition_records_upload_params;
use crate::given::set;

/// Removes from the picture that was set what it tells beside itself: place, time, camera, texts, thumbnails, further pictures after its
/// end. Colours and orientation stay, pixel for pixel. For JPEG, PNG and WebP.
///
/// Set the picture first. One of another kind, or one that is broken or cut short, is never sent as it is: the call is refused with
/// the argument `body`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_records_upload_params_remove_metadata(
    params: Option<&mut vitalwire_nutrition_records_upload_params>,
) {
    set(params, |params, given| match params.clone().without_metadata() {
        Ok(stripped) => *params = stripped,
        Err(error) => {
            params.body = None;
            given.refuse("body", error.reason().unwrap_or("its metadata cannot be removed"));
        }
    });
}
