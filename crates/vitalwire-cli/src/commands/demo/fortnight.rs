//! Screen: two weeks of days.

use jiff::civil;
use vitalwire::models::DailyStatistics;
use vitalwire::open_sets::StatisticName;
use vitalwire::value::{Date, OpenSet};

use super::statistic::{rank, shown, words};
use super::story::Story;
use crate::failure::Failure;
use crate::render::number::short_day;
use crate::render::sparkline::wide_sparkline;
use crate::render::style::{CURVE, FAINT, STRONG};
use crate::render::table::{Cell, Table};

/// Days shown.
const DAYS: i32 = 14;
/// Columns a day takes, and takes where lines are long.
const WIDE: [usize; 2] = [1, 2];
/// Room for the wide ones.
const LONG: usize = 100;

pub(crate) async fn show(story: &mut Story<'_>) -> Result<(), Failure> {
    story.heading("A fortnight, day by day")?;
    // Up to yesterday: today is not over.
    let last = Date::from(story.today()).plus_days(-1).unwrap_or_default();
    let first = last.plus_days(1 - DAYS).unwrap_or_default();
    let names = StatisticName::KNOWN.iter().map(|name| StatisticName::from(*name));
    let answer = story.call(story.client.statistics().daily(first, last, names)).await?;
    let days: Vec<Date> = (0..DAYS).filter_map(|day| first.plus_days(day)).collect();
    let wide = WIDE[usize::from(story.room() >= LONG)];
    story.table(&table(&answer, &days, wide))
}

/// One line a statistic, its picture so many columns a day; a day without a value is a gap.
fn table(answer: &DailyStatistics, days: &[Date], wide: usize) -> Table {
    let title = period(days);
    let mut table = Table::new().gives("statistic").left("unit").left(title).right("min").right("mean").right("max").right("last");
    let mut names = StatisticName::KNOWN.to_vec();
    names.sort_by_key(|name| rank(name));
    for name in names {
        let value = |day: &Date| {
            let bucket = answer.statistics.iter().find(|bucket| bucket.date == Some(*day))?;
            bucket.values.as_ref()?.get_text(name)
        };
        let values: Vec<Option<f64>> = days.iter().map(value).collect();
        let shown = shown(name);
        let known = || values.iter().flatten().copied();
        let count = known().count();
        let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| shown.text(value));
        let mean = (count > 0).then(|| known().sum::<f64>() / count as f64);
        table.row([
            words(name).into(),
            Cell::new(shown.unit, FAINT),
            Cell::new(wide_sparkline(&values, wide), CURVE),
            text(known().reduce(f64::min)).into(),
            text(mean).into(),
            text(known().reduce(f64::max)).into(),
            Cell::new(text(values.last().copied().flatten()), STRONG),
        ]);
    }
    table
}

/// The title of the picture's column, at most as wide as the picture.
fn period(days: &[Date]) -> String {
    let day = |date: Option<&Date>| date.map(|date| date.jiff());
    match (day(days.first()), day(days.last())) {
        (Some(first), Some(last)) if first.month() == last.month() => format!("{}–{}", first.day(), short_day(last)),
        (Some(first), Some(last)) => between(first, last),
        _ => String::new(),
    }
}

fn between(first: civil::Date, last: civil::Date) -> String {
    format!("{}–{}", short_day(first), short_day(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(first: &str, count: i32) -> Vec<Date> {
        let first: Date = first.parse().expect("a date");
        (0..count).filter_map(|day| first.plus_days(day)).collect()
    }

    #[test]
    fn a_period_is_named_within_the_width_of_its_picture() {
        assert_eq!(period(&dates("2025-11-07", 14)), "7–20 Nov");
        assert_eq!(period(&dates("2025-10-25", 14)), "25 Oct–7 Nov");
        assert_eq!(period(&dates("2025-12-20", 14)), "20 Dec–2 Jan");
        assert_eq!(period(&[]), "");
    }

    #[test]
    fn gaps_stay_where_they_are_and_do_not_count() {
        let body = r#"{"from_date":"2025-11-07","to_date":"2025-11-10","statistics":[
            {"date":"2025-11-10","values":{"steps":8000,"sleep_duration_total":25500000}},
            {"date":"2025-11-07","values":{"steps":1000}},
            {"date":"2025-11-09"}]}"#;
        let answer: DailyStatistics = serde_json::from_str(body).expect("an answer");
        let lines = table(&answer, &dates("2025-11-07", 4), 1).lines(78);
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
