//! Time and compiled units per step, compared with the committed table, so that growth shows.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use super::schedule::StepResult;

/// Table of step, seconds and units, measured from scratch (no target folder, packages or toolchains) on two cores with two parallel steps.
const FILE: &str = "tests/seconds.tsv";

/// Returns a line per step and the sum.
///
/// # Errors
/// If the table cannot be read.
pub(crate) fn report(root: &Path, ran: &[StepResult], wall: Duration) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    let table = parse(&text)?;
    let head = format!("{:<17} {:>7} {:>7} {:>6} {:>6} {:>7} {:>6}", "step", "seconds", "table", "units", "table", "passed", "failed");
    let lines = ran.iter().map(|step| line(step, table.get(step.name)));
    let wall = format!("{:<17} {:>7.1} {:>7}", "wall", wall.as_secs_f64(), cell(table.get("wall").map(|row| row.0)));
    Ok(std::iter::once(head).chain(lines).chain([wall]).collect::<Vec<_>>().join("\n"))
}

fn line(step: &StepResult, row: Option<&(usize, usize)>) -> String {
    let StepResult { name, units, count, note, .. } = step;
    let (seconds, known) = (cell(row.map(|row| row.0)), cell(row.map(|row| row.1)));
    let (time, passed, failed) = (step.time.as_secs_f64(), count.passed, count.failed);
    format!("{name:<17} {time:>7.1} {seconds:>7} {units:>6} {known:>6} {passed:>7} {failed:>6}  {note}").trim_end().to_owned()
}

fn cell(known: Option<usize>) -> String {
    known.map_or_else(|| "-".to_owned(), |known| known.to_string())
}

/// Parses rows by step. Lines with `#` are comments.
fn parse(text: &str) -> anyhow::Result<BTreeMap<&str, (usize, usize)>> {
    let row = |line| -> anyhow::Result<_> {
        let cells: Vec<&str> = str::split(line, '\t').collect();
        let [step, seconds, units] = cells[..] else { anyhow::bail!("{FILE}: a line must have three cells: {line}") };
        Ok((step, (seconds.parse()?, units.parse()?)))
    };
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(row).collect()
}
