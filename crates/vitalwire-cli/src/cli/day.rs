//! Dates on the command line, absolute or relative to today.

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use vitalwire::value::Date;

/// Maximum number of days before today, about a hundred years. It catches typing errors.
const MAX_DAYS_AGO: i32 = 36_525;

/// Words for dates, with their meaning.
const RELATIVE_DAYS: [(&str, &str); 4] = [("today", "today"), ("yesterday", "1 day ago"), ("-7d", "7 days ago"), ("-30d", "30 days ago")];
/// Number of dates that completions list in full.
const LISTED_DATES: i64 = 7;

/// A date, or a number of days before today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Day {
    Fixed(Date),
    DaysAgo(i32),
}

impl Day {
    /// Returns the date, relative to `today`.
    pub(crate) fn date(self, today: Date) -> Date {
        match self {
            Self::Fixed(date) => date,
            Self::DaysAgo(days) => today.plus_days(-days).unwrap_or(today),
        }
    }

    /// Whether the date depends on today.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Self::DaysAgo(_))
    }
}

/// Parses `2025-11-21`, `today`, `yesterday` or `-7d`.
pub(super) fn parse_day(text: &str) -> Result<Day, &'static str> {
    match text {
        "today" => return Ok(Day::DaysAgo(0)),
        "yesterday" => return Ok(Day::DaysAgo(1)),
        _ => {}
    }
    if let Some(days) = text.strip_prefix('-').and_then(|rest| rest.strip_suffix('d')) {
        let days = days.parse().ok().filter(|days| (0..=MAX_DAYS_AGO).contains(days) && !text.contains('+'));
        return days.map(Day::DaysAgo).ok_or("must be a number of days such as -7d, up to -36525d");
    }
    text.parse().map(Day::Fixed).map_err(|_| "must be a date such as 2025-11-21, today, yesterday or -7d")
}

/// Completion candidates for a date.
pub(super) fn date_candidates() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let words = RELATIVE_DAYS.iter().map(|(word, meaning)| CompletionCandidate::new(*word).help(Some((*meaning).into())));
        let today = jiff::Zoned::now().date();
        let back = |days: i64| today.checked_sub(jiff::SignedDuration::from_hours(24 * days)).ok();
        let dates = (0..LISTED_DATES).filter_map(back).map(|date| CompletionCandidate::new(date.to_string()));
        words.chain(dates).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_back_from_today() {
        let date = |text: &str| text.parse::<Date>().expect("a date");
        let today = date("2024-03-01");
        for (text, expected) in [
            ("today", "2024-03-01"),
            ("-0d", "2024-03-01"),
            ("yesterday", "2024-02-29"),
            ("-1d", "2024-02-29"),
            ("-30d", "2024-01-31"),
            ("2025-11-21", "2025-11-21"),
        ] {
            assert_eq!(parse_day(text).map(|day| day.date(today)), Ok(date(expected)), "{text}");
        }
        assert!(parse_day("-0d").is_ok_and(Day::is_relative) && !parse_day("2025-11-21").is_ok_and(Day::is_relative));
        for text in ["", "tomorrow", "Today", "-d", "--2d", "-2", "2d", "-+2d", "-2.5d", "-36526d", "-99999999999d", "2025-02-30", "-2w"] {
            assert!(parse_day(text).is_err(), "{text}");
        }
    }
}
