use super::*;

fn result(value: f64) -> LabResult {
    let body = format!(r#"{{"value":{value},"normal_min":4.0,"normal_max":11.0,"value_text":"{value:.1}"}}"#);
    serde_json::from_str(&body).expect("a result")
}

#[test]
fn the_gauge_shows_the_position_of_a_value() {
    // The range 4 to 11 takes five columns of 1.4 each. So do -3 to 4 and 11 to 18 beside it.
    for (value, picture) in [
        (4.0, "·····●━━━━·····"),
        (7.5, "·····━━●━━·····"),
        (11.0, "·····━━━━●·····"),
        (11.1, "·····━━━━━●····"),
        (3.9, "····●━━━━━·····"),
        (-50.0, "●····━━━━━·····"),
        (900.0, "·····━━━━━····●"),
    ] {
        assert_eq!(gauge(&result(value)).as_deref(), Some(picture), "{value}");
    }
    let empty_range: LabResult = serde_json::from_str(r#"{"value":1,"normal_min":2,"normal_max":2}"#).expect("a result");
    assert_eq!(gauge(&empty_range), None);
}

#[test]
fn flags_follow_the_services_assessment() {
    let flagged = |rest: &str| {
        let body = format!(r#"{{"value":12,"normal_min":4,"normal_max":11{rest}}}"#);
        let mut table = Table::untitled().left("");
        table.row([flag(&serde_json::from_str(&body).expect("a result"))]);
        anstream::adapter::strip_str(&table.lines(80)[0]).to_string()
    };
    assert_eq!(flagged(r#","within_normal_range":false"#), "high");
    assert_eq!(flagged(r#","within_normal_range":true"#), "ok");
    assert_eq!(flagged(r#","within_normal_range":false,"require_human_review":true"#), "high, review");
    assert_eq!(flagged(r#","within_normal_range":true,"require_human_review":true"#), "review");
    assert_eq!(flagged(""), "");
}
