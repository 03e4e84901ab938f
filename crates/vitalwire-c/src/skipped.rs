//! List items that could not be decoded and were skipped.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;

use vitalwire::client::SkippedItems;

use crate::value::vitalwire_str;
use crate::view;

/// List items of a response or webhook that could not be decoded and were skipped: the first 100, and the total number.
#[derive(Clone, Default)]
pub struct vitalwire_skipped_items(pub(crate) SkippedItems);

/// A list item that could not be decoded and was skipped. The other items stay in the list.
#[repr(C)]
pub struct vitalwire_skipped_item {
    /// Position of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. Field names that are not
    /// declared are replaced by `*`.
    pub json_path: vitalwire_str,
    /// Broken rule, such as `expected an object`. For a nested value, its position follows: `expected a string, at status`. The text never
    /// contains the value.
    pub reason: vitalwire_str,
    /// JSON text of the item, as received. It contains health data.
    pub json: vitalwire_str,
}

/// Returns the number of items that can be read, at most 100. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_count(of: Option<&vitalwire_skipped_items>) -> usize {
    view::count(of, |of| of.0.as_slice().len())
}

/// Returns the number of skipped items, which may exceed vitalwire_skipped_items_count. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_total(of: Option<&vitalwire_skipped_items>) -> u64 {
    view::plain(of, 0, |of| of.0.count())
}

/// Writes an item to `value`, by index from 0. Returns false beyond the end. The texts of the item are valid as long as the list.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_at(
    of: Option<&vitalwire_skipped_items>,
    index: usize,
    value: Option<&mut MaybeUninit<vitalwire_skipped_item>>,
) -> bool {
    view::scalar(of, value, |of| {
        of.0.as_slice().get(index).map(|item| vitalwire_skipped_item {
            json_path: item.json_path().into(),
            reason: item.reason().into(),
            json: item.json().into(),
        })
    })
}

/// Frees a list that vitalwire_webhook_skipped_items created. NULL is allowed. Do not free lists of other objects.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_free(of: Option<Box<vitalwire_skipped_items>>) {
    view::free(of);
}
