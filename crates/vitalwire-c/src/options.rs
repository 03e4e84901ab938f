//! Options of one call.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::time::Duration;

use vitalwire::client::{ArrayStyle, CallOptions};

use crate::given::{Given, Settings, set};
use crate::guard::catch;
use crate::value::vitalwire_str;

/// Options of one call; what is not set comes from the client. Calls only read it, so it can be used for many.
pub struct vitalwire_call_options {
    pub(crate) value: CallOptions,
    pub(crate) given: Given,
}

impl Settings for vitalwire_call_options {
    type Value = CallOptions;

    fn parts(&mut self) -> (&mut CallOptions, &mut Given) {
        (&mut self.value, &mut self.given)
    }
}

/// Carries out a setter of the core, which takes its settings by value.
fn with(options: Option<&mut vitalwire_call_options>, change: impl FnOnce(CallOptions, &mut Given) -> CallOptions) {
    set(options, |options, given| *options = change(std::mem::take(options), given));
}

/// Makes options in which nothing is set.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_new() -> Option<Box<vitalwire_call_options>> {
    catch(|| Box::new(vitalwire_call_options { value: CallOptions::new(), given: Given::default() }))
}

/// Frees options; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_free(options: Option<Box<vitalwire_call_options>>) {
    catch(|| drop(options));
}

/// How long making a connection may take, TLS included, in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_connect_timeout_ms(options: Option<&mut vitalwire_call_options>, milliseconds: u64) {
    with(options, |options, _| options.connect_timeout(Duration::from_millis(milliseconds)));
}

/// How long one attempt may take, from sending to the end of the answer, in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_attempt_timeout_ms(options: Option<&mut vitalwire_call_options>, milliseconds: u64) {
    with(options, |options, _| options.attempt_timeout(Duration::from_millis(milliseconds)));
}

/// How long the whole call may take, attempts and waits between them, in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_total_timeout_ms(options: Option<&mut vitalwire_call_options>, milliseconds: u64) {
    with(options, |options, _| options.total_timeout(Duration::from_millis(milliseconds)));
}

/// How often a failed attempt may be tried again; 0 is never.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_max_retries(options: Option<&mut vitalwire_call_options>, retries: u32) {
    with(options, |options, _| options.max_retries(retries));
}

/// Allows sending an upload again although the first may have had an effect: it may then be there twice.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_allow_resend(options: Option<&mut vitalwire_call_options>, allow: bool) {
    with(options, |options, _| options.allow_resend(allow));
}

/// Adds a header. Headers that the client writes itself are refused when the call is made.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_add_header(
    options: Option<&mut vitalwire_call_options>,
    name: vitalwire_str,
    value: vitalwire_str,
) {
    with(options, |options, given| options.header(given.text("header", &name), given.text("header", &value)));
}

/// Adds a pair to the query, after the operation's own.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_add_query(
    options: Option<&mut vitalwire_call_options>,
    name: vitalwire_str,
    value: vitalwire_str,
) {
    with(options, |options, given| options.query(given.text("query", &name), given.text("query", &value)));
}

/// Whether lists travel in the query as one comma-separated value instead of a repeated key.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_comma_lists(options: Option<&mut vitalwire_call_options>, comma: bool) {
    with(options, |options, _| options.array_style(if comma { ArrayStyle::Comma } else { ArrayStyle::Repeated }));
}

/// Uses this token instead of the client's.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_call_options_set_token(options: Option<&mut vitalwire_call_options>, token: vitalwire_str) {
    with(options, |options, given| options.token(given.text("token", &token)));
}
