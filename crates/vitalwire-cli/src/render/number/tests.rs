use super::*;

#[test]
fn thousands_are_grouped() {
    for (value, decimals, expected) in [
        (0.0, 0, "0"),
        (999.0, 0, "999"),
        (1_000.0, 0, "1,000"),
        (1_234_567.891, 2, "1,234,567.89"),
        (-1_234.5, 1, "-1,234.5"),
        (-0.004, 2, "0.00"),
        (-0.2, 2, "-0.20"),
        (f64::NAN, 0, "NaN"),
        (f64::INFINITY, 1, "inf"),
    ] {
        assert_eq!(grouped(value, decimals), expected);
    }
}

#[test]
fn brief_numbers_have_no_trailing_zeros() {
    assert_eq!(brief(350.0, 2), "350");
    assert_eq!(brief(1_200.0, 0), "1,200");
    assert_eq!(brief(0.25, 2), "0.25");
    assert_eq!(brief(4.10, 2), "4.1");
}

#[test]
fn small_numbers_keep_two_digits() {
    for (value, decimals, expected) in [
        (0.0, 1, "0.0"),
        (12.34, 1, "12.3"),
        (1_234.0, 0, "1,234"),
        (0.5, 1, "0.5"),
        (0.45, 1, "0.45"),
        (0.0345, 1, "0.035"),
        (0.002, 1, "0.002"),
        (-0.0021, 1, "-0.0021"),
        (0.4, 0, "0.4"),
        (0.999, 1, "1.0"),
        (3.42e-8, 1, "3.4e-8"),
        (f64::NAN, 1, "NaN"),
    ] {
        assert_eq!(significant(value, decimals), expected, "{value}");
    }
}

#[test]
fn durations_are_rounded_to_minutes() {
    assert_eq!(hours_minutes(0.0), "0:00");
    assert_eq!(hours_minutes(25_500_000.0), "7:05");
    // 59 min 30 s rounds to the hour.
    assert_eq!(hours_minutes(3_570_000.0), "1:00");
    assert_eq!(hours_minutes(-120_000.0), "-0:02");
}

#[test]
fn local_times_are_shifted_by_the_offset() {
    let at: Timestamp = "2025-11-20T22:04:30Z".parse().expect("a date-time");
    assert_eq!(clock(at, 60), "23:04");
    assert_eq!(clock(at, 330), "03:34");
    assert_eq!(clock(at, -300), "17:04");
    assert_eq!(clock(at, i64::MAX), "");
    assert_eq!(date(at), "2025-11-20");
    assert_eq!(offset(330), "UTC+05:30");
    assert_eq!(offset(-300), "UTC-05:00");
    assert_eq!(offset(0), "UTC+00:00");
}

#[test]
fn days_are_formatted_with_names() {
    assert_eq!(day(civil::date(2025, 11, 21)), "Fri 21 Nov 2025");
    assert_eq!(short_day(civil::date(2024, 2, 9)), "9 Feb");
}
