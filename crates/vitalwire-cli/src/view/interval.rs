//! Hourly statistics. The response does not state the user's time zone, so the caller chooses the one for the chart.

use vitalwire::models::IntervalStatistics;
use vitalwire::value::Timestamp;

use super::series::{self, ChartTable};
use crate::render::number::{clock, short_day};

/// Length of a bucket in seconds.
pub(crate) const HOUR: i64 = 3_600;

/// Returns a table with one line per statistic and at least one mark per hour. The end is excluded. An hour without a bucket is a gap.
pub(crate) fn table(
    response: &IntervalStatistics,
    names: &[String],
    (from, to): (Timestamp, Timestamp),
    offset_minutes: impl Fn(Timestamp) -> i64,
    room: usize,
) -> ChartTable {
    let first = from.unix_seconds().div_euclid(HOUR);
    let hours = usize::try_from((to.unix_seconds() - 1).div_euclid(HOUR) + 1 - first).unwrap_or(0);
    let mut rows: Vec<series::Row> = names.iter().map(|name| (name.clone(), vec![None; hours])).collect();
    for bucket in &response.statistics {
        let (Some(start), Some(values)) = (bucket.from_timestamp, &bucket.values) else { continue };
        let hour = start.unix_seconds().div_euclid(HOUR) - first;
        let Ok(hour) = usize::try_from(hour) else { continue };
        for (name, slots) in &mut rows {
            if let (Some(slot), Some(value)) = (slots.get_mut(hour), values.get_text(name)) {
                *slot = Some(value);
            }
        }
    }
    series::table(rows, &period(from, to, offset_minutes), room)
}

/// Returns the title of the charts' column: hours within a day, days beyond.
fn period(from: Timestamp, to: Timestamp, offset_minutes: impl Fn(Timestamp) -> i64) -> String {
    if to.unix_seconds() - from.unix_seconds() <= 24 * HOUR {
        return format!("{}–{}", clock(from, offset_minutes(from)), clock(to, offset_minutes(to)));
    }
    let day = |at: Timestamp| at.local(offset_minutes(at)).map(|local| short_day(local.date())).unwrap_or_default();
    format!("{}–{}", day(from), day(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_fall_on_their_hour() {
        // Four hours from 22:00. Buckets before, after and without a start are not drawn.
        let body = r#"{"statistics":[
            {"from_timestamp":"2025-11-20T23:00:00Z","values":{"steps":10}},
            {"from_timestamp":"2025-11-21T01:00:00Z","values":{"steps":30}},
            {"from_timestamp":"2025-11-21T02:00:00Z","values":{"steps":999}},
            {"from_timestamp":"2025-11-20T21:00:00Z","values":{"steps":999}},
            {"values":{"steps":999}}]}"#;
        let response: IntervalStatistics = serde_json::from_str(body).expect("a response");
        let at = |text: &str| text.parse::<Timestamp>().expect("a date-time");
        let chart = table(&response, &["steps".to_owned()], (at("2025-11-20T22:00:00Z"), at("2025-11-21T02:00:00Z")), |_| 0, 78);
        let lines = chart.table.lines(78);
        let plain = |line: &String| anstream::adapter::strip_str(line).to_string();
        assert!(plain(&lines[0]).contains("22:00–02:00"), "{lines:?}");
        let steps = plain(&lines[1]);
        assert!(steps.contains(" ▁ █ "), "{steps}");
        assert_eq!(steps.split_whitespace().rev().take(4).collect::<Vec<_>>(), ["30", "30", "20", "10"]);
    }
}
