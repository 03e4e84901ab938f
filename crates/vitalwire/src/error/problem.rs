//! The problem details of an error answer (RFC 9457), read so that a member of the wrong type never costs the rest.

use serde_json::Value;

use crate::models::ProblemDetails;

/// The members of RFC 9457 that make an object a problem.
const MEMBERS: [&str; 5] = ["type", "title", "status", "detail", "instance"];

/// The interface's list of single faults.
const FAULTS: &str = "errors";

/// Reads an error body. `None` when it is no JSON object or has no member of a problem.
pub(crate) fn from_body(body: &[u8]) -> Option<ProblemDetails> {
    // serde_json refuses nesting beyond 128 levels, so a hostile body cannot exhaust the stack.
    let Ok(Value::Object(mut object)) = serde_json::from_slice(body) else { return None };
    if !MEMBERS.iter().chain(&[FAULTS]).any(|name| object.contains_key(*name)) {
        return None;
    }
    // A list with anything but objects in it would be refused as a whole: it is kept beside the rest.
    let odd = match object.get(FAULTS) {
        Some(Value::Array(items)) if !items.iter().all(Value::is_object) => object.remove(FAULTS),
        _ => None,
    };
    let mut problem: ProblemDetails = serde_json::from_value(Value::Object(object)).ok()?;
    if let Some(faults) = odd {
        problem.extra = problem.extra.with(FAULTS, &faults.to_string());
    }
    Some(problem)
}

#[cfg(test)]
mod tests {
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
        assert!(from_body(deep.as_bytes()).is_none());
    }

    #[test]
    fn debug_shows_no_text() {
        let problem = from_body(br#"{"detail":"CANARY","errors":[{"location":"CANARY","value":"CANARY"}],"CANARY":1}"#).unwrap();
        assert!(!format!("{problem:?} {:?}", problem.errors.as_slice()).contains("CANARY"));
    }
}
