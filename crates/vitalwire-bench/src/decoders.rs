//! Decoding a body, compared with `serde_json::from_slice` into plain structs that drop unknown fields, sonic-rs into the same structs,
//! arrow-json into the columns of its reader, and a structural scan as the upper bound.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context, Result};
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use serde::de::DeserializeOwned;
use vitalwire::models;
use vitalwire::table::{Table, TableId, TableSpec};
use vitalwire::value::decode::{Decode, FromBody};

use crate::baseline::{self, structural_scan};
use crate::payload::{self, Unknown};
use crate::report::Line;
use crate::rounds::{self, Budget, Clock, consume, median, timed};

/// Reads a body and drops the values, which is part of the cost.
pub type Reader = fn(&[u8]) -> Result<()>;

/// A payload with its decoders.
pub struct Candidate {
    /// Name of the payload.
    pub name: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Reads the body as a call does.
    pub ours: Reader,
    plain: Reader,
    sonic: Reader,
}

impl Candidate {
    fn new<P: DeserializeOwned>(name: &'static str, body: Vec<u8>, ours: Reader) -> Self {
        let plain: Reader = |body| consume(serde_json::from_slice::<P>(body));
        let sonic: Reader = |body| consume(sonic_rs::from_slice::<P>(body));
        Self { name, body, ours, plain, sonic }
    }

    /// Compares our reader with another one, by bytes of the payload per second.
    fn measure(&self, budget: Budget, group: &str, mut other: impl FnMut(&[u8]) -> Result<()>) -> Result<Line> {
        let found = rounds::compare(budget, vec![timed(|| (self.ours)(&self.body)), timed(|| other(&self.body))])?;
        #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
        let rate = |reader| format!("{:.0} MB/s", self.body.len() as f64 / found.median(reader, Clock::Wall) / 1e6);
        Ok(Line::new(format!("{group}: {}", self.name), rate(0), rate(1), found.ratio(1, 0)))
    }
}

/// Returns the payloads that are read into columns.
#[must_use]
pub fn tables(unknown: Unknown) -> [Candidate; 6] {
    let interval: Reader = |body| table(TableId::IntervalStatistics, "interval_statistics", body);
    [
        Candidate::new::<baseline::IntervalStatistics>("interval", payload::interval(unknown), interval),
        Candidate::new::<baseline::IntervalStatistics>("interval_regular", payload::interval_regular(unknown), interval),
        Candidate::new::<baseline::DailyStatistics>("daily", payload::daily(unknown), |body| {
            table(TableId::DailyStatistics, "daily_statistics", body)
        }),
        Candidate::new::<baseline::SleepRecord>("sleep samples", payload::sleep(unknown), |body| {
            table(TableId::SleepSamples, "get_sleep", body)
        }),
        Candidate::new::<Vec<baseline::LabReport>>("labs", payload::labs(unknown), |body| {
            table(TableId::LabResults, "list_lab_reports", body)
        }),
        Candidate::new::<Vec<baseline::NutritionRecord>>("nutrition", payload::nutrition(unknown), |body| {
            table(TableId::NutritionRecords, "list_nutrition_records", body)
        }),
    ]
}

/// Returns the payloads that are decoded into typed records, which keep unknown fields.
fn records(unknown: Unknown) -> [Candidate; 5] {
    [
        Candidate::new::<baseline::DailyStatistics>("daily", payload::daily(unknown), record::<models::DailyStatistics>),
        Candidate::new::<baseline::IntervalStatistics>("interval", payload::interval(unknown), record::<models::IntervalStatistics>),
        Candidate::new::<baseline::SleepRecord>("sleep", payload::sleep(unknown), record::<models::SleepRecord>),
        Candidate::new::<Vec<baseline::LabReport>>("labs", payload::labs(unknown), list::<models::LabReport>),
        Candidate::new::<Vec<baseline::NutritionRecord>>("nutrition", payload::nutrition(unknown), list::<models::NutritionRecord>),
    ]
}

fn record<T: FromBody>(body: &[u8]) -> Result<()> {
    consume(vitalwire::bench::decode::<T>(body).context("the core rejected a payload"))
}

fn list<T: Decode>(body: &[u8]) -> Result<()> {
    consume(vitalwire::bench::decode_list::<T>(body).context("the core rejected a payload"))
}

fn table(id: TableId, operation: &str, body: &[u8]) -> Result<()> {
    consume(Table::read(id, operation, body))
}

