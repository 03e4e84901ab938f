//! Statistics as sparklines, with their minimum, mean, maximum and last value.

use super::statistic::{display_format, words};
use crate::render::sparkline::{resample, sparkline, wide_sparkline};
use crate::render::style::{CURVE, FAINT, STRONG, truncate, width};
use crate::render::table::{Cell, Table};

/// Columns per value on normal and on wide terminals.
const COLUMNS_PER_VALUE: [usize; 2] = [1, 2];
/// Minimum terminal width for the wide form.
const MIN_WIDE_TERMINAL: usize = 100;
/// Maximum width of a name in columns, so that the chart has enough room.
const MAX_NAME: usize = 22;
/// Minimum width of a chart, however narrow the terminal is.
const MIN_CHART: usize = 8;

/// A statistic's name and its values in order of time.
pub(crate) type Row = (String, Vec<Option<f64>>);

pub(crate) struct ChartTable {
    pub(crate) table: Table,
    /// Number of values per mark: one, unless there are more values than columns. The mark then shows their mean.
    pub(crate) values_per_mark: usize,
}

/// Creates a table with one row per statistic. A missing value is a gap and does not count.
pub(crate) fn table(rows: Vec<Row>, title: &str, room: usize) -> ChartTable {
    let count = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let wide = COLUMNS_PER_VALUE[usize::from(room >= MIN_WIDE_TERMINAL)];
    // The charts get the width that the other columns leave.
    let free = room.saturating_sub(chart_table(&rows, "", |_| String::new()).width(usize::MAX)).max(MIN_CHART);
    let values_per_mark = count.div_ceil(free).max(1);
    let full_table = chart_table(&rows, title, |values| {
        if values_per_mark > 1 {
            return sparkline(&group_means(values, values_per_mark));
        }
        wide_sparkline(values, if count * wide <= free { wide } else { 1 })
    });
    // A chart below its name has more room.
    let marks = count.min(MIN_CHART);
    let narrow_table = chart_table(&rows, title, |_| "x".repeat(marks));
    let Some(below) = narrow_table.width_below(room) else { return ChartTable { table: full_table, values_per_mark } };
    let free = room.saturating_sub(below) + marks.max(width(title));
    let values_per_mark = count.div_ceil(free.max(1)).max(1);
    ChartTable { table: chart_table(&rows, title, |values| sparkline(&group_means(values, values_per_mark))), values_per_mark }
}

/// Returns the means of groups of `each` values.
fn group_means(values: &[Option<f64>], each: usize) -> Vec<Option<f64>> {
    let span = |(at, value): (usize, &Option<f64>)| value.map(|value| (at as f64, at as f64 + 1.0, value));
    let spans: Vec<(f64, f64, f64)> = values.iter().enumerate().filter_map(span).collect();
    let columns = values.len().div_ceil(each);
    resample(&spans, (columns * each) as f64, columns)
}

fn chart_table(rows: &[Row], title: &str, chart: impl Fn(&[Option<f64>]) -> String) -> Table {
    let mut table = Table::new().flexible("statistic").left("unit").left(title).right("min").optional("min");
    table = table.right("mean").right("max").optional("max").right("last").keys(2);
    for (name, values) in rows {
        let format = display_format(name);
        let known = || values.iter().flatten().copied();
        let count = known().count();
        let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format.text(value));
        let mean = (count > 0).then(|| known().sum::<f64>() / count as f64);
        table.row([
            truncate(&words(name), MAX_NAME).into(),
            Cell::new(format.unit, FAINT),
            Cell::new(chart(values), CURVE),
            text(known().reduce(f64::min)).into(),
            text(mean).into(),
            text(known().reduce(f64::max)).into(),
            Cell::new(text(values.last().copied().flatten()), STRONG),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_share_marks_in_a_narrow_chart() {
        // Means of pairs: 2, nothing, 5 (its neighbour is missing), 8 (alone at the end).
        let values = [Some(1.0), Some(3.0), None, None, Some(5.0), None, Some(8.0)];
        assert_eq!(group_means(&values, 2), [Some(2.0), None, Some(5.0), Some(8.0)]);
    }

    #[test]
    fn a_long_name_is_shortened_and_its_chart_is_not() {
        let values: Vec<Option<f64>> = (0..14).map(|at| Some(f64::from(at))).collect();
        let chart = table(vec![(format!("{}_score", "x".repeat(60)), values)], "7–20 Nov", 78);
        assert_eq!(chart.values_per_mark, 1);
        let line = chart.table.lines(78).remove(1);
        assert!(line.starts_with(&format!("{}…", "x".repeat(21))), "{line}");
    }

    #[test]
    fn a_long_series_fits_the_width() {
        let values: Vec<Option<f64>> = (0..500).map(|at| Some(f64::from(at))).collect();
        for room in [58, 78, 118] {
            let chart = table(vec![("steps".to_owned(), values.clone())], "2024", room);
            assert!(chart.values_per_mark > 1 && chart.table.width(usize::MAX) <= room, "{room}");
        }
    }
}
