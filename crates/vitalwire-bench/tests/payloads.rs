//! Tests of the payloads: their sizes and counts, and that both ways of reading them return the same values.
#![allow(clippy::unwrap_used, reason = "helpers of tests too")]

use vitalwire::bench::decode;
use vitalwire::models;
use vitalwire::open_sets::{MetricName, NutrientName, StatisticName};
use vitalwire::value::OpenSet;
use vitalwire_bench::baseline;
use vitalwire_bench::payload::{self, Unknown};

const BOTH: [Unknown; 2] = [Unknown::None, Unknown::Four];

/// Returns the number of values and their sum.
fn tally(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    numbers.fold((0, 0.0), |(count, sum), number| (count + 1, sum + number))
}

/// Returns the number of names added to the maps since the reference sizes were measured.
fn added_names() -> usize {
    StatisticName::KNOWN.len() - 20 + (NutrientName::KNOWN.len() - 33)
}

fn plain<T: serde::de::DeserializeOwned>(body: &[u8]) -> T {
    serde_json::from_slice(body).unwrap()
}

/// The expected sizes were measured when the gates were set. Names added to a map since then increase them.
#[test]
fn sizes_match_the_reference() {
    for (name, body, bytes) in [
        ("daily", payload::daily(Unknown::None), 234_661),
        ("interval", payload::interval(Unknown::None), 4_667_673),
        ("sleep", payload::sleep(Unknown::None), 629_960),
        ("labs", payload::labs(Unknown::None), 915_650),
        ("nutrition", payload::nutrition(Unknown::None), 2_821_862),
        ("userinfo", payload::user_info(), 698),
    ] {
        let off = body.len().abs_diff(bytes) * 100 / bytes;
        assert!(off <= 4 * (1 + added_names()), "{name}: {} instead of {bytes}", body.len());
    }
}

#[test]
fn the_same_seed_generates_the_same_bytes() {
    assert_eq!(payload::interval(Unknown::Four), payload::interval(Unknown::Four));
}

#[test]
fn a_long_night_has_ten_thousand_stages() {
    let night: models::SleepRecord = decode(&payload::sleep_long(Unknown::None)).unwrap();
    let stages = night.stages.as_slice();
    assert_eq!(stages.len(), 10_000);
    // 8 minutes each, one after the other.
    assert_eq!(night.duration, Some(10_000 * 480_000));
    assert_eq!((stages[9_999].end_at, stages.iter().filter_map(|stage| stage.duration).sum()), (night.end_at_timestamp, 10_000 * 480_000));
}

#[test]
fn daily_statistics_agree_with_the_baseline() {
    for unknown in BOTH {
        let body = payload::daily(unknown);
        let ours: models::DailyStatistics = decode(&body).unwrap();
        let theirs: baseline::DailyStatistics = plain(&body);
        let theirs = theirs.statistics.unwrap();
        assert_eq!((ours.statistics.len(), theirs.len()), (365, 365));
        let mine = tally(ours.statistics.iter().flat_map(|day| day.values.iter().flat_map(|values| values.iter().map(|(_, v)| v))));
        assert_eq!(mine, tally(theirs.iter().flat_map(|day| day.values.iter().flat_map(|v| v.all().filter_map(|(_, v)| v)))));
        assert_eq!(mine.0, 365 * StatisticName::KNOWN.len());
        let extra = if unknown == Unknown::Four { 4 } else { 0 };
        assert!(ours.statistics.iter().all(|day| day.extra.len() == extra));
    }
}

#[test]
fn interval_statistics_agree_with_the_baseline() {
    for (body, extra) in
        [(payload::interval(Unknown::None), 0), (payload::interval(Unknown::Four), 4), (payload::interval_regular(Unknown::None), 0)]
    {
        let ours: models::IntervalStatistics = decode(&body).unwrap();
        let theirs = plain::<baseline::IntervalStatistics>(&body).statistics.unwrap();
        assert_eq!((ours.statistics.len(), theirs.len()), (8_760, 8_760));
        let mine = tally(ours.statistics.iter().flat_map(|hour| hour.values.iter().flat_map(|values| values.iter().map(|(_, v)| v))));
        assert_eq!(mine, tally(theirs.iter().flat_map(|hour| hour.values.iter().flat_map(|v| v.all().filter_map(|(_, v)| v)))));
        // The reference is 118,205 values for twenty names; a few per cent of deviation are allowed.
        let expected = 118_205 * StatisticName::KNOWN.len() / 20;
        assert!(mine.0.abs_diff(expected) * 100 / expected <= 7, "{}", mine.0);
        let ids = ours.statistics.iter().map(|hour| hour.record_ids.as_slice().len()).sum::<usize>();
        assert_eq!(ids, theirs.iter().map(|hour| hour.record_ids.as_ref().unwrap().len()).sum::<usize>());
        assert!((25_600..=26_900).contains(&ids), "{ids}");
        assert!(ours.statistics.iter().all(|hour| hour.extra.len() == extra));
        for (ours, theirs) in ours.statistics.iter().zip(&theirs) {
            assert_eq!(ours.from_timestamp.unwrap().to_string(), *theirs.from_timestamp.as_ref().unwrap());
            assert!(ours.record_ids.iter().all(|id| id.uuid().is_some()));
        }
    }
}

