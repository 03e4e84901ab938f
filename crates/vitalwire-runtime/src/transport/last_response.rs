//! The last response of a service: the time of the service's clock, and the data set of a sandbox.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio::time::Instant;

use crate::value::Timestamp;

/// Header in which a sandbox states its data set. A static, because the name would otherwise be parsed for every response.
static SANDBOX: HeaderName = HeaderName::from_static("vitalwire-sandbox");

/// Maximum length of the name of a data set, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// Facts that the last response of a service states about the service.
#[derive(Default)]
pub(crate) struct LastResponse(Mutex<State>);

#[derive(Default)]
struct State {
    /// Last valid `Date` header, and the time of its arrival.
    date: Option<(Timestamp, Instant)>,
    /// Data set of the sandbox that sent the last response.
    sandbox: Option<String>,
}

impl LastResponse {
    /// Records the headers of a response.
    pub(super) fn record(&self, headers: &HeaderMap) {
        let date = headers.get(header::DATE).and_then(parse_date).map(|date| (date, Instant::now()));
        let sandbox = headers.get(&SANDBOX).and_then(parse_name);
        let mut state = self.state();
        state.date = date.or(state.date);
        if state.sandbox.as_deref() != sandbox {
            state.sandbox = sandbox.map(str::to_owned);
        }
    }

    /// Returns the time of the service's clock: the last `Date` plus the time since then.
    pub(crate) fn service_time(&self) -> Option<Timestamp> {
        let (date, arrived) = self.state().date?;
        SystemTime::from(date).checked_add(arrived.elapsed()).and_then(|time| time.try_into().ok())
    }

    /// Returns the data set of the sandbox that sent the last response.
    pub(crate) fn sandbox(&self) -> Option<String> {
        self.state().sandbox.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses a `Date` header. Returns `None` for invalid values and for instants that [`Timestamp`] cannot represent.
fn parse_date(value: &HeaderValue) -> Option<Timestamp> {
    Timestamp::try_from(httpdate::parse_http_date(value.to_str().ok()?).ok()?).ok()
}

/// Returns the name of a data set, if it is short, visible ASCII.
fn parse_name(value: &HeaderValue) -> Option<&str> {
    let valid = (1..=MAX_NAME_BYTES).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic);
    value.to_str().ok().filter(|_| valid)
}

#[cfg(test)]
mod tests;
