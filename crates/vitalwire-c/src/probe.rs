//! Functions that only tests have: each type there and back, each error raised, a panic, a slow call; and what is measured against: the Rust
//! client, in the same process.
//!
//! Behind the feature `__probe`, which nothing that is shipped has; the header does not declare them, `bindings/c/tests/probe.h` does.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]
#![expect(clippy::panic, reason = "what becomes of a panic is what is tested")]

use std::ffi::c_void;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use vitalwire::client::CancelToken;
use vitalwire::value::Base64;
use vitalwire::{Client, Error, ErrorKind};

use crate::cancel::vitalwire_cancel_token;
use crate::client::vitalwire_client;
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::given::Given;
use crate::guard::{handle, optional, present};
use crate::kind::{self, owned};
use crate::outcome::attempt;
use crate::started::{vitalwire_call, vitalwire_completion};
use crate::starting::{Then, finish, start};
use crate::user_data::vitalwire_destructor;
use crate::value::{vitalwire_date, vitalwire_json, vitalwire_numbers, vitalwire_str, vitalwire_timestamp};
use crate::view;

/// What calls are that panic.
const PANIC: &str = "probe_panic";

/// The caller's place for an error.
type Failed<'a> = Option<&'a mut MaybeUninit<Box<vitalwire_error>>>;

/// What an argument is as the core's type, and as C gets it from there.
fn echo<T>(out: Option<&mut MaybeUninit<T>>, error: Failed<'_>, value: impl FnOnce(&mut Given) -> T) -> vitalwire_code {
    attempt(error, || {
        let mut given = Given::default();
        let value = value(&mut given);
        given.check()?;
        present(out, "out")?.write(value);
        Ok(())
    })
}

/// A text, as an owned one.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_text(
    text: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_json>>>,
    error: Failed<'_>,
) -> vitalwire_code {
    echo(out, error, |given| owned(vitalwire_json(given.text("text", &text).to_owned())))
}

/// Bytes, as the text that is sent of them.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_bytes(
    data: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<Box<vitalwire_json>>>,
    error: Failed<'_>,
) -> vitalwire_code {
    let sent = |bytes: Base64| serde_json::to_string(&bytes).unwrap_or_default();
    echo(out, error, |given| owned(vitalwire_json(sent(given.bytes("bytes", data, length)))))
}

/// A boolean.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_boolean(value: bool) -> bool {
    value
}

/// An integer.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_integer(value: i64) -> i64 {
    value
}

/// A number.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_number(value: f64) -> f64 {
    value
}

/// A series, as the view of it that an accessor gives.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_numbers() -> vitalwire_numbers {
    static NUMBERS: [f64; 3] = [-0.5, 0.1, 1e300];
    vitalwire_numbers::from(NUMBERS.as_slice())
}

/// An instant.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_timestamp(
    at: vitalwire_timestamp,
    out: Option<&mut MaybeUninit<vitalwire_timestamp>>,
    error: Failed<'_>,
) -> vitalwire_code {
    echo(out, error, |given| given.timestamp("at", at).into())
}

/// A date.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_date(
    day: vitalwire_date,
    out: Option<&mut MaybeUninit<vitalwire_date>>,
    error: Failed<'_>,
) -> vitalwire_code {
    echo(out, error, |given| given.date("day", day).into())
}

/// An error of the kind with this number; none where there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_error(number: u16, error: Failed<'_>) -> vitalwire_code {
    let kind = ErrorKind::ALL.iter().find(|kind| kind.code() == number);
    attempt(error, || kind.map_or(Ok(()), |kind| Err(Error::new(*kind))))
}

/// A panic whose text must be seen nowhere.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic(error: Failed<'_>) -> vitalwire_code {
    attempt(error, || panic!("canary-panic"))
}

/// A call that panics on its way, with the same text; of a client, whose completions it has.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic_start(
    client: Option<&vitalwire_client>,
    completion: vitalwire_completion,
    user_data: *mut c_void,
    destructor: vitalwire_destructor,
    out: Option<&mut MaybeUninit<*mut vitalwire_call>>,
    error: Failed<'_>,
) -> vitalwire_code {
    let then = Then::new(completion, user_data, destructor);
    attempt(error, || {
        let endings = handle(client, "client")?.endings.clone();
        let out = present(out, "out")?;
        start(PANIC, &endings, CancelToken::new(), then, out, |_| async {
            tokio::task::yield_now().await;
            if black_box(true) {
                panic!("canary-panic");
            }
            Ok(vitalwire_json(String::new()))
        })
    })
}

/// What came of it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_panic_finish(call: Option<&vitalwire_call>, error: Failed<'_>) -> vitalwire_code {
    let mut out = MaybeUninit::<Box<vitalwire_json>>::uninit();
    finish(PANIC, call, Some(&mut out), error)
}

/// A call that takes so many milliseconds, unless it is cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_slow(milliseconds: u64, cancel: Option<&vitalwire_cancel_token>, error: Failed<'_>) -> vitalwire_code {
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

/// The Rust client, which makes small calls.
pub struct vitalwire_probe_client(Client);

/// A client with a token.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_new(
    base_url: vitalwire_str,
    token: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_probe_client>>>,
    error: Failed<'_>,
) -> vitalwire_code {
    attempt(error, || {
        let mut given = Given::default();
        let builder = Client::builder().base_url(given.text("base_url", &base_url)).token(given.text("token", &token));
        given.check()?;
        present(out, "out")?.write(owned(vitalwire_probe_client(builder.build()?)));
        Ok(())
    })
}

/// Calls `user.info` so many times, one after the other, as a program in Rust that blocks does; the seconds of one call.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_seconds(
    client: Option<&vitalwire_probe_client>,
    times: u32,
    out: Option<&mut MaybeUninit<f64>>,
    error: Failed<'_>,
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

/// Frees it.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_client_free(client: Option<Box<vitalwire_probe_client>>) {
    view::free(client);
}

/// How many handles were refused until now; -1 where this build checks none.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_probe_refused() -> i64 {
    if kind::CHECKED { i64::try_from(kind::refused()).unwrap_or(i64::MAX) } else { -1 }
}
