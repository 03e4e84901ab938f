//! Error bodies: `application/problem+json` with the documented fields.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::store::StoreError;

/// Maximum length of a request value repeated in an error, in characters.
const MAX_ECHOED_LENGTH: usize = 64;

/// An item of `errors`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorItem {
    location: String,
    message: String,
    value: Value,
}

impl ErrorItem {
    /// Creates an item about a text, of which only the beginning is repeated.
    pub(crate) fn text(location: impl Into<String>, message: impl Into<String>, text: &str) -> Self {
        Self::new(location, message, Value::from(text.chars().take(MAX_ECHOED_LENGTH).collect::<String>()))
    }

    /// Creates an item about a short value or null.
    pub(crate) fn new(location: impl Into<String>, message: impl Into<String>, value: Value) -> Self {
        Self { location: location.into(), message: message.into(), value }
    }
}

/// Errors found in a request, limited so that many errors do not cause a large response.
#[derive(Debug, Default)]
pub(crate) struct ErrorList(Vec<ErrorItem>);

impl ErrorList {
    /// Maximum number of errors of a request.
    pub(crate) const MAX: usize = 100;

    /// Adds an error. `item` is called only below the limit.
    pub(crate) fn add(&mut self, item: impl FnOnce() -> ErrorItem) {
        if !self.is_full() {
            self.0.push(item());
        }
    }

    /// Whether further errors are dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= Self::MAX
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails if any errors were found.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        if self.0.is_empty() { Ok(()) } else { Err(Problem::invalid_all(self.0)) }
    }
}

/// An error response. The outermost layer renders its body, because only that layer knows the request id.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    errors: Vec<ErrorItem>,
    /// JSON of an additional field `example`.
    example: Option<&'static str>,
}

#[derive(Serialize)]
struct Body<'a> {
    r#type: &'a str,
    title: &'a str,
    status: u16,
    detail: &'a str,
    instance: String,
    errors: &'a [ErrorItem],
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<Value>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), errors: Vec::new(), example: None }
    }

    pub(crate) fn with_error(mut self, item: ErrorItem) -> Self {
        self.errors.push(item);
        self
    }

    /// Adds an example response as JSON, for operations without a handler.
    pub(crate) fn with_example(self, example: Option<&'static str>) -> Self {
        Self { example, ..self }
    }

    /// Creates a 422 with one error.
    pub(crate) fn invalid(item: ErrorItem) -> Self {
        Self::invalid_all(vec![item])
    }

    /// Creates a 422 with all errors.
    pub(crate) fn invalid_all(errors: Vec<ErrorItem>) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, detail: "validation failed".to_owned(), errors, example: None }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{what} not found"))
    }

    pub(crate) fn unauthorized(detail: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// Renders the response. `instance` contains the request id.
    pub(crate) fn render(&self, request_id: &str) -> Response {
        let body = Body {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.detail,
            instance: format!("urn:uuid:{request_id}"),
            errors: &self.errors,
            example: self.example.and_then(|text| serde_json::from_str(text).ok()),
        };
        let text = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (self.status, text).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(failed: StoreError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, failed.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_truncated_in_errors() {
        let item = ErrorItem::text("query.types", "unknown", &"ä".repeat(1000));
        assert_eq!(item.value.as_str().map(|text| text.chars().count()), Some(64));
    }
}
