//! The problem details of an error answer (RFC 9457), read so that a member of the wrong type never costs the rest.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::models::ProblemDetails;
use crate::value::decode::from_slice;

/// The members that make an object a problem: those of RFC 9457, and the interface's list of single faults.
const MEMBERS: [&str; 6] = ["type", "title", "status", "detail", "instance", "errors"];

/// Reads an error body. `None` when it is no JSON object or has no member of a problem.
///
/// As the models do, so that a value of many digits or levels, which nobody declared, is kept as text and costs nothing else.
pub(crate) fn from_body(body: &[u8]) -> Option<ProblemDetails> {
    let members: HashMap<Cow<'_, str>, IgnoredAny> = serde_json::from_slice(body).ok()?;
    if !MEMBERS.iter().any(|name| members.contains_key(*name)) {
        return None;
    }
    from_slice(body).ok()
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
        let problem = from_body(br#"{"status":"422","detail":7,"title":"t","errors":["plain"]}"#).unwrap();
        assert_eq!((problem.status, problem.detail.as_deref(), problem.title.as_deref()), (None, None, Some("t")));
        assert!(problem.errors.as_slice().is_empty());
        assert_eq!(extra(&problem, "status"), "422");
        assert_eq!(extra(&problem, "detail"), 7);
        assert_eq!(extra(&problem, "errors")[0], "plain");
    }

    #[test]
    fn other_bodies_are_no_problem() {
        for body in ["", "null", "[]", "\"text\"", "<html></html>", "{}", r#"{"message":"x"}"#, "{\"title\":"] {
            assert!(from_body(body.as_bytes()).is_none(), "{body}");
        }
        let deep = format!("{{\"errors\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        let problem = from_body(deep.as_bytes()).unwrap();
        assert_eq!(problem.extra.get_text("errors").map(str::len), Some(200_000));
    }

    #[test]
    fn a_value_of_many_digits_or_levels_costs_nothing_else() {
        for value in ["1e400", &"7".repeat(5000), &format!("{}{}", "[".repeat(1000), "]".repeat(1000)), r#""\ud83d""#] {
            let body = format!(r#"{{"title":"t","errors":[{{"location":"l","value":{value}}}],"trace":{value}}}"#);
            let problem = from_body(body.as_bytes()).unwrap();
            let [fault] = problem.errors.as_slice() else { panic!("one fault") };
            assert_eq!((problem.title.as_deref(), fault.location.as_deref()), (Some("t"), Some("l")));
            assert_eq!(fault.value.as_ref().map(crate::value::Json::as_text), Some(value));
            assert_eq!(problem.extra.get_text("trace"), Some(value));
        }
    }

    #[test]
    fn debug_shows_no_text() {
        let problem = from_body(br#"{"detail":"CANARY","errors":[{"location":"CANARY","value":"CANARY"}],"CANARY":1}"#).unwrap();
        assert!(!format!("{problem:?} {:?}", problem.errors.as_slice()).contains("CANARY"));
    }
}
