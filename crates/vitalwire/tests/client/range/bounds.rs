//! Date ranges and instant ranges.

use std::time::Duration;

use vitalwire::error::ErrorKind;
use vitalwire::range::{DateRange, InstantRange};

use crate::range::{date, days, instant, instants};

#[test]
fn a_date_range_includes_both_ends() {
    assert_eq!(days("2025-03-01", "2025-03-01").days(), 1);
    assert_eq!(days("2024-02-28", "2024-03-01").days(), 3);
    assert_eq!(days("2025-01-01", "2025-12-31").days(), 365);
    let week = DateRange::ending(date("2024-03-02"), 7).unwrap();
    assert_eq!((week.first(), week.last()), (date("2024-02-25"), date("2024-03-02")));
    assert!(week.contains(date("2024-02-25")) && week.contains(date("2024-03-02")) && !week.contains(date("2024-03-03")));
}

#[test]
fn an_invalid_range_is_rejected() {
    let error = DateRange::new(date("2025-01-02"), date("2025-01-01")).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("last")));
    for days in [0, u32::MAX, 4_000_000_000, 2_147_483_648] {
        assert_eq!(DateRange::ending(date("2025-01-02"), days).unwrap_err().argument(), Some("days"));
    }
    let noon = instant("2025-01-01T12:00:00Z");
    assert_eq!(InstantRange::new(noon, noon).unwrap_err().argument(), Some("to"));
    assert_eq!(InstantRange::ending(noon, Duration::ZERO).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(InstantRange::ending(noon, Duration::MAX).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn an_instant_range_excludes_its_end() {
    let day = instants("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z");
    assert_eq!(day.duration(), Duration::from_secs(86_400));
    assert!(day.contains(day.start()) && !day.contains(day.end()));
    assert_eq!(InstantRange::ending(day.end(), Duration::from_secs(86_400)).unwrap(), day);
}
