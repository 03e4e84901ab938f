//! Functions for tests and benchmarks: round trips of each type, every error, a panic, a slow call, and calls of the Rust client.
//!
//! Requires the feature `__probe`, which no release has. Declared in `bindings/c/tests/probe.h`, not in the public header.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]
#![expect(clippy::panic, reason = "tests check how a panic is converted to an error")]

use std::ffi::c_void;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use vitalwire::client::CancelToken;
use vitalwire::value::Base64;
use vitalwire::{Client, Error, ErrorKind};

use crate::arguments::Arguments;
use crate::cancel::vitalwire_cancel_token;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::{handle, optional, present};
use crate::handles::{self, owned};
use crate::outcome::attempt;
use crate::pending_calls::{vitalwire_call, vitalwire_completion};
use crate::start::{CompletionCallback, finish, start};
use crate::user_data::vitalwire_destructor;
use crate::value::{vitalwire_date, vitalwire_json, vitalwire_numbers, vitalwire_str, vitalwire_timestamp};
use crate::view;

/// Name of calls that panic.
const PANIC: &str = "probe_panic";

/// Output parameter for an error.
type ErrorOut<'a> = Option<&'a mut MaybeUninit<Box<vitalwire_error>>>;

/// Converts an argument to the core's type and back.
fn echo<T>(out: Option<&mut MaybeUninit<T>>, error: ErrorOut<'_>, value: impl FnOnce(&mut Arguments) -> T) -> vitalwire_code {
    attempt(error, || {
        let mut arguments = Arguments::default();
        let value = value(&mut arguments);
        arguments.check()?;
        present(out, "out")?.write(value);
        Ok(())
    })
}

/// Returns an owned copy of a text.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_text(
    text: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_json>>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    echo(out, error, |arguments| owned(vitalwire_json(arguments.text("text", &text).to_owned())))
}

/// Returns the text that an upload sends for these bytes.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_bytes(
    data: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_json>>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    let sent = |bytes: Base64| serde_json::to_string(&bytes).unwrap_or_default();
    echo(out, error, |arguments| owned(vitalwire_json(sent(arguments.bytes("bytes", data, length)))))
}

/// Returns a boolean.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_boolean(value: bool) -> bool {
    value
}

/// Returns an integer.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_integer(value: i64) -> i64 {
    value
}

/// Returns a number.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_number(value: f64) -> f64 {
    value
}

/// Returns a static series.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_numbers() -> vitalwire_numbers {
    static NUMBERS: [f64; 3] = [-0.5, 0.1, 1e300];
    vitalwire_numbers::from(NUMBERS.as_slice())
}

/// Returns an instant.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_timestamp(
    at: vitalwire_timestamp,
    out: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    echo(out, error, |arguments| arguments.timestamp("at", at).into())
}

/// Returns a date.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_date(
    day: vitalwire_date,
    out: Option<&mut MaybeUninit<vitalwire_date>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    echo(out, error, |arguments| arguments.date("day", day).into())
}

/// Fails with the error kind of this number. Succeeds if there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_error(number: u16, error: ErrorOut<'_>) -> vitalwire_code {
    let kind = ErrorKind::ALL.iter().find(|kind| kind.code() == number);
    attempt(error, || kind.map_or(Ok(()), |kind| Err(Error::new(*kind))))
}

/// Panics with a text that must not appear in any message.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic(error: ErrorOut<'_>) -> vitalwire_code {
    attempt(error, || panic!("canary-panic"))
}

/// Starts a call that panics with the same text. The completion runs in the queue of `client`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic_start(
    client: Option<&vitalwire_client>,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    let callback = CompletionCallback::new(completion, user_data, destructor);
    attempt(error, || {
        let completions = handle(client, "client")?.completions.clone();
        let out = present(out, "out")?;
        start(PANIC, &completions, CancelToken::new(), callback, out, |_| async {
            tokio::task::yield_now().await;
            if black_box(true) {
                panic!("canary-panic");
            }
            Ok(vitalwire_json(String::new()))
        })
    })
}

/// Takes the outcome of the call that panics.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic_finish(call: Option<&vitalwire_call>, error: ErrorOut<'_>) -> vitalwire_code {
    let mut out = MaybeUninit::<Box<vitalwire_json>>::uninit();
    finish(PANIC, call, Some(&mut out), error)
}

/// Blocks for `milliseconds`, or until `cancel` is cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_slow(milliseconds: u64, cancel: Option<&vitalwire_cancel_token>, error: ErrorOut<'_>) -> vitalwire_code {
    attempt(error, || {
        let cancel = optional(cancel, "cancel")?;
        vitalwire::blocking::block_on(async {
            let sleep = tokio::time::sleep(Duration::from_millis(milliseconds));
            match cancel {
                Some(cancel) => cancel.0.unless_cancelled(sleep).await,
                None => {
                    sleep.await;
                    Some(())
                }
            }
        })?
        .ok_or_else(Error::cancelled)
    })
}

/// A Rust client, as the baseline for small calls.
pub struct vitalwire_probe_client(Client);

/// Creates a Rust client with a base URL and a token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_new(
    base_url: vitalwire_str,
    token: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_probe_client>>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    attempt(error, || {
        let mut arguments = Arguments::default();
        let builder = Client::builder().base_url(arguments.text("base_url", &base_url)).token(arguments.text("token", &token));
        arguments.check()?;
        present(out, "out")?.write(owned(vitalwire_probe_client(builder.build()?)));
        Ok(())
    })
}

/// Calls `user.info` in sequence, `times` times, with the blocking Rust client. Writes the seconds per call.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_seconds(
    client: Option<&vitalwire_probe_client>,
    times: u32,
    out: Option<&mut MaybeUninit<f64>>,
    error: ErrorOut<'_>,
) -> vitalwire_code {
    attempt(error, || {
        let vitalwire_probe_client(client) = handle(client, "client")?;
        let started = Instant::now();
        for _ in 0..times {
            black_box(client.user().info().send_blocking()?);
        }
        present(out, "out")?.write(started.elapsed().as_secs_f64() / f64::from(times));
        Ok(())
    })
}

/// Frees a client.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_free(client: Option<Box<vitalwire_probe_client>>) {
    view::free(client);
}

/// Returns how many invalid handles were detected; -1 if this build does not check handles.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_refused() -> i64 {
    if handles::CHECKED { i64::try_from(handles::invalid_count()).unwrap_or(i64::MAX) } else { -1 }
}
