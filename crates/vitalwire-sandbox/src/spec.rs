//! The operations and the names of the specifications: what is registered, what faults are aimed at and the request log speaks of.

#[path = "generated/names.rs"]
pub(crate) mod names;
#[path = "generated/operations.rs"]
mod operations;

use axum::extract::{MatchedPath, Request};
use http::Method;

pub(crate) use self::operations::OPERATIONS;

/// One operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// As in the specifications.
    pub(crate) id: &'static str,
    pub(crate) method: Method,
    /// The path with its parameters in braces, as the sandbox serves it.
    pub(crate) template: &'static str,
    /// `health` or `care`: whose token it takes.
    pub(crate) service: &'static str,
    /// Whether it takes a token at all.
    pub(crate) authenticated: bool,
    /// The documented status of success.
    pub(crate) status: u16,
    /// A body of success made from its schema, as JSON; `None` where there is no body.
    pub(crate) example: Option<&'static str>,
}

/// The operation of a request, by the path template that matched it.
fn find(method: &Method, template: &str) -> Option<&'static Operation> {
    // A HEAD is answered by the route of the GET.
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OPERATIONS.iter().find(|operation| operation.template == template && operation.method == *method)
}

/// The operation of a request that has been routed.
pub(crate) fn of(request: &Request) -> Option<&'static Operation> {
    find(request.method(), request.extensions().get::<MatchedPath>()?.as_str())
}

/// The operation with that id.
pub(crate) fn named(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

/// A provider slug of the specifications.
pub(crate) fn provider(text: &str) -> Option<&'static str> {
    names::PROVIDER_SLUG.iter().copied().find(|slug| *slug == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_belongs_to_its_get() {
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
