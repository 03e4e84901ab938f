//! Columns read directly from JSON, compared with `serde_json::from_slice` into plain structs, which would still have to be converted to
//! columns.

use std::hint::black_box;

use anyhow::Result;
use vitalwire::table::{Table, TableId};

use super::{Effort, decode, rounds};
use crate::payload::{self, Unknown};
use crate::report::Line;
use crate::subject;

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
    Ok(Line::new("columns: two of all, interval", time(pair.ours), time(pair.baseline), pair.speed))
}

/// Measures all tables. The first one, a year of hours, has the gate.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (at, subject) in subject::columns(Unknown::None).iter().enumerate() {
        let line = decode::measure(effort, "columns", subject)?;
        lines.push(if at == 0 { line.at_least(1.5) } else { line });
    }
    lines.push(two_of_all(effort)?);
    for subject in subject::columns(Unknown::Four) {
        lines.push(decode::measure(effort, "columns, 4 unknown a row", &subject)?);
    }
    Ok(lines)
}
