//! Laboratory reports and their results.

use vitalwire::models::{LabReport, LabResult};
use vitalwire::value::OpenSet;

use crate::render::number::{brief, significant};
use crate::render::style::{BAD, CURVE, FAINT, GOOD, STRONG, WARN};
use crate::render::table::{Cell, Table};

/// Width of the gauge that shows the position of a value in its range, in columns.
const GAUGE_WIDTH: usize = 15;

pub(crate) fn results(report: &LabReport) -> impl Iterator<Item = &LabResult> {
    report.sections.iter().flat_map(|section| section.results.iter())
}

/// Returns the number of results that the service marks as out of range.
pub(crate) fn out_of_range_count(report: &LabReport) -> Cell {
    let count = results(report).filter(|result| result.within_normal_range == Some(false)).count();
    Cell::new(count.to_string(), if count > 0 { WARN } else { GOOD })
}

/// Returns a table with one line per report. It has the id, which the other commands need.
pub(crate) fn list(reports: &[LabReport]) -> Table {
    let mut table = Table::new().left("id").left("collected").flexible("status").right("results").right("out");
    for report in reports {
        table.row([
            report.record_id.to_string().into(),
            report.collection_date.clone().unwrap_or_default().into(),
            report.status.as_str().into(),
            results(report).count().to_string().into(),
            out_of_range_count(report),
        ]);
    }
    table
}

/// Returns a table with one line per result.
pub(crate) fn details(report: &LabReport) -> Table {
    let mut table =
        Table::new().flexible("test").right("value").left("unit").right("range").left("").optional("picture of the range").left("flag");
    for result in results(report) {
        let bound = |bound: Option<f64>| bound.map_or_else(String::new, number);
        let name = result.standard_test_name.as_ref().or(result.original_test_name.as_ref());
        let unit = result.standard_unit_name.as_ref().or(result.original_unit_name.as_ref());
        table.row([
            name.cloned().unwrap_or_default().into(),
            Cell::new(value(result), STRONG),
            Cell::new(unit.cloned().unwrap_or_default(), FAINT),
            format!("{}–{}", bound(result.normal_min), bound(result.normal_max)).into(),
            Cell::new(gauge(result).unwrap_or_default(), CURVE),
            flag(result),
        ]);
    }
    table
}

/// Returns the value as the laboratory printed it, or the number.
fn value(result: &LabResult) -> String {
    result.value_text.clone().or_else(|| result.value.map(number)).unwrap_or_default()
}

/// Formats a number in its shortest form: with at most four decimals, or with two digits if it is small.
fn number(value: f64) -> String {
    if value.abs() < 0.01 { significant(value, 0) } else { brief(value, 4) }
}

/// Returns a flag for a result out of range. The service decides whether it is out of range; only the direction is computed here.
fn flag(result: &LabResult) -> Cell {
    let above = result.value.zip(result.normal_max).is_some_and(|(value, most)| value > most);
    let review = result.require_human_review == Some(true);
    let side = if above { "high" } else { "low" };
    match result.within_normal_range {
        Some(false) if review => Cell::new(format!("{side}, review"), BAD),
        Some(false) => Cell::new(side, BAD),
        _ if review => Cell::new("review", WARN),
        Some(true) => Cell::new("ok", GOOD),
        None => Cell::from(""),
    }
}

/// Draws a value on a gauge whose middle third is the range. Values more than a third outside are at the edge.
fn gauge(result: &LabResult) -> Option<String> {
    let (value, least, most) = (result.value?, result.normal_min?, result.normal_max?);
    let width = most - least;
    if !(width > 0.0 && width.is_finite() && value.is_finite()) {
        return None;
    }
    let third = GAUGE_WIDTH / 3;
    let share = (value - least) / width;
    // A value within the range is drawn between its bounds, however close it is to one.
    let place = third as f64 + (share * third as f64).floor();
    let place = if value == most { (2 * third - 1) as f64 } else { place };
    let place = place.clamp(0.0, (GAUGE_WIDTH - 1) as f64) as usize;
    let line = (0..GAUGE_WIDTH).map(|at| match at {
        _ if at == place => '●',
        _ if (third..2 * third).contains(&at) => '━',
        _ => '·',
    });
    Some(line.collect())
}

#[cfg(test)]
mod tests;
