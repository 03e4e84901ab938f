//! Table of measurements.

use anyhow::{Context, bail};
use serde_json::Value;

/// A measurement, as the benchmark program printed it.
pub(crate) struct Measurement {
    cells: [String; 6],
    pub(crate) met: Option<bool>,
    pub(crate) raw: Value,
}

const HEAD: [&str; 6] = ["measure", "ours", "baseline", "figure", "gate", ""];

impl Measurement {
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let raw: Value = serde_json::from_str(text).context("a benchmark program must print JSON lines")?;
        let text = |name: &str| raw.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let figure = raw.get("figure").and_then(Value::as_f64);
        let met = is_met(&text("gate"), figure)?;
        let figure = figure.map_or_else(|| "none".to_owned(), |figure| format!("{figure:.2}"));
        let verdict = match met {
            None => "",
            Some(true) => "met",
            Some(false) => "NOT MET",
        };
        let cells = [text("measure"), text("ours"), text("baseline"), figure, text("gate"), verdict.to_owned()];
        Ok(Self { cells, met, raw })
    }
}

/// Returns whether a figure meets its gate, such as `>= 1.05`; `None` without a gate. A figure that was not measured meets none.
fn is_met(gate: &str, figure: Option<f64>) -> anyhow::Result<Option<bool>> {
    if gate.is_empty() {
        return Ok(None);
    }
    let (comparison, bound) = gate.split_once(' ').context("a gate must have a comparison and a number")?;
    let (bound, figure): (f64, f64) = (bound.parse().context("a gate must have a number")?, figure.unwrap_or(f64::NAN));
    match comparison {
        ">=" => Ok(Some(figure >= bound)),
        "<=" => Ok(Some(figure <= bound)),
        _ => bail!("a gate must start with >= or <="),
    }
}

/// Renders the table. With a baseline, the figure is a ratio, a share or a difference; a gate `>=` belongs to a ratio of speeds, `<=` to
/// one of times. Otherwise it is the measured value.
pub(crate) fn render(lines: &[Measurement]) -> String {
    let head = HEAD.map(str::to_owned);
    let rows = || std::iter::once(&head).chain(lines.iter().map(|line| &line.cells));
    let mut widths = [0; 6];
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let text = |row: &[String; 6]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows().map(text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_gate_stands_out_and_columns_line_up() {
        let lines = [
            r#"{"measure":"decode: x","ours":"600 MB/s","baseline":"500 MB/s","figure":1.2,"gate":">= 1.05"}"#,
            r#"{"measure":"call","ours":"9 us","baseline":"","figure":1.25,"gate":"<= 1.1"}"#,
            r#"{"measure":"roots","ours":"2 ms","baseline":"","figure":null,"gate":""}"#,
        ]
        .map(|line| Measurement::read(line).unwrap());
        let text = render(&lines);
        let expected = "measure    ours      baseline  figure  gate\n\
                        decode: x  600 MB/s  500 MB/s  1.20    >= 1.05  met\n\
                        call       9 us                1.25    <= 1.1   NOT MET\n\
                        roots      2 ms                none";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_gate_is_met_at_its_bound_and_not_beyond() {
        let met = |gate, figure| is_met(gate, figure).unwrap();
        assert_eq!((met(">= 1.05", Some(1.05)), met(">= 1.05", Some(1.04))), (Some(true), Some(false)));
        assert_eq!((met("<= 1.1", Some(1.1)), met("<= 1.1", Some(1.11))), (Some(true), Some(false)));
        assert_eq!((met("", Some(1.0)), met("<= 1", None)), (None, Some(false)));
        assert!(is_met("< 1", Some(0.5)).is_err() && is_met(">= x", Some(0.5)).is_err());
    }
}
