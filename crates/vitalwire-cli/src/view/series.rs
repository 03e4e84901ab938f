//! Statistics as sparklines, with their minimum, mean, maximum and last value.

use super::statistic::{shown, words};
use crate::render::sparkline::{resample, sparkline, wide_sparkline};
use crate::render::style::{CURVE, FAINT, STRONG, fit, width};
use crate::render::table::{Cell, Table};

/// Columns per value on normal and on wide terminals.
const WIDE: [usize; 2] = [1, 2];
/// Minimum terminal width for the wide form.
const LONG: usize = 100;
/// Maximum width of a name in columns, so that the chart has enough room.
const NAME: usize = 22;
/// Minimum width of a chart, however narrow the terminal is.
const LEAST: usize = 8;

/// A statistic's name and its values in order of time.
pub(crate) type Row = (String, Vec<Option<f64>>);

/// A table of charts.
pub(crate) struct Drawn {
    pub(crate) picture: Table,
    /// Number of values per mark: one, unless there are more values than columns. The mark then shows their mean.
    pub(crate) values_a_mark: usize,
}

/// Creates a table with one row per statistic. A missing value is a gap and does not count.
pub(crate) fn table(rows: Vec<Row>, title: &str, room: usize) -> Drawn {
    let count = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let wide = WIDE[usize::from(room >= LONG)];
    // The charts get the width that the other columns leave.
    let free = room.saturating_sub(draw(&rows, "", |_| String::new()).width(usize::MAX)).max(LEAST);
    let values_a_mark = count.div_ceil(free).max(1);
    let whole = draw(&rows, title, |values| {
        if values_a_mark > 1 {
            return sparkline(&shared(values, values_a_mark));
        }
        wide_sparkline(values, if count * wide <= free { wide } else { 1 })
    });
    // A chart below its name has more room.
    let marks = count.min(LEAST);
    let least = draw(&rows, title, |_| "x".repeat(marks));
    let Some(below) = least.width_below(room) else { return Drawn { picture: whole, values_a_mark } };
    let free = room.saturating_sub(below) + marks.max(width(title));
    let values_a_mark = count.div_ceil(free.max(1)).max(1);
    Drawn { picture: draw(&rows, title, |values| sparkline(&shared(values, values_a_mark))), values_a_mark }
}

/// Returns the means of groups of `each` values.
fn shared(values: &[Option<f64>], each: usize) -> Vec<Option<f64>> {
    let stretch = |(at, value): (usize, &Option<f64>)| value.map(|value| (at as f64, at as f64 + 1.0, value));
    let stretches: Vec<(f64, f64, f64)> = values.iter().enumerate().filter_map(stretch).collect();
    let columns = values.len().div_ceil(each);
    resample(&stretches, (columns * each) as f64, columns)
}

fn draw(rows: &[Row], title: &str, picture: impl Fn(&[Option<f64>]) -> String) -> Table {
    let mut table = Table::new().flexible("statistic").left("unit").left(title).right("min").optional("min");
    table = table.right("mean").right("max").optional("max").right("last").keys(2);
    for (name, values) in rows {
        let shown = shown(name);
        let known = || values.iter().flatten().copied();
        let count = known().count();
        let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| shown.text(value));
        let mean = (count > 0).then(|| known().sum::<f64>() / count as f64);
        table.row([
            fit(&words(name), NAME).into(),
            Cell::new(shown.unit, FAINT),
            Cell::new(picture(values), CURVE),
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
    fn values_without_room_share_marks() {
        // Means of pairs: 2, nothing, 5 (its neighbour is missing), 8 (alone at the end).
        let values = [Some(1.0), Some(3.0), None, None, Some(5.0), None, Some(8.0)];
        assert_eq!(shared(&values, 2), [Some(2.0), None, Some(5.0), Some(8.0)]);
    }

    #[test]
    fn a_long_name_is_cut_rather_than_its_picture() {
        let values: Vec<Option<f64>> = (0..14).map(|at| Some(f64::from(at))).collect();
        let drawn = table(vec![(format!("{}_score", "x".repeat(60)), values)], "7–20 Nov", 78);
        assert_eq!(drawn.values_a_mark, 1);
        let line = drawn.picture.lines(78).remove(1);
        assert!(line.starts_with(&format!("{}…", "x".repeat(21))), "{line}");
    }

    #[test]
    fn a_long_series_fits_its_room() {
        let values: Vec<Option<f64>> = (0..500).map(|at| Some(f64::from(at))).collect();
        for room in [58, 78, 118] {
            let drawn = table(vec![("steps".to_owned(), values.clone())], "2024", room);
            assert!(drawn.values_a_mark > 1 && drawn.picture.width(usize::MAX) <= room, "{room}");
        }
    }
}
