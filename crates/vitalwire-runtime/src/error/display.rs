//! `Display` and `Debug` of errors. They show nothing that may be private.

use std::fmt;

use super::Error;

/// Maximum length of a request id in a text, in characters.
const MAX_ID_LENGTH: usize = 64;
/// Maximum length of a location in a text, in characters.
const MAX_LOCATION_LENGTH: usize = 128;
/// Maximum length of a name in a location, in characters. Most tokens are longer, and a service could echo one.
const MAX_NAME_LENGTH: usize = 40;
/// Maximum number of locations in a text.
const MAX_LOCATIONS: usize = 8;

/// Returns the request id if it has the form of an id: letters, digits and `.`, `_`, `-`.
pub(crate) fn displayable_id(id: &str) -> Option<&str> {
    let is_displayable =
        !id.is_empty() && id.len() <= MAX_ID_LENGTH && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    is_displayable.then_some(id)
}

/// Returns a location such as `body.items[3].name` if it has that form.
fn displayable_location(location: &str) -> Option<&str> {
    let is_displayable = !location.is_empty()
        && location.len() <= MAX_LOCATION_LENGTH
        && location.split(['.', '[', ']']).all(|name| name.len() <= MAX_NAME_LENGTH)
        && location.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.[]-*".contains(&b));
    is_displayable.then_some(location)
}

impl Error {
    /// Returns the distinct locations of validation errors: several invalid items may share one location.
    fn error_locations(&self) -> Vec<&str> {
        let items = self.inner.problem.iter().flat_map(|problem| &problem.errors);
        let mut locations = Vec::new();
        for location in items.filter_map(|item| displayable_location(item.location.as_deref()?)) {
            if locations.len() < MAX_LOCATIONS && !locations.contains(&location) {
                locations.push(location);
            }
        }
        locations
    }

    /// Returns the text after the kind: the details of the error, separated by commas.
    fn details(&self) -> String {
        let inner = &*self.inner;
        let mut details: Vec<String> = Vec::new();
        if let Some(reason) = inner.reason {
            details.push(reason.to_owned());
        }
        if let Some(detail) = inner.detail {
            details.push(detail.to_owned());
        }
        if let Some(argument) = &inner.argument {
            details.push(format!("argument {argument}"));
        }
        if let Some(path) = &inner.json_path {
            details.push(format!("at {path}"));
        }
        let locations = self.error_locations();
        if !locations.is_empty() {
            details.push(format!("at {}", locations.join(" and ")));
        }
        if let Some(status) = inner.status {
            details.push(format!("status {status}"));
        }
        match (inner.http_method, inner.path_template) {
            (Some(method), Some(template)) => details.push(format!("{method} {template}")),
            (None, Some(template)) => details.push(template.to_owned()),
            _ => {}
        }
        if let Some(id) = inner.request_id.as_deref().and_then(displayable_id) {
            details.push(format!("request id {id}"));
        }
        if let Some(wait) = inner.retry_after {
            details.push(format!("retry after {} s", wait.as_secs()));
        }
        if inner.attempts > 1 {
            details.push(format!("{} attempts", inner.attempts));
        }
        if self.may_have_taken_effect() {
            details.push("it may have taken effect".to_owned());
        }
        details.join(", ")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = self.details();
        if details.is_empty() { f.write_str(self.kind().as_str()) } else { write!(f, "{}: {details}", self.kind()) }
    }
}

/// Shows the same as `Display`. The source is omitted, because its `Debug` may show private data.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::parse_problem;
    use super::super::{Error, ErrorKind};

    fn with_problem(body: &str) -> Error {
        let mut error = Error::new(ErrorKind::InvalidRequest);
        error = error.with_problem(parse_problem(body.as_bytes()), &["validation failed"]);
        error.inner.status = Some(422);
        error
    }

    #[test]
    fn a_text_contains_only_allowed_details() {
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
    fn an_unknown_detail_and_a_malformed_request_id_are_hidden() {
        let mut error = with_problem(r#"{"detail":"no user CANARY","title":"CANARY"}"#);
        error.inner.request_id = Some("CANARY jane@example.org".to_owned());
        assert_eq!(error.to_string(), "invalid_request: status 422");
        assert_eq!(error.request_id(), Some("CANARY jane@example.org"));
        error.inner.request_id = Some("x".repeat(65));
        assert_eq!(error.to_string(), "invalid_request: status 422");
    }

    #[test]
    fn at_most_eight_locations_are_shown() {
        let entries: Vec<_> = (0..1000).map(|i| format!(r#"{{"location":"body.a{i}"}}"#)).collect();
        let error = with_problem(&format!(r#"{{"errors":[{}]}}"#, entries.join(",")));
        assert!(error.to_string().contains("body.a7"));
        assert!(!error.to_string().contains("body.a8"));
    }

    #[test]
    fn a_location_as_long_as_a_token_is_hidden() {
        let (name, token) = ("a".repeat(40), "a".repeat(41));
        for (location, is_shown) in [(format!("body.{name}[3]"), true), (format!("body.{token}"), false), (format!("x[{token}]"), false)] {
            let error = with_problem(&format!(r#"{{"errors":[{{"location":"{location}"}}]}}"#));
            assert_eq!(error.to_string().contains(&location), is_shown, "{location}");
        }
    }

    #[test]
    fn a_location_is_shown_once() {
        let error = with_problem(r#"{"errors":[{"location":"query.types"},{"location":"query.to"},{"location":"query.types"}]}"#);
        assert_eq!(error.to_string(), "invalid_request: at query.types and query.to, status 422");
    }

    #[test]
    fn an_error_takes_one_machine_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        fn threads<T: Send + Sync + 'static>() {}
        threads::<Error>();
    }
}
