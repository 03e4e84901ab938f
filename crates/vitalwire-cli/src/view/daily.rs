//! Daily statistics.

use vitalwire::models::DailyStatistics;
use vitalwire::value::Date;

use super::series::{self, ChartTable};
use crate::render::number::short_day;

/// Returns the days from `first` to `last`, both included.
pub(crate) fn days(first: Date, last: Date) -> Vec<Date> {
    (0..=first.days_until(last)).filter_map(|day| first.plus_days(day)).collect()
}

/// Returns a table with one line per statistic and at least one mark per day. A day without a value is a gap.
pub(crate) fn table(response: &DailyStatistics, names: &[String], days: &[Date], room: usize) -> ChartTable {
    let value = |name: &str, day: &Date| {
        let bucket = response.statistics.iter().find(|bucket| bucket.date == Some(*day))?;
        bucket.values.as_ref()?.get_text(name)
    };
    let rows = names.iter().map(|name| (name.clone(), days.iter().map(|day| value(name, day)).collect())).collect();
    series::table(rows, &period(days), room)
}

/// Returns the title of the chart's column, at most as wide as the chart.
fn period(days: &[Date]) -> String {
    let day = |date: Option<&Date>| date.map(|date| date.jiff());
    match (day(days.first()), day(days.last())) {
        (Some(first), Some(last)) if first.month() == last.month() => format!("{}–{}", first.day(), short_day(last)),
        (Some(first), Some(last)) => format!("{}–{}", short_day(first), short_day(last)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::statistic;
    use vitalwire::open_sets::StatisticName;
    use vitalwire::value::OpenSet;

    fn dates(first: &str, count: i32) -> Vec<Date> {
        let first: Date = first.parse().expect("a date");
        (0..count).filter_map(|day| first.plus_days(day)).collect()
    }

    #[test]
    fn a_period_is_named_within_the_width_of_its_chart() {
        assert_eq!(period(&dates("2025-11-07", 14)), "7–20 Nov");
        assert_eq!(period(&dates("2025-10-25", 14)), "25 Oct–7 Nov");
        assert_eq!(period(&dates("2025-12-20", 14)), "20 Dec–2 Jan");
        assert_eq!(period(&[]), "");
    }

    #[test]
    fn gaps_are_kept_and_do_not_count() {
        let body = r#"{"from_date":"2025-11-07","to_date":"2025-11-10","statistics":[
            {"date":"2025-11-10","values":{"steps":8000,"sleep_duration_total":25500000}},
            {"date":"2025-11-07","values":{"steps":1000}},
            {"date":"2025-11-09"}]}"#;
        let response: DailyStatistics = serde_json::from_str(body).expect("a response");
        let lines =
            table(&response, &statistic::sort_by_topic(StatisticName::KNOWN.iter().copied()), &dates("2025-11-07", 4), 78).table.lines(78);
        let plain = |line: &str| anstream::adapter::strip_str(line).to_string();
        let steps = lines.iter().map(|line| plain(line)).find(|line| line.starts_with("steps")).expect("a line of steps");
        // Days 7 and 10 have values; the mean is of two days; the last day has 8,000.
        assert!(steps.contains("▁  █"), "{steps}");
        assert_eq!(steps.split_whitespace().rev().take(4).collect::<Vec<_>>(), ["8,000", "8,000", "4,500", "1,000"]);
        let sleep = lines.iter().map(|line| plain(line)).find(|line| line.starts_with("sleep duration")).expect("a line of sleep");
        assert!(sleep.contains("   ▄") && sleep.ends_with("7:05"), "{sleep}");
        let stress = lines.iter().map(|line| plain(line)).find(|line| line.starts_with("stress")).expect("a line without values");
        assert_eq!(stress.split_whitespace().rev().take(4).collect::<Vec<_>>(), ["–"; 4]);
    }
}
