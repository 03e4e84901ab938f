use super::*;
use jiff::civil::date;

#[test]
fn stages_fill_the_night_without_gaps() {
    for number in 1..=6 {
        let person = Profile::plain(3, &super::super::profile::seeded_id(number));
        let mut day = date(2025, 1, 1);
        for _ in 0..400 {
            let night = Night::new(&person, day, u8::from(day.day() % 3 == 0));
            let mut at = night.start;
            for stage in &night.stages {
                assert_eq!(stage.start, at);
                assert!(stage.length > 0);
                at += stage.length;
            }
            assert_eq!(at, night.end);
            assert!(night.stages.windows(2).all(|pair| pair[0].name != pair[1].name));
            assert!((40..=98).contains(&night.score()));
            assert!((5 * 3600..10 * 3600).contains(&night.time_asleep()), "{}", night.time_asleep());
            day = calendar::next_day(day);
        }
    }
}

#[test]
fn another_device_records_the_same_night_slightly_differently() {
    let person = Profile::plain(3, "person-1");
    for at in 0..60 {
        let day = calendar::from_number(20_000 + at).unwrap();
        let (own, other) = (Night::new(&person, day, 0), Night::new(&person, day, 7));
        assert!((own.start - other.start).abs() <= 600 && (own.end - other.end).abs() <= 480);
        assert_ne!(own.stages, other.stages);
    }
}

#[test]
fn deep_sleep_comes_early_and_rem_sleep_late() {
    let person = Profile::plain(3, "person-1");
    let (mut deep, mut dream) = ([0_i64; 2], [0_i64; 2]);
    for at in 0..60 {
        let night = Night::new(&person, calendar::from_number(20_000 + at).unwrap(), 0);
        let middle = i64::midpoint(night.start, night.end);
        for stage in &night.stages {
            let half = usize::from(stage.start >= middle);
            match stage.name {
                "deep" => deep[half] += stage.length,
                "rem" => dream[half] += stage.length,
                _ => {}
            }
        }
    }
    assert!(deep[0] > 2 * deep[1], "{deep:?}");
    assert!(dream[1] > dream[0], "{dream:?}");
}
