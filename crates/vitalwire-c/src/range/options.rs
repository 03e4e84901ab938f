//! Options of ranges.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use vitalwire::Error;
use vitalwire::client::Call;
use vitalwire::range::{OnError, PartLength, RangeCall, RangeOperation, RangeSettings, ResumeToken};

use crate::arguments::{Arguments, Settings, set};
use crate::guard::{self, catch};
use crate::handles::owned;
use crate::value::vitalwire_str;
use crate::view;

/// Options of ranges. Unset options keep their defaults. Calls only read them, so they can be reused.
#[derive(Clone)]
pub struct vitalwire_range_options {
    value: RangeOptions,
    arguments: Arguments,
}

/// Options that were set.
#[derive(Clone, Default)]
pub struct RangeOptions {
    part_length: Option<PartLength>,
    settings: RangeSettings,
}

impl Settings for vitalwire_range_options {
    type Value = RangeOptions;

    fn parts(&mut self) -> (&mut RangeOptions, &mut Arguments) {
        (&mut self.value, &mut self.arguments)
    }
}

impl vitalwire_range_options {
    /// Splits a call into parts.
    pub(crate) fn split<O: RangeOperation>(&self, call: Call<O>) -> Result<RangeCall<O>, Error> {
        self.arguments.check()?;
        let RangeOptions { part_length, settings } = self.value.clone();
        Ok(call.split(part_length).with_settings(settings))
    }
}

/// Creates options with the defaults: one part for the whole range, and a failed part ends the range. Free them with
/// vitalwire_range_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_new() -> Option<Box<vitalwire_range_options>> {
    catch(|| owned(vitalwire_range_options { value: RangeOptions::default(), arguments: Arguments::default() }))
}

/// Sets the length of a part in days: calendar days in a range of dates, 24 hours each in a range of instants.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_part_days(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |options, _| options.part_length = Some(PartLength::Days(count)));
}

/// Sets the length of a part in hours, for ranges of instants only.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_part_hours(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |options, _| options.part_length = Some(PartLength::Hours(count)));
}

/// Sets the maximum number of parts in flight. Defaults to 4.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_concurrency(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |options, _| options.settings.concurrency = usize::try_from(count).unwrap_or(usize::MAX));
}

/// Sets whether failures are collected: a part that fails is returned with its error and does not end the range. Defaults to false.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_collect_failures(options: Option<&mut vitalwire_range_options>, yes: bool) {
    set(options, |options, _| options.settings.on_error = if yes { OnError::Collect } else { OnError::Stop });
}

/// Sets the text of a resume token of an earlier run of the same call. Only the missing parts of that run are requested.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_resume_token(options: Option<&mut vitalwire_range_options>, token: vitalwire_str) {
    set(options, |options, arguments| match arguments.text("resume_token", &token).parse::<ResumeToken>() {
        Ok(token) => options.settings.resume = Some(token),
        Err(error) => arguments.reject("resume_token", error.reason().unwrap_or("must be a resume token")),
    });
}

/// Sets a key that resume tokens are bound to, such as the id of the person in your application.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_resume_key(options: Option<&mut vitalwire_range_options>, key: vitalwire_str) {
    set(options, |options, arguments| options.settings.resume_key = Some(arguments.text("resume_key", &key).to_owned()));
}

/// Copies options. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_clone(options: Option<&vitalwire_range_options>) -> Option<Box<vitalwire_range_options>> {
    guard::clone_object(options)
}

/// Frees options. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_free(options: Option<Box<vitalwire_range_options>>) {
    view::free(options);
}
