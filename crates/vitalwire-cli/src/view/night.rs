//! One night: its times, its hypnogram, and the other values of its record.

use vitalwire::models::SleepRecord;
use vitalwire::value::Timestamp;

use crate::days::Days;
use crate::failure::Failure;
use crate::render::hypnogram::{self, Level, StageSpan};
use crate::render::number::{self, brief, clock, hours_minutes};
use crate::render::style::{CURVE, FAINT, STRONG, clean, join_wrapped, paint};
use crate::render::table::Table;
use crate::render::{axis, sparkline};
use crate::screen::Screen;

/// Width of the labels before the chart, in columns.
const LABEL_WIDTH: usize = 7;
/// Width of the totals after the chart, in columns: two spaces, the time in a stage and its share of the night.
const TOTALS_WIDTH: usize = 12;

/// Draws the night. Times are in the time zone of `days` if given. Otherwise they are in the user's local time, or in UTC if the record has
/// no offset.
pub(crate) fn show(screen: &mut Screen, night: &SleepRecord, days: Option<&Days>) -> Result<(), Failure> {
    for line in join_wrapped(times_and_source(night, days), "  ", screen.available_width()) {
        screen.line(&line)?;
    }
    screen.line("")?;
    let columns = screen.available_width().saturating_sub(LABEL_WIDTH + TOTALS_WIDTH);
    for line in chart(night, days, columns) {
        screen.line(&line)?;
    }
    screen.line("")?;
    for line in join_wrapped(metric_texts(night), "  ·  ", screen.available_width()) {
        screen.line(&line)?;
    }
    Ok(())
}

/// Lists the other sleeps of the date with their ids, which the command `more` takes.
pub(crate) fn show_other_sleeps<'a>(
    screen: &mut Screen,
    more: &str,
    sleeps: impl Iterator<Item = &'a SleepRecord>,
    days: Option<&Days>,
) -> Result<(), Failure> {
    let mut table = Table::untitled().left("").left("").left("").keys(2);
    let mut has_rows = false;
    for sleep in sleeps {
        let provider = sleep.provider_slug.as_ref().map_or_else(|| "unknown provider".to_owned(), ToString::to_string);
        // Some records in the list may have a time zone and others not.
        let zone = if days.is_none() && sleep.user_time_offset_minutes.is_none() { " UTC" } else { "" };
        table.row([
            format!("{}{zone}", start_and_end(sleep, days)).into(),
            provider.into(),
            sleep.sleep_id.as_deref().unwrap_or("no id").into(),
        ]);
        has_rows = true;
    }
    if !has_rows {
        return Ok(());
    }
    screen.line("")?;
    screen.note(&format!("Also of that date; {more} shows each:"))?;
    screen.table(&table)
}

/// Returns the offset of the shown times from UTC at an instant, in minutes. The record has one offset for the whole night. The offset of a
/// time zone differs after a change of the clocks.
fn offset_minutes(night: &SleepRecord, days: Option<&Days>, at: Timestamp) -> i64 {
    days.map_or(night.user_time_offset_minutes.unwrap_or(0), |days| days.offset_minutes(at))
}

fn start_and_end(night: &SleepRecord, days: Option<&Days>) -> String {
    let clock = |at: Timestamp| clock(at, offset_minutes(night, days, at));
    let end = night.end_at_timestamp.map_or_else(|| "…".to_owned(), clock);
    format!("{} to {end}", clock(night.start_at_timestamp))
}

/// Returns the times of a sleep, in the requested time zone, or in the user's local time if it is known.
fn times_and_source(night: &SleepRecord, days: Option<&Days>) -> [String; 3] {
    let zone = match (days, night.user_time_offset_minutes) {
        (Some(days), _) => format!("in {days}"),
        (None, Some(offset)) => format!("local time ({})", number::offset(offset)),
        (None, None) => "UTC, the local time is not known".to_owned(),
    };
    let day = night.sleep_date.map_or_else(String::new, |date| number::day(date.jiff()));
    let device = night.source.as_ref().and_then(|source| source.device_model.as_deref()).unwrap_or("an unknown device");
    let provider = night.provider_slug.as_ref().map_or_else(|| "unknown provider".to_owned(), ToString::to_string);
    let source_text = clean(&format!("by {provider}, {device}")).into_owned();
    [paint(STRONG, &day), format!("{} {zone}", start_and_end(night, days)), source_text]
}

