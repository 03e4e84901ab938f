//! Functions for tests of the bindings: they echo values of each type, raise each error, panic or run slowly.
//!
//! They need the feature `__probe`, which released libraries do not have. Tests generate bindings from a library with the feature.
#![expect(clippy::panic, reason = "tests check how a panic is converted")]

mod baseline;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::{Error, ErrorKind as Kind};

use crate::call::{CancelToken, catch_panics, catch_panics_async};
use crate::error::ApiError;
use crate::generated::MetricName;
use crate::series::Series;
use crate::value::{CalendarDate, Timestamp};

pub use baseline::{ProbeClient, probe_decode_seconds};

/// Returns its argument, a boolean.
#[uniffi::export]
#[must_use]
pub fn probe_boolean(value: bool) -> bool {
    value
}

/// Returns its argument, an integer.
#[uniffi::export]
#[must_use]
pub fn probe_integer(value: i64) -> i64 {
    value
}

/// Returns its argument, a number.
#[uniffi::export]
#[must_use]
pub fn probe_number(value: f64) -> f64 {
    value
}

/// Returns its argument, a text.
#[uniffi::export]
#[must_use]
pub fn probe_text(value: String) -> String {
    value
}

/// Returns its argument, an optional text.
#[uniffi::export]
#[must_use]
pub fn probe_optional(value: Option<String>) -> Option<String> {
    value
}

/// Returns its argument, a byte array.
#[uniffi::export]
#[must_use]
pub fn probe_bytes(value: Vec<u8>) -> Vec<u8> {
    value
}

/// Returns its argument, a list of texts.
#[uniffi::export]
#[must_use]
pub fn probe_texts(value: Vec<String>) -> Vec<String> {
    value
}

/// Returns its argument, a map of numbers by name.
#[uniffi::export]
#[must_use]
pub fn probe_map(value: HashMap<String, f64>) -> HashMap<String, f64> {
    value
}

/// Returns its argument, a series.
#[uniffi::export]
#[must_use]
pub fn probe_series(value: Series) -> Series {
    value
}

/// Returns the series -0.5, 0.1, 1e300.
#[uniffi::export]
#[must_use]
pub fn probe_numbers() -> Series {
    Series(vec![-0.5, 0.1, 1e300])
}

/// Converts a value of an open set to the core's type and back.
#[uniffi::export]
#[must_use]
pub fn probe_open(value: MetricName) -> MetricName {
    vitalwire::open_sets::MetricName::from(value).into()
}

/// Converts an instant to the core's type and back.
///
/// # Errors
/// If the instant is out of range.
#[uniffi::export]
pub fn probe_timestamp(value: Timestamp) -> Result<Timestamp, ApiError> {
    catch_panics(|| Ok(value.into_core("value")?.into()))
}

/// Converts a date to the core's type and back.
///
/// # Errors
/// If the date does not exist.
#[uniffi::export]
pub fn probe_date(value: CalendarDate) -> Result<CalendarDate, ApiError> {
    catch_panics(|| Ok(value.into_core("value")?.into()))
}

/// Fails with the error kind of this number, or succeeds if there is no such kind.
///
/// # Errors
/// If there is a kind with this number.
#[uniffi::export]
pub fn probe_error(code: u16) -> Result<(), ApiError> {
    Kind::from_code(code).map_or(Ok(()), |kind| Err(Error::new(kind).into()))
}

/// Panics in a synchronous function. The text must not appear anywhere.
///
/// # Errors
/// Always.
#[uniffi::export]
pub fn probe_panic(text: String) -> Result<(), ApiError> {
    catch_panics(|| panic!("{text}"))
}

/// Panics in an async function. The text must not appear anywhere.
///
/// # Errors
/// Always.
#[uniffi::export(async_runtime = "tokio")]
pub async fn probe_panic_later(text: String) -> Result<(), ApiError> {
    vitalwire::boundary::hide_panic_messages();
    catch_panics_async(async move { panic!("{text}") }).await
}

/// Sleeps for this many milliseconds, unless it is cancelled.
///
/// # Errors
/// If it was cancelled.
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
    catch_panics_async(work).await
}
