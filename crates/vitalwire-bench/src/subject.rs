//! Payloads with the two ways to read them: with the core, and into plain serde structs.

use std::hint::black_box;

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;
use vitalwire::models;
use vitalwire::table::{Table, TableId};
use vitalwire::value::decode::Decode;

use crate::baseline;
use crate::payload::{self, Unknown};

/// A body and both ways to read it. The readers also drop the values, which is part of the cost.
pub struct Subject {
    /// Name of the payload.
    pub name: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Reads the body as a call does, and keeps unknown fields.
    pub ours: fn(&[u8]) -> Result<()>,
    /// Reads the body with `serde_json::from_slice` into plain structs that drop unknown fields.
    pub plain: fn(&[u8]) -> Result<()>,
}

/// Reads a body with the core.
pub fn ours<T: DeserializeOwned>(body: &[u8]) -> Result<()> {
    black_box(vitalwire::bench::decode::<T>(body).ok_or_else(|| anyhow!("the core rejected a payload"))?);
    Ok(())
}

/// Reads a body that is a list with the core.
pub fn ours_list<T: Decode>(body: &[u8]) -> Result<()> {
    black_box(vitalwire::bench::decode_list::<T>(body).ok_or_else(|| anyhow!("the core rejected a payload"))?);
    Ok(())
}

/// Reads a body with serde_json.
pub fn plain<T: DeserializeOwned>(body: &[u8]) -> Result<()> {
    black_box(serde_json::from_slice::<T>(body).context("the baseline rejected a payload")?);
    Ok(())
}

/// Reads a table with the core.
fn table(id: TableId, operation: &str, body: &[u8]) -> Result<()> {
    black_box(Table::read(id, operation, body)?);
    Ok(())
}

/// Returns the payloads that are read into columns. The first one has the gate.
#[must_use]
pub fn columns(unknown: Unknown) -> Vec<Subject> {
    let interval: fn(&[u8]) -> Result<()> = |body| table(TableId::IntervalStatistics, "interval_statistics", body);
    vec![
        Subject { name: "interval", body: payload::interval(unknown), ours: interval, plain: plain::<baseline::IntervalStatistics> },
        Subject {
            name: "interval_regular",
            body: payload::interval_regular(unknown),
            ours: interval,
            plain: plain::<baseline::IntervalStatistics>,
        },
        Subject {
            name: "daily",
            body: payload::daily(unknown),
            ours: |body| table(TableId::DailyStatistics, "daily_statistics", body),
            plain: plain::<baseline::DailyStatistics>,
        },
        Subject {
            name: "sleep samples",
            body: payload::sleep(unknown),
            ours: |body| table(TableId::SleepSamples, "get_sleep", body),
            plain: plain::<baseline::SleepRecord>,
        },
        Subject {
            name: "labs",
            body: payload::labs(unknown),
            ours: |body| table(TableId::LabResults, "list_lab_reports", body),
            plain: plain::<Vec<baseline::LabReport>>,
        },
        Subject {
            name: "nutrition",
            body: payload::nutrition(unknown),
            ours: |body| table(TableId::NutritionRecords, "list_nutrition_records", body),
            plain: plain::<Vec<baseline::NutritionRecord>>,
        },
    ]
}

/// Returns the payloads whose worst ratio is compared with the gate.
#[must_use]
pub fn gated(unknown: Unknown) -> Vec<Subject> {
    vec![
        Subject {
            name: "daily",
            body: payload::daily(unknown),
            ours: ours::<models::DailyStatistics>,
            plain: plain::<baseline::DailyStatistics>,
        },
        Subject {
            name: "interval",
            body: payload::interval(unknown),
            ours: ours::<models::IntervalStatistics>,
            plain: plain::<baseline::IntervalStatistics>,
        },
        Subject { name: "sleep", body: payload::sleep(unknown), ours: ours::<models::SleepRecord>, plain: plain::<baseline::SleepRecord> },
        Subject {
            name: "labs",
            body: payload::labs(unknown),
            ours: ours_list::<models::LabReport>,
            plain: plain::<Vec<baseline::LabReport>>,
        },
        Subject {
            name: "nutrition",
            body: payload::nutrition(unknown),
            ours: ours_list::<models::NutritionRecord>,
            plain: plain::<Vec<baseline::NutritionRecord>>,
        },
    ]
}

/// Returns the payloads without a gate.
#[must_use]
pub fn ungated(unknown: Unknown) -> Vec<Subject> {
    vec![
        Subject {
            name: "interval_regular",
            body: payload::interval_regular(unknown),
            ours: ours::<models::IntervalStatistics>,
            plain: plain::<baseline::IntervalStatistics>,
        },
        Subject {
            name: "sleep_small",
            body: payload::sleep_small(unknown),
            ours: ours::<models::SleepRecord>,
            plain: plain::<baseline::SleepRecord>,
        },
    ]
}
