use super::*;
use Level::{Asleep, Awake, Deep, Light, Rem};

fn picture(columns: &[Option<Level>]) -> Vec<String> {
    rows(columns).into_iter().map(|level| anstream::adapter::strip_str(&row(columns, level)).to_string()).collect()
}

fn known(levels: &[Level]) -> Vec<Option<Level>> {
    levels.iter().copied().map(Some).collect()
}

#[test]
fn the_line_steps_between_rows() {
    let night = known(&[Awake, Light, Light, Deep, Deep, Light, Rem, Rem, Awake]);
    let expected = [
        "━┓      ┏", //
        " ┃    ┏━┛",
        " ┗━┓ ┏┛  ",
        "   ┗━┛   ",
    ];
    assert_eq!(picture(&night), expected);
}

#[test]
fn a_step_over_several_rows_passes_through_them() {
    let expected = [
        "━┓ ┏", //
        " ┃ ┃",
        " ┃ ┃",
        " ┗━┛",
    ];
    assert_eq!(picture(&known(&[Awake, Deep, Deep, Awake])), expected);
}

#[test]
fn an_unknown_stage_breaks_the_line() {
    let night = [Some(Light), None, Some(Deep), Some(Asleep)];
    let expected = [
        "    ", //
        "    ", "━   ", "  ━┓", "   ┗",
    ];
    assert_eq!(picture(&night), expected);
}

#[test]
fn a_column_shows_the_stage_with_the_greatest_weight() {
    let span = |level, start, end| StageSpan { level, start, end };
    // Two columns of 100 s. In the first: 60 s light, 40 s deep. In the second: 70 s deep, 30 s awake (weighs 240).
    let night = [span(Light, 0, 60), span(Deep, 60, 170), span(Awake, 170, 200)];
    assert_eq!(columns(&night, 0, 200, 2), [Some(Light), Some(Awake)]);
    // Four columns of 50 s: the third is all deep, the fourth 20 s deep and 30 s awake, the second 10 s light and 40 s deep.
    assert_eq!(columns(&night, 0, 200, 4), [Some(Light), Some(Deep), Some(Deep), Some(Awake)]);
    assert_eq!(columns(&night, 0, 400, 4), [Some(Light), Some(Awake), None, None]);
}

#[test]
fn empty_and_reversed_nights_are_drawn() {
    assert_eq!(columns(&[], 5, 5, 3), [None, None, None]);
    assert_eq!(columns(&[], 9, 5, 2), [None, None]);
    assert!(columns(&[], 0, 10, 0).is_empty());
    let backwards = [StageSpan { level: Deep, start: 10, end: 0 }];
    assert_eq!(columns(&backwards, 0, 10, 1), [None]);
    assert_eq!(columns(&[], i64::MIN, i64::MAX, 1), [None]);
}

#[test]
fn stage_names_have_rows() {
    assert_eq!(Level::from_stage("out_of_bed"), Some(Awake));
    assert_eq!(Level::from_stage("sleeping"), Some(Asleep));
    assert_eq!(Level::from_stage("unknown"), None);
    assert_eq!(Level::from_stage("rem"), Some(Rem));
}
