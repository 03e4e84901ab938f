//! Columns read directly from JSON, compared with `serde_json::from_slice` into plain structs, which would still have to be converted to
//! columns.

use std::hint::black_box;

use anyhow::Result;
use vitalwire::table::{Table, TableId};

use super::{Effort, decode, rounds};
use crate::payload::{self, Unknown};
use crate::report::Line;
use crate::subject;

/// Minimum ratios of the payloads, in their order: 95 % of the worst figure of three runs on an idle machine.
const GATES: [f64; 6] = [2.36, 2.75, 2.45, 1.47, 1.67, 2.23];
/// The same for the first payload with unknown fields, and for two columns against all of them.
const UNKNOWN: f64 = 2.26;
const TWO_OF_ALL: f64 = 1.04;

/// Measures two columns against all of them.
fn two_of_all(effort: Effort) -> Result<Line> {
    let body = payload::interval(Unknown::None);
    let (table, operation) = (TableId::IntervalStatistics, "interval_statistics");
    let two = || {
        black_box(Table::read_columns(table, operation, &["from_timestamp", "steps"], &body)?);
        Ok(())
    };
    let all = || {
        black_box(Table::read(table, operation, &body)?);
        Ok(())
    };
    let pair = rounds::compare(effort, two, all)?;
    let time = |seconds: f64| format!("{:.2} ms", seconds * 1e3);
    Ok(Line::new("columns: two of all, interval", time(pair.ours), time(pair.baseline), pair.speed).at_least(TWO_OF_ALL))
}

/// Measures all tables.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (subject, gate) in subject::columns(Unknown::None).iter().zip(GATES) {
        lines.push(decode::measure(effort, "columns", subject)?.at_least(gate));
    }
    lines.push(two_of_all(effort)?);
    for (at, subject) in subject::columns(Unknown::Four).iter().enumerate() {
        let line = decode::measure(effort, "columns, 4 unknown a row", subject)?;
        lines.push(if at == 0 { line.at_least(UNKNOWN) } else { line });
    }
    Ok(lines)
}
