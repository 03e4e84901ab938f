//! `Display` and `Debug` of errors. They show nothing that may be private.

use std::fmt;

use super::Error;

/// Maximum length of a request id in a text, in characters.
const MAX_REQUEST_ID: usize = 64;
/// Maximum length of a location in a text, in characters.
const MAX_PLACE: usize = 128;
/// Maximum number of locations in a text.
const MAX_PLACES: usize = 8;

/// Returns the request id if it has the form of an id: letters, digits and `.`, `_`, `-`.
pub(crate) fn harmless_id(id: &str) -> Option<&str> {
    let shaped = !id.is_empty() && id.len() <= MAX_REQUEST_ID && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    shaped.then_some(id)
}

/// Returns a location such as `body.items[3].name` if it has that form.
fn harmless_place(place: &str) -> Option<&str> {
    let shaped =
        !place.is_empty() && place.len() <= MAX_PLACE && place.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.[]-*".contains(&b));
    shaped.then_some(place)
}

impl Error {
    /// Returns the distinct locations of validation errors: several invalid items may share one location.
    fn shown_places(&self) -> Vec<&str> {
        let entries = self.inner.problem.iter().flat_map(|problem| &problem.errors);
        let mut places = Vec::new();
        for place in entries.filter_map(|entry| harmless_place(entry.location.as_deref()?)) {
            if places.len() < MAX_PLACES && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Returns the text after the kind: the details of the error, separated by commas.
    fn facts(&self) -> String {
        let inner = &*self.inner;
        let mut facts: Vec<String> = Vec::new();
        if let Some(reason) = inner.reason {
            facts.push(reason.to_owned());
        }
        if let Some(detail) = inner.detail {
            facts.push(detail.to_owned());
        }
        if let Some(argument) = &inner.argument {
            facts.push(format!("argument {argument}"));
        }
        if let Some(place) = &inner.json_path {
            facts.push(format!("at {place}"));
        }
        let places = self.shown_places();
        if !places.is_empty() {
            facts.push(format!("at {}", places.join(" and ")));
        }
        if let Some(status) = inner.status {
            facts.push(format!("status {status}"));
        }
        match (inner.http_method, inner.path_template) {
            (Some(method), Some(template)) => facts.push(format!("{method} {template}")),
            (None, Some(template)) => facts.push(template.to_owned()),
            _ => {}
        }
        if let Some(id) = inner.request_id.as_deref().and_then(harmless_id) {
            facts.push(format!("request id {id}"));
        }
        if let Some(wait) = inner.retry_after {
            facts.push(format!("retry after {} s", wait.as_secs()));
        }
        if inner.attempts > 1 {
            facts.push(format!("{} attempts", inner.attempts));
        }
        if self.may_have_taken_effect() {
            facts.push("it may have taken effect".to_owned());
        }
        facts.join(", ")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.facts();
        if facts.is_empty() { f.write_str(self.kind().as_str()) } else { write!(f, "{}: {facts}", self.kind()) }
    }
}

/// Shows the same as `Display`. The source is left out, because its `Debug` may show private data.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::from_body;
    use super::super::{Error, ErrorKind};

    fn with_problem(body: &str) -> Error {
        let mut error = Error::new(ErrorKind::InvalidRequest);
        error = error.problem_details(from_body(body.as_bytes()), &["validation failed"]);
        error.inner.status = Some(422);
        error
    }

    #[test]
    fn holds_the_allowed_facts_only() {
        let mut error = with_problem(
            r#"{"detail":"validation failed","errors":[{"location":"body.items[3].x","value":"CANARY","message":"CANARY"},{"location":"jane doe CANARY"}]}"#,
        );
        error.inner.operation = Some("update_nutrition_record");
        error.inner.http_method = Some("PATCH");
        error.inner.path_template = Some("/v3/nutrition_records/{record_id}");
        error.inner.request_id = Some("req-1_A.b".to_owned());
        error.inner.attempts = 2;
        let expected = "invalid_request: validation failed, at body.items[3].x, status 422, PATCH /v3/nutrition_records/{record_id}, request id req-1_A.b, 2 attempts";
        assert_eq!(error.to_string(), expected);
        assert_eq!(format!("{error:?}"), format!("Error({expected})"));
    }

    #[test]
    fn an_unknown_detail_and_an_odd_request_id_stay_hidden() {
        let mut error = with_problem(r#"{"detail":"no user CANARY","title":"CANARY"}"#);
        error.inner.request_id = Some("CANARY jane@example.org".to_owned());
        assert_eq!(error.to_string(), "invalid_request: status 422");
        assert_eq!(error.request_id(), Some("CANARY jane@example.org"));
        error.inner.request_id = Some("x".repeat(65));
        assert_eq!(error.to_string(), "invalid_request: status 422");
    }

    #[test]
    fn places_are_bounded() {
        let entries: Vec<_> = (0..1000).map(|i| format!(r#"{{"location":"body.a{i}"}}"#)).collect();
        let error = with_problem(&format!(r#"{{"errors":[{}]}}"#, entries.join(",")));
        assert!(error.to_string().contains("body.a7"));
        assert!(!error.to_string().contains("body.a8"));
    }

    #[test]
    fn a_place_is_named_once() {
        let error = with_problem(r#"{"errors":[{"location":"query.types"},{"location":"query.to"},{"location":"query.types"}]}"#);
        assert_eq!(error.to_string(), "invalid_request: at query.types and query.to, status 422");
    }

    #[test]
    fn error_is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        fn threads<T: Send + Sync + 'static>() {}
        threads::<Error>();
    }
}