#[test]
fn sleep_records_agree_with_the_baseline() {
    for unknown in BOTH {
        let body = payload::sleep(unknown);
        let ours: models::SleepRecord = decode(&body).unwrap();
        let theirs: baseline::SleepRecord = plain(&body);
        assert_eq!((ours.stages.as_slice().len(), theirs.stages.as_ref().unwrap().len()), (60, 60));
        let mine = tally(ours.stages.iter().flat_map(|stage| stage.metrics.iter().flat_map(|m| m.iter().map(|(_, v)| v))));
        let stages = theirs.stages.as_ref().unwrap();
        assert_eq!(mine, tally(stages.iter().flat_map(|stage| stage.metrics.iter().flat_map(|m| m.all().filter_map(|(_, v)| v)))));
        assert_eq!(mine.0, 600);
        let (ours, theirs) = (ours.samples.unwrap(), theirs.samples.unwrap());
        let (series, expected) = (ours.values.unwrap(), theirs.values.unwrap());
        assert_eq!((series.len(), expected.len(), ours.offsets.as_slice().len()), (8, 8, 10_000));
        assert!(series.iter().all(|(name, values)| values == expected[name] && values.len() == 10_000));
        assert_eq!(ours.offsets.as_slice(), theirs.offsets.unwrap());
    }
}

#[test]
fn lab_reports_agree_with_the_baseline() {
    for unknown in BOTH {
        let body = payload::labs(unknown);
        let ours: Vec<models::LabReport> = decode(&body).unwrap();
        let theirs: Vec<baseline::LabReport> = plain(&body);
        assert_eq!((ours.len(), theirs.len()), (50, 50));
        let mine = tally(ours.iter().flat_map(|r| r.sections.iter().flat_map(|s| s.results.iter().filter_map(|r| r.value))));
        let sections = theirs.iter().flat_map(|report| report.sections.iter().flatten());
        assert_eq!(mine, tally(sections.flat_map(|section| section.results.iter().flatten().filter_map(|result| result.value))));
        assert_eq!(mine.0, 50 * 40);
    }
}

#[test]
fn nutrition_records_agree_with_the_baseline() {
    for unknown in BOTH {
        let body = payload::nutrition(unknown);
        let ours: Vec<models::NutritionRecord> = decode(&body).unwrap();
        let theirs: Vec<baseline::NutritionRecord> = plain(&body);
        assert_eq!((ours.len(), theirs.len()), (500, 500));
        let ingredients = || ours.iter().flat_map(|record| record.ingredients.iter());
        let mine = tally(ingredients().flat_map(|i| i.nutritional_fields.iter().flat_map(|f| f.iter().map(|(_, v)| v))));
        let all = theirs.iter().flat_map(|record| record.ingredients.iter().flatten());
        assert_eq!(mine, tally(all.flat_map(|i| i.nutritional_fields.iter().flat_map(|f| f.all().filter_map(|(_, v)| v)))));
        assert_eq!(mine.0, ingredients().count() * NutrientName::KNOWN.len());
    }
}

#[test]
fn user_information_agrees_with_the_baseline() {
    let body = payload::user_info();
    let ours: models::UserInfo = decode(&body).unwrap();
    let theirs: baseline::UserInfo = plain(&body);
    assert_eq!((ours.application_id, ours.application_user_id), (Some(42), theirs.application_user_id));
    assert_eq!((ours.integrated_providers.as_slice().len(), theirs.integrated_providers.unwrap().len()), (3, 3));
}

/// The baseline skips fields that it does not declare, which would be an unfair advantage.
#[test]
fn the_baseline_declares_every_name() {
    fn names(all: impl Iterator<Item = (&'static str, Option<f64>)>) -> Vec<&'static str> {
        all.map(|(name, _)| name).collect()
    }
    assert_eq!(names(plain::<baseline::StatisticsValues>(b"{}").all()), StatisticName::KNOWN);
    assert_eq!(names(plain::<baseline::NutritionalFields>(b"{}").all()), NutrientName::KNOWN);
    assert_eq!(names(plain::<baseline::Metrics>(b"{}").all()), MetricName::KNOWN);
}
