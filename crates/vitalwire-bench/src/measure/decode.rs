//! Typed decoding that keeps unknown fields, compared with `serde_json::from_slice` into plain structs that drop them.

use anyhow::Result;

use super::Effort;
use super::rounds::{self, Pair};
use crate::payload::Unknown;
use crate::report::Line;
use crate::subject::{self, Subject};

/// Minimum ratios of the worst payload, without and with unknown fields, and of the median payload without: 95 % of the worst figure of
/// three runs on an idle machine.
const WORST: [f64; 2] = [1.31, 1.02];
const MEDIAN: f64 = 1.39;

/// Measures all payloads, without and with unknown fields. The last lines of each group have its gates.
///
/// # Errors
/// Fails if a payload cannot be read.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let groups = [(Unknown::None, "decode", Some(MEDIAN)), (Unknown::Four, "decode, 4 unknown a row", None)];
    for ((unknown, name, median), worst) in groups.into_iter().zip(WORST) {
        let mut ratios = Vec::new();
        for subject in subject::gated(unknown) {
            let line = measure(effort, name, &subject)?;
            ratios.push(line.figure);
            lines.push(line);
        }
        for subject in subject::ungated(unknown) {
            lines.push(measure(effort, name, &subject)?);
        }
        let of_five = |what, figure| Line::new(format!("{name}: {what} of five"), String::new(), String::new(), figure);
        lines.push(of_five("worst", ratios.iter().copied().fold(f64::INFINITY, f64::min)).at_least(worst));
        lines.extend(median.map(|gate| of_five("median", rounds::median(ratios)).at_least(gate)));
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
