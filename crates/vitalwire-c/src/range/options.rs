//! How a range is requested.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use vitalwire::Error;
use vitalwire::client::Call;
use vitalwire::range::{OnError, PartLength, RangeCall, RangeOperation, RangeSettings, ResumeToken};

use crate::given::{Given, Settings, set};
use crate::guard::{self, catch};
use crate::kind::owned;
use crate::value::vitalwire_str;
use crate::view;

/// How a range is requested; what is not set keeps its default. Calls only read it, so it can be used for many.
#[derive(Clone)]
pub struct vitalwire_range_options {
    value: Wanted,
    given: Given,
}

/// What was set.
#[derive(Clone, Default)]
pub struct Wanted {
    part_length: Option<PartLength>,
    settings: RangeSettings,
}

impl Settings for vitalwire_range_options {
    type Value = Wanted;

    fn parts(&mut self) -> (&mut Wanted, &mut Given) {
        (&mut self.value, &mut self.given)
    }
}

impl vitalwire_range_options {
    /// A call in parts.
    pub(crate) fn split<O: RangeOperation>(&self, call: Call<O>) -> Result<RangeCall<O>, Error> {
        self.given.check()?;
        let Wanted { part_length, settings } = self.value.clone();
        Ok(call.split(part_length).with_settings(settings))
    }
}

/// Makes options in which nothing is set: one part, four at once, a part that fails ends the range.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_new() -> Option<Box<vitalwire_range_options>> {
    catch(|| owned(vitalwire_range_options { value: Wanted::default(), given: Given::default() }))
}

/// The length of a part in days: calendar days in a range of dates, 24 hours each in a range of instants.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_part_days(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |wanted, _| wanted.part_length = Some(PartLength::Days(count)));
}

/// The length of a part in hours, in a range of instants, instead of days.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_part_hours(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |wanted, _| wanted.part_length = Some(PartLength::Hours(count)));
}

/// How many parts may be requested at once; 4 by default.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_concurrency(options: Option<&mut vitalwire_range_options>, count: u32) {
    set(options, |wanted, _| wanted.settings.concurrency = usize::try_from(count).unwrap_or(usize::MAX));
}

/// Whether a part that fails is handed out with its error; false by default: its error ends the range.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_collect_failures(options: Option<&mut vitalwire_range_options>, yes: bool) {
    set(options, |wanted, _| wanted.settings.on_error = if yes { OnError::Collect } else { OnError::Stop });
}

/// The text of a resume token: only what an earlier run of the same call left is requested.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_resume_token(options: Option<&mut vitalwire_range_options>, token: vitalwire_str) {
    set(options, |wanted, given| match given.text("resume_token", &token).parse::<ResumeToken>() {
        Ok(token) => wanted.settings.resume = Some(token),
        Err(error) => given.refuse("resume_token", error.reason().unwrap_or("it is no resume token")),
    });
}

/// A key of the caller, such as their own id of the person, that resume tokens are bound to.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_set_resume_key(options: Option<&mut vitalwire_range_options>, key: vitalwire_str) {
    set(options, |wanted, given| wanted.settings.resume_key = Some(given.text("resume_key", &key).to_owned()));
}

/// Copies options: a change of one does not change the other. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_clone(options: Option<&vitalwire_range_options>) -> Option<Box<vitalwire_range_options>> {
    guard::copied(options)
}

/// Frees options; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_range_options_free(options: Option<Box<vitalwire_range_options>>) {
    view::free(options);
}
