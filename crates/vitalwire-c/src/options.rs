//! Options of a call.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use vitalwire::client::CallOptions;

use crate::arguments::{Arguments, Settings, set};
use crate::guard::{self, catch};
use crate::handles::owned;
use crate::response_slot::ResponseSlot;
use crate::view;

/// Options of a call. Unset options default to the client's settings. Calls only read them, so they can be reused.
#[derive(Clone)]
pub struct vitalwire_call_options {
    pub(crate) value: CallOptions,
    pub(crate) arguments: Arguments,
    /// Slot for response metadata.
    pub(crate) metadata: Option<ResponseSlot>,
}

impl Settings for vitalwire_call_options {
    type Value = CallOptions;

    fn parts(&mut self) -> (&mut CallOptions, &mut Arguments) {
        (&mut self.value, &mut self.arguments)
    }
}

/// Applies a setter of the core, which takes the options by value.
pub(crate) fn with(options: Option<&mut vitalwire_call_options>, change: impl FnOnce(CallOptions, &mut Arguments) -> CallOptions) {
    set(options, |options, arguments| *options = change(std::mem::take(options), arguments));
}

/// Creates options with nothing set. Free them with vitalwire_call_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_new() -> Option<Box<vitalwire_call_options>> {
    catch(|| owned(vitalwire_call_options { value: CallOptions::new(), arguments: Arguments::default(), metadata: None }))
}

/// Copies options. The copy shares the response metadata slot. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_clone(options: Option<&vitalwire_call_options>) -> Option<Box<vitalwire_call_options>> {
    guard::clone_object(options)
}

/// Frees options. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_free(options: Option<Box<vitalwire_call_options>>) {
    view::free(options);
}
