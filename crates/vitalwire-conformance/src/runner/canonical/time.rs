//! Instants and dates as texts, computed from numbers, so that the client's own formatting is not used.

const SECONDS_PER_DAY: i64 = 86_400;

/// Formats seconds since 1970 and nanoseconds as `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, without trailing zeros.
pub(super) fn instant(seconds: i64, nanoseconds: u32) -> String {
    let (year, month, day) = civil(seconds.div_euclid(SECONDS_PER_DAY));
    let second = seconds.rem_euclid(SECONDS_PER_DAY);
    let (hours, minutes, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if nanoseconds == 0 { String::new() } else { format!(".{nanoseconds:09}") };
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{second:02}{}Z", fraction.trim_end_matches('0'))
}

/// Formats a date as `YYYY-MM-DD`.
pub(super) fn date(year: i16, month: i8, day: i8) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns year, month and day of a number of days after 1970-01-01, in the Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that a leap day is the last day of a year. Day 0 is 0000-03-01.
    let days = days + 719_468;
    // 400 years have 146,097 days.
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    // Subtract a day for every leap day so far: one in 4 years, none in 100, one in 400.
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // The five months from March have 153 days, and so do the five from August.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_in_utc_without_trailing_zeros() {
        assert_eq!(instant(0, 0), "1970-01-01T00:00:00Z");
        assert_eq!(instant(-1, 500_000_000), "1969-12-31T23:59:59.5Z");
        assert_eq!(instant(951_782_400, 0), "2000-02-29T00:00:00Z");
        assert_eq!(instant(1_709_251_199, 999_999_999), "2024-02-29T23:59:59.999999999Z");
        assert_eq!(instant(4_107_542_400, 10), "2100-03-01T00:00:00.00000001Z");
        assert_eq!(instant(1_735_689_599, 120_000_000), "2024-12-31T23:59:59.12Z");
        assert_eq!(instant(-62_135_596_800, 0), "0001-01-01T00:00:00Z");
        assert_eq!(instant(253_402_300_799, 0), "9999-12-31T23:59:59Z");
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let (mut year, mut month, mut day) = (1600, 1, 1);
        // 1600-01-01 is 135,140 days before 1970-01-01: 370 years of 365 days, and 90 leap days.
        for days in -135_140..=73_049 {
            assert_eq!(civil(days), (year, month, day), "{days}");
            let last = match month {
                2 => 28 + i64::from(leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > last {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        // After 2169 more whole years.
        assert_eq!((year, month, day), (2170, 1, 2));
    }

    #[test]
    fn dates_have_two_digits_and_four() {
        assert_eq!(date(7, 1, 9), "0007-01-09");
        assert_eq!(date(2024, 12, 31), "2024-12-31");
    }
}
