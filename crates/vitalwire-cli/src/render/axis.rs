//! The time axis below a chart.

/// Width of a label with the space after it, in columns.
const LABEL_WIDTH: usize = 6;
/// Hours between two ticks. The first step that leaves room for a label is used.
const STEPS: [i64; 7] = [1, 2, 3, 4, 6, 12, 24];

/// Returns a line of ticks and a line of labels for the full hours in a span of local time, `columns` wide. Times are in seconds since a
/// local midnight.
pub(crate) fn hour_axis(start: i64, end: i64, columns: usize) -> [String; 2] {
    let span = end - start;
    if span <= 0 || columns == 0 {
        return [String::new(), String::new()];
    }
    let has_room = |hours: &&i64| i128::from(**hours * 3_600) * columns as i128 >= i128::from(span) * LABEL_WIDTH as i128;
    let step = STEPS.iter().find(has_room).copied().unwrap_or(24) * 3_600;
    let mut ticks = vec!['─'; columns];
    let mut labels = vec![' '; columns];
    let mut at = start.div_euclid(step) * step;
    while at < end {
        let share = i128::from(at - start) * columns as i128 / i128::from(span);
        if let Some(column) = usize::try_from(share).ok().filter(|_| at >= start) {
            ticks[column] = '┬';
            let label = format!("{:02}:00", (at / 3_600).rem_euclid(24));
            // Put the label below its tick. Leave out a label that would exceed the chart.
            if column + label.len() <= columns {
                for (cell, char) in labels.iter_mut().skip(column).zip(label.chars()) {
                    *cell = char;
                }
            }
        }
        at += step;
    }
    [ticks.into_iter().collect(), labels.into_iter().collect::<String>().trim_end().to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;

    #[test]
    fn each_hour_is_in_its_column() {
        // 22:30 to 01:30 in 36 columns: an hour takes 12, so 23:00, 00:00 and 01:00 fall on columns 6, 18 and 30.
        let [ticks, labels] = hour_axis(22 * HOUR + 1_800, 25 * HOUR + 1_800, 36);
        assert_eq!(ticks, "──────┬───────────┬───────────┬─────");
        assert_eq!(labels, "      23:00       00:00       01:00");
    }

    #[test]
    fn ticks_leave_room_for_labels() {
        // A day in 48 columns: an hour takes 2, so every third hour has a label of 6 columns.
        let [ticks, labels] = hour_axis(0, 24 * HOUR, 48);
        assert_eq!(ticks, "┬─────".repeat(8));
        assert_eq!(labels, "00:00 03:00 06:00 09:00 12:00 15:00 18:00 21:00");
        // 01:00 to 05:00 in 12 columns: two hours take 6. 04:00 falls on column 9, where its label would exceed the chart.
        let [ticks, labels] = hour_axis(HOUR, 5 * HOUR, 12);
        assert_eq!(ticks, "───┬─────┬──");
        assert_eq!(labels, "   02:00");
    }

    #[test]
    fn an_empty_span_has_no_axis() {
        assert_eq!(hour_axis(5, 5, 10), ["", ""]);
        assert_eq!(hour_axis(9, 5, 10), ["", ""]);
        assert_eq!(hour_axis(0, 100, 0), ["", ""]);
    }
}