/// Draws the hypnogram with the time in each stage, the heart rate below it, and the hours below both.
fn chart(night: &SleepRecord, days: Option<&Days>, columns: usize) -> Vec<String> {
    let start = night.start_at_timestamp.unix_seconds();
    let spans: Vec<StageSpan> = night.stages.iter().filter_map(stage_span).collect();
    let end = night.end_at_timestamp.map(|end| end.unix_seconds()).or_else(|| spans.iter().map(|span| span.end).max());
    let end = end.unwrap_or(start);
    let shown = hypnogram::columns(&spans, start, end, columns);
    let whole = (end - start) as f64 * 1_000.0;
    let mut lines: Vec<String> = hypnogram::rows(&shown)
        .into_iter()
        .map(|level| {
            let row = hypnogram::row(&shown, level);
            let label = paint(level.style(), &format!("{:<LABEL_WIDTH$}", level.label()));
            let total = stage_duration(night, level, &spans);
            let (time, share) =
                total.map_or_else(|| ("–".to_owned(), String::new()), |total| (hours_minutes(total), percent(total, whole)));
            let line = format!("{label}{row}  {time:>5}");
            if share.is_empty() { line } else { format!("{line}  {}", paint(FAINT, &share)) }
        })
        .collect();
    if let Some((bars, range)) = heart_rate_chart(night, whole, columns) {
        lines.push(String::new());
        lines.push(format!("{:<LABEL_WIDTH$}{}  {range}", "Heart", paint(CURVE, &bars)));
    }
    let offset = 60 * offset_minutes(night, days, night.start_at_timestamp);
    let midnight = (start + offset).div_euclid(86_400) * 86_400 - offset;
    let shift = |at: i64| {
        let at = Timestamp::from_unix(midnight + at, 0).unwrap_or(night.start_at_timestamp);
        60 * offset_minutes(night, days, at) - offset
    };
    for line in axis::hour_axis(start - midnight, end - midnight, columns, shift) {
        lines.push(format!("{:LABEL_WIDTH$}{}", "", paint(FAINT, &line)));
    }
    lines
}

fn stage_span(stage: &vitalwire::models::SleepStage) -> Option<StageSpan> {
    let level = Level::from_stage(stage.stage.as_ref()?.as_ref())?;
    Some(StageSpan { level, start: stage.start_at?.unix_seconds(), end: stage.end_at?.unix_seconds() })
}

/// Returns the milliseconds in a stage: the record's own total, if it states one. Otherwise returns the sum of the stages, which may differ
/// from that total. Returns `None` without stages.
fn stage_duration(night: &SleepRecord, level: Level, spans: &[StageSpan]) -> Option<f64> {
    let name = match level {
        Level::Awake => "sleep_duration_awake",
        Level::Rem => "sleep_duration_rem",
        Level::Light => "sleep_duration_light",
        Level::Deep => "sleep_duration_deep",
        Level::Asleep => "",
    };
    let stated = night.metrics.as_ref().and_then(|metrics| metrics.get_text(name));
    let sum = || spans.iter().filter(|span| span.level == level).map(|span| span.end - span.start).sum::<i64>();
    stated.or_else(|| (!spans.is_empty()).then(|| sum() as f64 * 1_000.0))
}

fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:>2.0}%", part / whole * 100.0) } else { String::new() }
}

/// Returns the heart rate with one mark per column, and its range, if it has a value. Offsets and durations of samples are in
/// milliseconds from the record's start. A series of another length is ignored, because its values have no times.
fn heart_rate_chart(night: &SleepRecord, whole: f64, columns: usize) -> Option<(String, String)> {
    let samples = night.samples.as_ref()?;
    let values = samples.values.as_ref()?.get_text("heartrate")?;
    if values.len() != samples.offsets.len() {
        return None;
    }
    // A gap is NaN.
    let known = || values.iter().copied().filter(|value| value.is_finite());
    let spans: Vec<(f64, f64, f64)> = samples
        .offsets
        .iter()
        .zip(&samples.durations)
        .zip(values)
        .filter(|(_, value)| value.is_finite())
        .map(|((offset, duration), value)| (*offset, offset + duration, *value))
        .collect();
    let least = known().reduce(f64::min)?;
    let most = known().reduce(f64::max)?;
    let bars = sparkline::sparkline(&sparkline::resample(&spans, whole, columns));
    Some((bars, format!("{}–{} bpm", brief(least, 0), brief(most, 0))))
}

/// Formats the number of times.
fn waking_text(times: f64) -> String {
    match brief(times, 0) {
        once if once == "1" => "woke up once".to_owned(),
        times => format!("woke up {times} times"),
    }
}

/// Returns the other values of the record.
fn metric_texts(night: &SleepRecord) -> Vec<String> {
    let Some(metrics) = &night.metrics else { return Vec::new() };
    let metric = |name: &str, show: &dyn Fn(f64) -> String| metrics.get_text(name).map(show);
    let texts = [
        metric("bedtime_duration", &|value| format!("in bed {}", hours_minutes(value))),
        metric("sleep_duration", &|value| format!("asleep {}", hours_minutes(value))),
        metric("sleep_efficiency", &|value| format!("efficiency {} %", brief(value, 1))),
        metric("sleep_score", &|value| format!("score {}", brief(value, 0))),
        metric("sleep_latency", &|value| format!("fell asleep after {} min", brief(value / 60_000.0, 0))),
        metric("sleep_interruptions", &|value| waking_text(value)),
        metric("heartrate_resting", &|value| format!("resting heart rate {} bpm", brief(value, 0))),
        metric("hrv_rmssd", &|value| format!("HRV {} ms", brief(value, 0))),
        metric("breathing_rate", &|value| format!("{} breaths a minute", brief(value, 1))),
        metric("skin_temperature", &|value| format!("skin {} °C", brief(value, 2))),
    ];
    texts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_waking_is_once() {
        let texts = |count: f64| {
            let night = format!(
                r#"{{"modified_at":"2025-01-01T08:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","metrics":{{"sleep_interruptions":{count}}}}}"#
            );
            metric_texts(&serde_json::from_str(&night).expect("a night"))
        };
        assert_eq!(texts(0.0), ["woke up 0 times"]);
        assert_eq!(texts(1.0), ["woke up once"]);
        assert_eq!(texts(2.0), ["woke up 2 times"]);
    }
}
