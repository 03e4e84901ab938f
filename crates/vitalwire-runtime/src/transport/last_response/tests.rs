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
