//! The time axis below a chart.

/// Width of a label with the space after it, in columns.
const LABEL_WIDTH: usize = 6;
/// Hours between two ticks. The first step that leaves room for a label is used.
const STEPS: [i64; 7] = [1, 2, 3, 4, 6, 12, 24];

/// Returns a line of ticks and a line of labels for the full hours in a span of local time, `columns` wide. Times are in seconds since a
/// local midnight. `shift` returns the change of the clocks between midnight and such a time, in seconds. It is positive after a change
/// forward.
pub(crate) fn hour_axis(start: i64, end: i64, columns: usize, shift: impl Fn(i64) -> i64) -> [String; 2] {
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
            let shown = (at + shift(at)).rem_euclid(86_400);
            let label = format!("{:02}:{:02}", shown / 3_600, shown % 3_600 / 60);
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
        let [ticks, labels] = hour_axis(22 * HOUR + 1_800, 25 * HOUR + 1_800, 36, |_| 0);
        assert_eq!(ticks, "──────┬───────────┬───────────┬─────");
        assert_eq!(labels, "      23:00       00:00       01:00");
    }

    #[test]
    fn labels_follow_a_change_of_the_clocks() {
        // The clocks go back from 03:00 to 02:00, and, on another day, forward from 02:00 to 03:00.
        let shift = |hour: i64, seconds: i64| move |at: i64| if at >= hour * HOUR { seconds } else { 0 };
        let labels = |shift: &dyn Fn(i64) -> i64| hour_axis(0, 5 * HOUR, 30, shift)[1].clone();
        assert_eq!(labels(&shift(3, -HOUR)), "00:00 01:00 02:00 02:00 03:00");
        assert_eq!(labels(&shift(2, HOUR)), "00:00 01:00 03:00 04:00 05:00");
        assert_eq!(labels(&shift(2, HOUR / 2)), "00:00 01:00 02:30 03:30 04:30");
    }

    #[test]
    fn ticks_leave_room_for_labels() {
        // A day in 48 columns: an hour takes 2, so every third hour has a label of 6 columns.
        let [ticks, labels] = hour_axis(0, 24 * HOUR, 48, |_| 0);
        assert_eq!(ticks, "┬─────".repeat(8));
        assert_eq!(labels, "00:00 03:00 06:00 09:00 12:00 15:00 18:00 21:00");
        // 01:00 to 05:00 in 12 columns: two hours take 6. 04:00 falls on column 9, where its label would exceed the chart.
        let [ticks, labels] = hour_axis(HOUR, 5 * HOUR, 12, |_| 0);
        assert_eq!(ticks, "───┬─────┬──");
        assert_eq!(labels, "   02:00");
    }

    #[test]
    fn an_empty_span_has_no_axis() {
        assert_eq!(hour_axis(5, 5, 10, |_| 0), ["", ""]);
        assert_eq!(hour_axis(9, 5, 10, |_| 0), ["", ""]);
        assert_eq!(hour_axis(0, 100, 0, |_| 0), ["", ""]);
    }
}
