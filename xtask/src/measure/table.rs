//! Table of measurements.

use anyhow::Context;
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
        let met = raw.get("met").and_then(Value::as_bool);
        let figure = raw.get("figure").and_then(Value::as_f64).map_or_else(|| "none".to_owned(), |figure| format!("{figure:.2}"));
        let verdict = match met {
            None => "",
            Some(true) => "met",
            Some(false) => "NOT MET",
        };
        let cells = [text("measure"), text("ours"), text("baseline"), figure, text("gate"), verdict.to_owned()];
        Ok(Self { cells, met, raw })
    }
}

/// Renders the table. For decoding, the figure is the baseline's time divided by ours. For calls, it is our time divided by the baseline's;
/// for memory, our peak divided by the baseline's. Otherwise it is the time itself.
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
            r#"{"measure":"decode: x","ours":"600 MB/s","baseline":"500 MB/s","figure":1.2,"gate":">= 1.05","met":true}"#,
            r#"{"measure":"call","ours":"9 us","baseline":"","figure":1.25,"gate":"<= 1.1","met":false}"#,
            r#"{"measure":"roots","ours":"2 ms","baseline":"","figure":null,"gate":"","met":null}"#,
        ]
        .map(|line| Measurement::read(line).unwrap());
        let text = render(&lines);
        let expected = "measure    ours      baseline  figure  gate\n\
                        decode: x  600 MB/s  500 MB/s  1.20    >= 1.05  met\n\
                        call       9 us                1.25    <= 1.1   NOT MET\n\
                        roots      2 ms                none";
        assert_eq!(text, expected);
    }
}
