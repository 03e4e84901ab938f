//! Screen: the hours of yesterday.

use jiff::tz::Offset;
use vitalwire::models::IntervalStatistics;
use vitalwire::open_sets::{StatisticName, StatisticsInterval};
use vitalwire::value::Timestamp;

use super::state::DemoState;
use crate::failure::Failure;
use crate::render::axis;
use crate::render::number;
use crate::render::sparkline::wide_sparkline;
use crate::render::style::{CURVE, FAINT, STRONG, paint};
use crate::view::statistic::{display_format, words};

const HOURS: usize = 24;
const HOUR: i64 = 3_600;
/// Width of an hour on normal and on wide terminals, in columns.
const COLUMNS_PER_HOUR: [usize; 2] = [2, 3];
/// Minimum terminal width for the wide form.
const MIN_WIDE_TERMINAL: usize = 100;
/// Width of the labels before the charts, in columns.
const LABEL_WIDTH: usize = 12;

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("Yesterday, hour by hour")?;
    let yesterday = demo.today().yesterday().unwrap_or_default();
    // The user's record states only one offset: on the day of a clock change, the hours before the change are off by one hour.
    let seconds = i32::try_from(demo.offset_minutes * 60).unwrap_or(0);
    let midnight = Offset::from_seconds(seconds).and_then(|offset| offset.to_timestamp(yesterday.at(0, 0, 0, 0)));
    let midnight = Timestamp::from(midnight.unwrap_or_default());
    let end = Timestamp::from_unix(midnight.unix_seconds() + HOURS as i64 * HOUR, 0).unwrap_or(midnight);
    let names = [StatisticName::Steps, StatisticName::Heartrate];
    let call = demo.client.statistics().interval(StatisticsInterval::OneHour, names).from_timestamp(midnight).to_timestamp(end);
    let response = demo.call(call).await?;
    let date = paint(STRONG, &number::day(yesterday));
    let offset = number::offset(demo.offset_minutes);
    demo.line(&format!("{date}  midnight to midnight, local time ({offset})"))?;
    demo.line("")?;
    let wide = COLUMNS_PER_HOUR[usize::from(demo.available_width() >= MIN_WIDE_TERMINAL)];
    for (name, summary) in [("steps", sum_text as fn(&str, &[f64]) -> String), ("heartrate", range_text)] {
        let values = by_hour(&response, name, midnight);
        let known: Vec<f64> = values.iter().flatten().copied().collect();
        let bars = paint(CURVE, &wide_sparkline(&values, wide));
        demo.line(&format!("{:<LABEL_WIDTH$}{bars}  {}", words(name), summary(name, &known)))?;
    }
    for line in axis::hour_axis(0, HOURS as i64 * HOUR, HOURS * wide, |_| 0) {
        demo.line(&format!("{:LABEL_WIDTH$}{}", "", paint(FAINT, &line)))?;
    }
    Ok(())
}

/// Returns the values of the 24 hours after an instant. An hour without a bucket is missing.
fn by_hour(response: &IntervalStatistics, name: &str, midnight: Timestamp) -> [Option<f64>; HOURS] {
    let mut values = [None; HOURS];
    for bucket in &response.statistics {
        let Some(start) = bucket.from_timestamp else { continue };
        let hour = (start.unix_seconds() - midnight.unix_seconds()).div_euclid(HOUR);
        if let Some(slot) = usize::try_from(hour).ok().and_then(|hour| values.get_mut(hour)) {
            *slot = bucket.values.as_ref().and_then(|values| values.get_text(name));
        }
    }
    values
}

fn sum_text(name: &str, values: &[f64]) -> String {
    format!("{} in all", display_format(name).text(values.iter().sum()))
}

fn range_text(name: &str, values: &[f64]) -> String {
    let format = display_format(name);
    let ends = values.iter().copied().reduce(f64::min).zip(values.iter().copied().reduce(f64::max));
    ends.map_or_else(String::new, |(least, most)| format!("{}–{} {}", format.text(least), format.text(most), format.unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_fall_on_their_local_hour() {
        // Midnight in Berlin is 23:00 UTC the day before.
        let body = r#"{"statistics":[
            {"from_timestamp":"2025-11-19T23:00:00Z","values":{"steps":1}},
            {"from_timestamp":"2025-11-20T06:00:00Z","values":{"steps":700}},
            {"from_timestamp":"2025-11-20T22:00:00","values":{"steps":23}},
            {"from_timestamp":"2025-11-20T23:00:00Z","values":{"steps":999}},
            {"from_timestamp":"2025-11-19T22:00:00Z","values":{"steps":999}},
            {"values":{"steps":999}}]}"#;
        let response: IntervalStatistics = serde_json::from_str(body).expect("a response");
        let midnight = "2025-11-19T23:00:00Z".parse().expect("a date-time");
        let values = by_hour(&response, "steps", midnight);
        let known: Vec<(usize, f64)> = values.iter().enumerate().filter_map(|(hour, value)| Some((hour, (*value)?))).collect();
        assert_eq!(known, [(0, 1.0), (7, 700.0), (23, 23.0)]);
        assert_eq!(sum_text("steps", &[1.0, 700.0, 23.0]), "724 in all");
        assert_eq!(range_text("heartrate", &[61.0, 55.0, 102.0]), "55–102 bpm");
        assert_eq!(range_text("heartrate", &[]), "");
    }
}
