//! Operations and names of the specifications, used by the router, faults and the request log.

#[path = "generated/names.rs"]
pub(crate) mod names;
#[path = "generated/operations.rs"]
mod operations;

use axum::extract::{MatchedPath, Request};
use http::Method;

pub(crate) use self::operations::OPERATIONS;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) id: &'static str,
    pub(crate) method: Method,
    /// Path as the sandbox serves it, with parameters in braces.
    pub(crate) template: &'static str,
    /// `health` or `care`: the service whose token the operation requires.
    pub(crate) service: &'static str,
    /// Whether the operation requires a token.
    pub(crate) authenticated: bool,
    /// Documented status of a success.
    pub(crate) status: u16,
    /// JSON body of a success, made from its schema. `None` if it has no body.
    pub(crate) example: Option<&'static str>,
}

fn find(method: &Method, template: &str) -> Option<&'static Operation> {
    // HEAD requests are handled by the route of GET.
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OPERATIONS.iter().find(|operation| operation.template == template && operation.method == *method)
}

/// Returns the operation of a routed request.
pub(crate) fn operation_of(request: &Request) -> Option<&'static Operation> {
    find(request.method(), request.extensions().get::<MatchedPath>()?.as_str())
}

pub(crate) fn find_by_id(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

/// Returns a provider slug of the specifications.
pub(crate) fn find_provider(text: &str) -> Option<&'static str> {
    names::PROVIDER_SLUG.iter().copied().find(|slug| *slug == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_uses_the_operation_of_get() {
        assert_eq!(find(&Method::HEAD, "/v3/userinfo").map(|operation| operation.id), Some("get_user_info"));
        assert_eq!(find(&Method::PUT, "/v3/userinfo"), None);
    }

    #[test]
    fn every_example_is_json() {
        for operation in OPERATIONS {
            let parsed: Option<serde_json::Value> = operation.example.map(|text| serde_json::from_str(text).unwrap());
            assert_eq!(parsed.is_some(), operation.status != 204, "{}", operation.id);
        }
    }
}
