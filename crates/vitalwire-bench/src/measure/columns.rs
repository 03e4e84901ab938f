//! Columns straight from the JSON, against `serde_json::from_slice` into plain structs that would still have to be turned into columns.

use anyhow::Result;

use super::{Effort, decode};
use crate::payload::Unknown;
use crate::report::Line;
use crate::subject;

/// Runs all tables; the year of hours, the first, is the gate.
///
/// # Errors
/// Where a payload is refused.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (at, subject) in subject::columns(Unknown::None).iter().enumerate() {
        let line = decode::one(effort, "columns", subject)?;
        lines.push(if at == 0 { line.at_least(1.5) } else { line });
    }
    for subject in subject::columns(Unknown::Four) {
        lines.push(decode::one(effort, "columns, 4 unknown a row", &subject)?);
    }
    Ok(lines)
}
