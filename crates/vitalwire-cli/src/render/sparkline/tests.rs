use super::*;

fn all(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

#[test]
fn eight_even_steps_are_the_eight_bars() {
    assert_eq!(sparkline(&all(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])), "▁▂▃▄▅▆▇█");
    // The form does not depend on the offset and scale of the values.
    assert_eq!(sparkline(&all(&[-50.0, -40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0])), "▁▂▃▄▅▆▇█");
}

#[test]
fn values_go_to_the_nearest_bar() {
    // With values from 0 to 70, each bar covers 10: 14 is nearest to 10, 16 to 20.
    assert_eq!(sparkline(&all(&[0.0, 14.0, 16.0, 70.0])), "▁▂▃█");
}

#[test]
fn missing_values_are_gaps() {
    assert_eq!(sparkline(&[Some(1.0), None, Some(8.0), None]), "▁ █ ");
    assert_eq!(sparkline(&[None, None]), "  ");
    assert_eq!(sparkline(&[Some(1.0), Some(f64::NAN), Some(2.0), Some(f64::INFINITY)]), "▁ █ ");
    assert_eq!(sparkline(&[]), "");
}

#[test]
fn a_constant_series_is_a_level_line() {
    assert_eq!(sparkline(&all(&[60.0, 60.0, 60.0])), "▄▄▄");
    assert_eq!(sparkline(&[Some(7.0), None]), "▄ ");
    assert_eq!(sparkline(&all(&[0.0, 0.0])), "▁▁");
}

#[test]
fn wide_bars_are_repeated() {
    assert_eq!(wide_sparkline(&[Some(0.0), None, Some(7.0)], 2), "▁▁  ██");
}

#[test]
fn columns_are_time_weighted_means() {
    // Three stretches of 0..2, 2..4 and 6..8 with the values 10, 20, 40, in four columns and in two.
    let spans = [(0.0, 2.0, 10.0), (2.0, 4.0, 20.0), (6.0, 8.0, 40.0)];
    assert_eq!(resample(&spans, 8.0, 4), [Some(10.0), Some(20.0), None, Some(40.0)]);
    assert_eq!(resample(&spans, 8.0, 2), [Some(15.0), Some(40.0)]);
    // A column of 0..3 has 2 of the first stretch and 1 of the second: (2 * 10 + 20) / 3.
    assert_eq!(resample(&spans[..2], 3.0, 1), [Some(40.0 / 3.0)]);
    assert!(resample(&spans, 8.0, 0).is_empty());
}
