use serde_json::Value;

use super::*;

fn extra(problem: &ProblemDetails, name: &str) -> Value {
    problem.extra.get(name).unwrap()
}

#[test]
fn every_field_is_decoded() {
    let body = br#"{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"validation failed",
            "instance":"/v3/x","errors":[{"location":"body.items[3].x","message":"expected number","value":"abc","hint":1}],"trace":"t"}"#;
    let problem = parse_problem(body).unwrap();
    assert_eq!(problem.type_.as_deref(), Some("about:blank"));
    assert_eq!(problem.title.as_deref(), Some("Unprocessable Entity"));
    assert_eq!(problem.status, Some(422));
    assert_eq!(problem.detail.as_deref(), Some("validation failed"));
    assert_eq!(problem.instance.as_deref(), Some("/v3/x"));
    let [item] = problem.errors.as_slice() else { panic!("one validation error") };
    assert_eq!(item.location.as_deref(), Some("body.items[3].x"));
    assert_eq!(item.message.as_deref(), Some("expected number"));
    assert_eq!(item.value.as_ref().unwrap().to_value().unwrap(), "abc");
    assert_eq!(item.extra.get("hint").unwrap(), 1);
    assert_eq!(extra(&problem, "trace"), "t");
}

#[test]
fn fields_of_a_wrong_type_are_kept_in_extra() {
    let problem = parse_problem(br#"{"status":"422","detail":7,"title":"t","errors":{"plain":1}}"#).unwrap();
    assert_eq!((problem.status, problem.detail.as_deref(), problem.title.as_deref()), (None, None, Some("t")));
    assert!(problem.errors.as_slice().is_empty());
    assert_eq!(extra(&problem, "status"), "422");
    assert_eq!(extra(&problem, "detail"), 7);
    assert_eq!(extra(&problem, "errors")["plain"], 1);
}

#[test]
fn an_invalid_validation_error_does_not_hide_the_others() {
    let problem = parse_problem(br#"{"errors":[null,{"location":"body.x"},"plain",{"location":"body.y","value":null},[]]}"#).unwrap();
    let locations: Vec<_> = problem.errors.as_slice().iter().map(|item| item.location.as_deref()).collect();
    assert_eq!(locations, [Some("body.x"), Some("body.y")]);
    assert!(problem.extra.is_empty());
}

#[test]
fn a_byte_order_mark_is_ignored() {
    assert_eq!(parse_problem("\u{feff}{\"title\":\"t\"}".as_bytes()).unwrap().title.as_deref(), Some("t"));
    assert!(parse_problem("\u{feff}".as_bytes()).is_none());
}

#[test]
fn other_bodies_are_not_problem_details() {
    for body in ["", "null", "[]", "\"text\"", "<html></html>", "{}", r#"{"message":"x"}"#, "{\"title\":"] {
        assert!(parse_problem(body.as_bytes()).is_none(), "{body}");
    }
}

/// A value that no [`Value`] can represent is kept as text.
#[test]
fn an_invalid_value_may_be_any_json() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for value in [deep("[", "]"), deep("{\"a\":[", "]}").replace("[]", "[1]"), "1e400".to_owned(), "\"\\ud800\"".to_owned()] {
        let body = format!("{{\"status\":422,\"errors\":[{{\"location\":\"query.from\",\"value\":{value}}}],\"trace\":{value}}}");
        let problem = parse_problem(body.as_bytes()).unwrap();
        let [item] = problem.errors.as_slice() else { panic!("one validation error") };
        assert_eq!((problem.status, item.location.as_deref()), (Some(422), Some("query.from")));
        assert_eq!((item.value.as_ref().unwrap().as_text(), problem.extra.get_text("trace")), (&*value, Some(&*value)));
    }
    let no_items = parse_problem(format!("{{\"errors\":{}}}", deep("[", "]")).as_bytes()).unwrap();
    assert!(no_items.errors.as_slice().is_empty() && no_items.extra.is_empty());
}

#[test]
fn debug_shows_no_text() {
    let problem = parse_problem(br#"{"detail":"CANARY","errors":[{"location":"CANARY","value":"CANARY"}],"CANARY":1}"#).unwrap();
    assert!(!format!("{problem:?} {:?}", problem.errors.as_slice()).contains("CANARY"));
}
