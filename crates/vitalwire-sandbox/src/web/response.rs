//! Common parts of all responses.

use axum::response::Response;
use http::{HeaderValue, header};

use super::problem::Problem;

/// Completes a response with its problem body and the common headers.
pub(crate) fn complete_response(mut response: Response, id: &str) -> Response {
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let headers_before = std::mem::take(response.headers_mut());
        response = problem.render(id);
        for name in [header::RETRY_AFTER, header::CONNECTION] {
            for value in headers_before.get_all(&name) {
                response.headers_mut().append(&name, value.clone());
            }
        }
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(id) {
        headers.insert("x-request-id", value);
    }
    headers.insert("x-synthetic-data", HeaderValue::from_static("true"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
