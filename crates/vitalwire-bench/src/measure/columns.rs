//! Columns read directly from JSON, compared with `serde_json::from_slice` into plain structs, which would still have to be converted to
//! columns.

use anyhow::Result;

use super::{Effort, decode};
use crate::payload::Unknown;
use crate::report::Line;
use crate::subject;

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
    for subject in subject::columns(Unknown::Four) {
        lines.push(decode::measure(effort, "columns, 4 unknown a row", &subject)?);
    }
    Ok(lines)
}
