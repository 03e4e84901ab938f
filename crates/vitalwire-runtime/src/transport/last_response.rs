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
mod tests {
    use std::time::Duration;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn time(last: &LastResponse) -> Option<String> {
        last.service_time().map(|time| time.to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn the_clock_continues_after_the_last_valid_date() {
        let last = LastResponse::default();
        assert_eq!(time(&last), None);
        last.record(&headers(&[("date", "Fri, 21 Nov 2025 12:00:00 GMT")]));
        assert_eq!(time(&last).as_deref(), Some("2025-11-21T12:00:00Z"));
        tokio::time::advance(Duration::from_millis(1_500)).await;
        assert_eq!(time(&last).as_deref(), Some("2025-11-21T12:00:01.5Z"));
        // A service's clock may be set back.
        last.record(&headers(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT")]));
        assert_eq!(time(&last).as_deref(), Some("1994-11-06T08:49:37Z"));
    }

    #[tokio::test(start_paused = true)]
    async fn invalid_dates_are_ignored() {
        let last = LastResponse::default();
        for date in [
            "",
            "soon",
            "2025-11-21T12:00:00Z",
            "Fri, 21 Nov 2025 12:00:00 +0200",
            "Fri, 21 Nov 2025 25:00:00 GMT",
            "Mon, 21 Nov 2025 12:00:00 GMT",
            "Fri, 31 Feb 2025 12:00:00 GMT",
            "Fri, 21 Nov 0000 12:00:00 GMT",
            "Fri, 21 Nov 99999 12:00:00 GMT",
            "Fri, 21 Nov 2025 12:00:00 GMT, Fri, 21 Nov 2025 12:00:00 GMT",
        ] {
            last.record(&headers(&[("date", date)]));
            assert_eq!(time(&last), None, "{date}");
        }
        last.record(&HeaderMap::from_iter([(header::DATE, HeaderValue::from_bytes(b"\xff").unwrap())]));
        assert_eq!(time(&last), None);
        last.record(&headers(&[("date", "Fri, 21 Nov 2025 12:00:00 GMT")]));
        last.record(&headers(&[("date", "soon")]));
        last.record(&HeaderMap::new());
        assert_eq!(time(&last).as_deref(), Some("2025-11-21T12:00:00Z"));
    }

    #[test]
    fn a_sandbox_is_known_by_its_last_response() {
        let last = LastResponse::default();
        last.record(&headers(&[("vitalwire-sandbox", "seed=7")]));
        assert_eq!(last.sandbox().as_deref(), Some("seed=7"));
        last.record(&headers(&[("vitalwire-sandbox", &"x".repeat(64))]));
        assert_eq!(last.sandbox().map(|name| name.len()), Some(64));
        for invalid in ["", "seed 7", "seed\t7", &"x".repeat(65)] {
            last.record(&headers(&[("vitalwire-sandbox", invalid)]));
            assert_eq!(last.sandbox(), None, "{invalid}");
        }
        last.record(&headers(&[("vitalwire-sandbox", "seed=8")]));
        last.record(&HeaderMap::new());
        assert_eq!(last.sandbox(), None);
    }
}
