use super::*;

#[test]
fn numbers_and_days_are_inverse() {
    assert_eq!(day_number(date(1970, 1, 2)), 1);
    assert_eq!(day_number(date(1969, 12, 31)), -1);
    assert_eq!(day_number(date(2025, 11, 21)), 20_413);
    assert_eq!(from_number(20_413), Some(date(2025, 11, 21)));
    assert_eq!(from_number(i32::MAX), None);
    assert_eq!(from_number(i32::MIN), None);
}

#[test]
fn every_zone_has_its_offsets() {
    // Minutes on 2025-01-15 and 2025-07-15 at noon UTC.
    let expected = [(60, 120), (-300, -240), (330, 330), (660, 600), (-180, -180), (-480, -420)];
    for (zone, (january, july)) in ZONES.iter().zip(expected) {
        let rules = zone.rules();
        assert_eq!(offset_minutes(&rules, 1_736_942_400), january, "{}", zone.name);
        assert_eq!(offset_minutes(&rules, 1_752_580_800), july, "{}", zone.name);
    }
}

#[test]
fn local_times_beyond_the_calendar_are_clamped() {
    let berlin = ZONES[0].rules();
    assert_eq!(unix_seconds(&berlin, DateTime::MAX), Timestamp::MAX.as_second());
    assert_eq!(unix_seconds(&berlin, DateTime::MIN), Timestamp::MIN.as_second());
    assert_eq!(instant(i64::MAX), Timestamp::MAX);
    assert_eq!(instant(i64::MIN), Timestamp::MIN);
}

#[test]
fn a_day_of_a_clock_change_has_23_or_25_hours() {
    let berlin = ZONES[0].rules();
    let hours = |day| (midnight(&berlin, next_day(day)) - midnight(&berlin, day)) / 3600;
    assert_eq!(hours(date(2025, 3, 30)), 23);
    assert_eq!(hours(date(2025, 10, 26)), 25);
    assert_eq!(hours(date(2025, 11, 21)), 24);
}
