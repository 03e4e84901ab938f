//! List items that could not be decoded and were left out.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::client::SkippedItems;

use crate::value::vitalwire_str;
use crate::view;

/// The list items of a response or a webhook that could not be decoded and were left out: the first 100, and how many there are.
#[derive(Clone, Default)]
pub struct vitalwire_skipped_items(pub(crate) SkippedItems);

/// A list item that could not be decoded and was left out of its list; its neighbours stay.
#[repr(C)]
pub struct vitalwire_skipped_item {
    /// The place of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. An undeclared name is `*`.
    pub json_path: vitalwire_str,
    /// The rule that the item breaks, such as `expected an object`. If the fault is inside the item, the place in it follows:
    /// `expected a string, at status`. It contains no value.
    pub reason: vitalwire_str,
    /// The item as JSON text, as it came. Health data.
    pub json: vitalwire_str,
}

/// Number of items that can be read: at most 100.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_count(of: Option<&vitalwire_skipped_items>) -> usize {
    view::count(of, |of| of.0.as_slice().len())
}

/// Number of items that were left out. It may exceed vitalwire_skipped_items_count.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_total(of: Option<&vitalwire_skipped_items>) -> u64 {
    view::plain(of, 0, |of| of.0.count())
}

/// Reads an item, counted from 0. Returns false beyond the end. Its texts live as long as the list.
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

/// Frees a list that vitalwire_webhook_skipped_items made; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_skipped_items_free(of: Option<Box<vitalwire_skipped_items>>) {
    view::free(of);
}
