//! Functions that only tests have: each type there and back, each error raised, a panic, a slow call.
//!
//! Behind the feature `__probe`, which nothing that is shipped has. Bindings with them are made from a library built with it.
#![expect(clippy::panic, reason = "what becomes of a panic is what is tested")]

mod baseline;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::{Error, ErrorKind as Kind};

use crate::call::{CancelToken, guarded, guarded_call};
use crate::error::ApiError;
use crate::generated::MetricName;
use crate::series::Series;
use crate::value::{CalendarDate, Timestamp};

pub use baseline::{ProbeClient, probe_decode_seconds};

/// A boolean.
#[uniffi::export]
#[must_use]
pub fn probe_boolean(value: bool) -> bool {
    value
}

/// An integer.
#[uniffi::export]
#[must_use]
pub fn probe_integer(value: i64) -> i64 {
    value
}

/// A number.
#[uniffi::export]
#[must_use]
pub fn probe_number(value: f64) -> f64 {
    value
}

/// A text.
#[uniffi::export]
#[must_use]
pub fn probe_text(value: String) -> String {
    value
}

/// A text, a list or a map that may be absent.
#[uniffi::export]
#[must_use]
pub fn probe_optional(value: Option<String>) -> Option<String> {
    value
}

/// Bytes.
#[uniffi::export]
#[must_use]
pub fn probe_bytes(value: Vec<u8>) -> Vec<u8> {
    value
}

/// Texts.
#[uniffi::export]
#[must_use]
pub fn probe_texts(value: Vec<String>) -> Vec<String> {
    value
}

/// Numbers by name.
#[uniffi::export]
#[must_use]
pub fn probe_map(value: HashMap<String, f64>) -> HashMap<String, f64> {
    value
}

/// A series.
#[uniffi::export]
#[must_use]
pub fn probe_series(value: Series) -> Series {
    value
}

/// The series -0.5, 0.1, 1e300.
#[uniffi::export]
#[must_use]
pub fn probe_numbers() -> Series {
    Series(vec![-0.5, 0.1, 1e300])
}

/// A value of an open set, by way of the core's.
#[uniffi::export]
#[must_use]
pub fn probe_open(value: MetricName) -> MetricName {
    vitalwire::open_sets::MetricName::from(value).into()
}

/// An instant, by way of the core's.
///
/// # Errors
/// Where it is none.
#[uniffi::export]
pub fn probe_timestamp(value: Timestamp) -> Result<Timestamp, ApiError> {
    guarded(|| Ok(value.into_core("value")?.into()))
}

/// A date, by way of the core's.
///
/// # Errors
/// Where it is none.
#[uniffi::export]
pub fn probe_date(value: CalendarDate) -> Result<CalendarDate, ApiError> {
    guarded(|| Ok(value.into_core("value")?.into()))
}

/// An error of the kind with this number; none where there is no such kind.
///
/// # Errors
/// That one.
#[uniffi::export]
pub fn probe_error(code: u16) -> Result<(), ApiError> {
    Kind::from_code(code).map_or(Ok(()), |kind| Err(Error::new(kind).into()))
}

/// A panic with this text, which must be seen nowhere; in a function that gives its answer at once.
///
/// # Errors
/// Always.
#[uniffi::export]
pub fn probe_panic(text: String) -> Result<(), ApiError> {
    guarded(|| panic!("{text}"))
}

/// The same in a call that is awaited.
///
/// # Errors
/// Always.
#[uniffi::export(async_runtime = "tokio")]
pub async fn probe_panic_later(text: String) -> Result<(), ApiError> {
    vitalwire::boundary::quiet_panics();
    guarded_call(async move { panic!("{text}") }).await
}

/// A call that takes so many milliseconds, unless it is cancelled.
///
/// # Errors
/// Where it was cancelled.
#[uniffi::export(async_runtime = "tokio")]
pub async fn probe_slow(milliseconds: u64, cancel: Option<Arc<CancelToken>>) -> Result<u64, ApiError> {
    let work = async move {
        let sleep = tokio::time::sleep(Duration::from_millis(milliseconds));
        let slept = match &cancel {
            Some(token) => token.token.unless_cancelled(sleep).await,
            None => {
                sleep.await;
                Some(())
            }
        };
        slept.map(|()| milliseconds).ok_or_else(|| vitalwire::Error::cancelled().into())
    };
    guarded_call(work).await
}
