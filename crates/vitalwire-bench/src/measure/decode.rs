//! Typed decoding that keeps unknown fields, compared with `serde_json::from_slice` into plain structs that drop them.

use anyhow::Result;

use super::Effort;
use super::rounds::{self, Pair};
use crate::payload::Unknown;
use crate::report::Line;
use crate::subject::{self, Subject};

/// Measures all payloads, without and with unknown fields. The last line of each group has its gate.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (unknown, name, gate) in [(Unknown::None, "decode", 1.05), (Unknown::Four, "decode, 4 unknown a row", 0.8)] {
        let mut worst = f64::INFINITY;
        for subject in subject::gated(unknown) {
            let line = measure(effort, name, &subject)?;
            worst = worst.min(line.figure);
            lines.push(line);
        }
        for subject in subject::ungated(unknown) {
            lines.push(measure(effort, name, &subject)?);
        }
        lines.push(Line::new(format!("{name}: worst of five"), String::new(), String::new(), worst).at_least(gate));
    }
    Ok(lines)
}

pub(super) fn measure(effort: Effort, name: &str, subject: &Subject) -> Result<Line> {
    Ok(line(name, subject, rounds::compare(effort, || (subject.ours)(&subject.body), || (subject.plain)(&subject.body))?))
}

/// Returns the result of a comparison, as bytes of the payload per second.
pub(super) fn line(name: &str, subject: &Subject, pair: Pair) -> Line {
    #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
    let rate = |seconds: f64| format!("{:.0} MB/s", subject.body.len() as f64 / seconds / 1e6);
    Line::new(format!("{name}: {}", subject.name), rate(pair.ours), rate(pair.baseline), pair.speed)
}