/// Measures typed records, without and with unknown fields. The last lines of each group have its gates.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn decode(budget: Budget) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let groups = [(Unknown::None, "decode", 1.31, Some(1.39)), (Unknown::Four, "decode, 4 unknown a row", 1.02, None)];
    for (unknown, name, worst, middle) in groups {
        let measured = records(unknown).iter().map(|payload| payload.measure(budget, name, payload.plain)).collect::<Result<Vec<_>>>()?;
        let ratios: Vec<f64> = measured.iter().map(|line| line.figure).collect();
        let of_five = |what, figure| Line::new(format!("{name}: {what} of five"), String::new(), String::new(), figure);
        lines.extend(measured);
        lines.push(of_five("worst", ratios.iter().copied().fold(f64::INFINITY, f64::min)).at_least(worst));
        lines.extend(middle.map(|gate| of_five("median", median(ratios)).at_least(gate)));
    }
    Ok(lines)
}

/// Minimum ratios of a payload in columns against each decoder.
struct Thresholds {
    serde_json: f64,
    sonic: f64,
    /// `None` if arrow-json is not measured.
    arrow: Option<f64>,
    scan: f64,
}

/// Thresholds of the payloads, in their order: 95 % of the worst figure of three runs on an idle machine.
const COLUMNS: [Thresholds; 6] = [
    Thresholds { serde_json: 2.36, sonic: 2.35, arrow: Some(5.34), scan: 0.43 },
    Thresholds { serde_json: 2.75, sonic: 2.68, arrow: Some(4.27), scan: 0.49 },
    Thresholds { serde_json: 2.45, sonic: 2.52, arrow: None, scan: 0.38 },
    Thresholds { serde_json: 1.47, sonic: 1.6, arrow: None, scan: 0.14 },
    Thresholds { serde_json: 1.67, sonic: 1.52, arrow: None, scan: 0.23 },
    Thresholds { serde_json: 2.23, sonic: 2.19, arrow: None, scan: 0.35 },
];
/// The same for the first payload with unknown fields, and for two columns against all of them.
const UNKNOWN: f64 = 2.26;
const TWO_OF_ALL: f64 = 1.04;

/// Measures columns, which plain structs would still have to be converted to.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn columns(budget: Budget) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (payload, thresholds) in tables(Unknown::None).iter().zip(COLUMNS) {
        lines.push(payload.measure(budget, "columns", payload.plain)?.at_least(thresholds.serde_json));
    }
    let [all, ..] = tables(Unknown::None);
    let two = Candidate {
        name: "two of all, interval",
        ours: |body| {
            let columns = ["from_timestamp", "steps"];
            consume(Table::read_columns(TableId::IntervalStatistics, "interval_statistics", &columns, body))
        },
        ..all
    };
    lines.push(two.measure(budget, "columns", all.ours)?.at_least(TWO_OF_ALL));
    let [interval, ..] = tables(Unknown::Four);
    lines.push(interval.measure(budget, "columns, 4 unknown a row", interval.plain)?.at_least(UNKNOWN));
    Ok(lines)
}

/// Measures columns against other decoders.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn parsers(budget: Budget) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let schema = Arc::new(interval_schema());
    for (payload, thresholds) in tables(Unknown::None).iter().zip(COLUMNS) {
        lines.push(payload.measure(budget, "columns against sonic-rs", payload.sonic)?.at_least(thresholds.sonic));
        if let Some(gate) = thresholds.arrow {
            lines.push(payload.measure(budget, "columns against arrow-json", |body| arrow(&schema, body))?.at_least(gate));
        }
        let mut found = Vec::with_capacity(payload.body.len() / 2);
        let scan = payload.measure(budget, "columns against structural scan", |body| {
            found = structural_scan::scan(body, std::mem::take(&mut found));
            black_box(&found);
            Ok(())
        });
        lines.push(scan?.at_least(thresholds.scan));
    }
    Ok(lines)
}

fn arrow(schema: &Arc<Schema>, body: &[u8]) -> Result<()> {
    let mut decoder = arrow_json::ReaderBuilder::new(Arc::clone(schema)).build_decoder()?;
    decoder.decode(body)?;
    consume(decoder.flush()?.context("arrow-json found no rows"))
}

/// Returns the schema of interval statistics, with the columns that our table has.
fn interval_schema() -> Schema {
    let instant = || DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into()));
    let spec: &'static TableSpec = TableId::IntervalStatistics.into();
    let values: Fields = spec.numbers().map(|field| Field::new(field.name.as_ref(), DataType::Float64, true)).collect();
    let bucket = Fields::from(vec![
        Field::new("from_timestamp", instant(), true),
        Field::new("to_timestamp", instant(), true),
        Field::new_list("record_ids", Field::new_list_field(DataType::Utf8, true), true),
        Field::new_struct("values", values, true),
    ]);
    Schema::new(vec![
        Field::new("from_timestamp", DataType::Utf8, true),
        Field::new("to_timestamp", DataType::Utf8, true),
        Field::new_list("statistics", Field::new_list_field(DataType::Struct(bucket), true), true),
    ])
}
