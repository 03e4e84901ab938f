//! Decoding of problem details (RFC 9457). A field of an unexpected type does not invalidate the others.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::ProblemDetails;
use crate::value::decode::{from_slice, without_byte_order_mark};

/// Decodes the body of an error response. Returns `None` if it is not a JSON object with a problem details field.
pub(crate) fn from_body(body: &[u8]) -> Option<ProblemDetails> {
    let body = without_byte_order_mark(body);
    let names = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(body).ok()?;
    if !ProblemDetails::MEMBERS.iter().any(|name| names.contains_key(*name)) {
        return None;
    }
    from_slice(body, &[]).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn extra(problem: &ProblemDetails, name: &str) -> Value {
        problem.extra.get(name).unwrap()
    }

    #[test]
    fn reads_every_member() {
        let body = br#"{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"validation failed",
            "instance":"/v3/x","errors":[{"location":"body.items[3].x","message":"expected number","value":"abc","hint":1}],"trace":"t"}"#;
        let problem = from_body(body).unwrap();
        assert_eq!(problem.type_.as_deref(), Some("about:blank"));
        assert_eq!(problem.title.as_deref(), Some("Unprocessable Entity"));
        assert_eq!(problem.status, Some(422));
        assert_eq!(problem.detail.as_deref(), Some("validation failed"));
        assert_eq!(problem.instance.as_deref(), Some("/v3/x"));
        let [fault] = problem.errors.as_slice() else { panic!("one fault") };
        assert_eq!(fault.location.as_deref(), Some("body.items[3].x"));
        assert_eq!(fault.message.as_deref(), Some("expected number"));
        assert_eq!(fault.value.as_ref().unwrap().to_value().unwrap(), "abc");
        assert_eq!(fault.extra.get("hint").unwrap(), 1);
        assert_eq!(extra(&problem, "trace"), "t");
    }

    #[test]
    fn wrong_types_survive_beside_the_rest() {
        let problem = from_body(br#"{"status":"422","detail":7,"title":"t","errors":{"plain":1}}"#).unwrap();
        assert_eq!((problem.status, problem.detail.as_deref(), problem.title.as_deref()), (None, None, Some("t")));
        assert!(problem.errors.as_slice().is_empty());
        assert_eq!(extra(&problem, "status"), "422");
        assert_eq!(extra(&problem, "detail"), 7);
        assert_eq!(extra(&problem, "errors")["plain"], 1);
    }

    #[test]
    fn a_fault_that_cannot_be_read_does_not_hide_its_neighbours() {
        let problem = from_body(br#"{"errors":[null,{"location":"body.x"},"plain",{"location":"body.y","value":null},[]]}"#).unwrap();
        let locations: Vec<_> = problem.errors.as_slice().iter().map(|fault| fault.location.as_deref()).collect();
        assert_eq!(locations, [Some("body.x"), Some("body.y")]);
        assert!(problem.extra.is_empty());
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        assert_eq!(from_body("\u{feff}{\"title\":\"t\"}".as_bytes()).unwrap().title.as_deref(), Some("t"));
        assert!(from_body("\u{feff}".as_bytes()).is_none());
    }

    #[test]
    fn other_bodies_are_no_problem() {
        for body in ["", "null", "[]", "\"text\"", "<html></html>", "{}", r#"{"message":"x"}"#, "{\"title\":"] {
            assert!(from_body(body.as_bytes()).is_none(), "{body}");
        }
    }

    /// A value that no [`Value`] can represent is kept as text.
    #[test]
    fn what_was_refused_may_be_anything() {
        let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
        for value in [deep("[", "]"), deep("{\"a\":[", "]}").replace("[]", "[1]"), "1e400".to_owned(), "\"\\ud800\"".to_owned()] {
            let body = format!("{{\"status\":422,\"errors\":[{{\"location\":\"query.from\",\"value\":{value}}}],\"trace\":{value}}}");
            let problem = from_body(body.as_bytes()).unwrap();
            let [fault] = problem.errors.as_slice() else { panic!("one fault") };
            assert_eq!((problem.status, fault.location.as_deref()), (Some(422), Some("query.from")));
            assert_eq!((fault.value.as_ref().unwrap().as_text(), problem.extra.get_text("trace")), (&*value, Some(&*value)));
        }
        let no_fault = from_body(format!("{{\"errors\":{}}}", deep("[", "]")).as_bytes()).unwrap();
        assert!(no_fault.errors.as_slice().is_empty() && no_fault.extra.is_empty());
    }

    #[test]
    fn debug_shows_no_text() {
        let problem = from_body(br#"{"detail":"CANARY","errors":[{"location":"CANARY","value":"CANARY"}],"CANARY":1}"#).unwrap();
        assert!(!format!("{problem:?} {:?}", problem.errors.as_slice()).contains("CANARY"));
    }
}
