//! Other JSON decoders: sonic-rs into the plain structs, arrow-json into the columns of its reader, and a structural scan as the upper
//! bound.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context, Result};
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use serde::de::DeserializeOwned;
use vitalwire::table::{TableId, TableSpec};

use super::{Effort, decode, rounds};
use crate::baseline::{self, structural_scan};
use crate::payload::Unknown;
use crate::report::Line;
use crate::subject::{self, Subject};

/// Minimum ratios of a payload against each decoder: 95 % of the worst figure of three runs on an idle machine.
struct Gates {
    sonic: f64,
    /// `None` if arrow-json is not measured.
    arrow: Option<f64>,
    scan: f64,
}

/// Gates of the payloads, in their order.
const GATES: [Gates; 6] = [
    Gates { sonic: 2.35, arrow: Some(5.34), scan: 0.43 },
    Gates { sonic: 2.68, arrow: Some(4.27), scan: 0.49 },
    Gates { sonic: 2.52, arrow: None, scan: 0.38 },
    Gates { sonic: 1.6, arrow: None, scan: 0.14 },
    Gates { sonic: 1.52, arrow: None, scan: 0.23 },
    Gates { sonic: 2.19, arrow: None, scan: 0.35 },
];

/// Measures columns of a year against each decoder.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (subject, gates) in subject::columns(Unknown::None).iter().zip(GATES) {
        let sonic: fn(&[u8]) -> Result<()> = match subject.name {
            "daily" => sonic::<baseline::DailyStatistics>,
            "sleep samples" => sonic::<baseline::SleepRecord>,
            "labs" => sonic::<Vec<baseline::LabReport>>,
            "nutrition" => sonic::<Vec<baseline::NutritionRecord>>,
            _ => sonic::<baseline::IntervalStatistics>,
        };
        lines.push(against(effort, "sonic-rs", subject, || sonic(&subject.body))?.at_least(gates.sonic));
        if let Some(gate) = gates.arrow {
            let schema = Arc::new(interval_schema());
            lines.push(against(effort, "arrow-json", subject, || arrow(&schema, &subject.body))?.at_least(gate));
        }
        let mut found = Vec::with_capacity(subject.body.len() / 2);
        let line = against(effort, "structural scan", subject, || {
            found = structural_scan::scan(&subject.body, std::mem::take(&mut found));
            black_box(&found);
            Ok(())
        })?;
        lines.push(line.at_least(gates.scan));
    }
    Ok(lines)
}

fn against(effort: Effort, name: &str, subject: &Subject, baseline: impl FnMut() -> Result<()>) -> Result<Line> {
    let pair = rounds::compare(effort, || (subject.ours)(&subject.body), baseline)?;
    Ok(decode::line(&format!("columns against {name}"), subject, pair))
}

fn sonic<T: DeserializeOwned>(body: &[u8]) -> Result<()> {
    black_box(sonic_rs::from_slice::<T>(body).context("sonic-rs rejected a payload")?);
    Ok(())
}

fn arrow(schema: &Arc<Schema>, body: &[u8]) -> Result<()> {
    let mut decoder = arrow_json::ReaderBuilder::new(Arc::clone(schema)).build_decoder()?;
    decoder.decode(body)?;
    black_box(decoder.flush()?.context("arrow-json found no rows")?);
    Ok(())
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
