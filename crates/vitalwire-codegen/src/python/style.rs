//! The two client styles: blocking and async.

use serde::Serialize;

use crate::naming::pascal;

/// Names of a client style's classes.
#[derive(Serialize)]
pub(super) struct Style {
    /// Class of the client in this style.
    pub(super) client: &'static str,
    /// Prefix of the other classes.
    pub(super) prefix: &'static str,
    pub(super) is_async: bool,
    /// Prefix of the dunder methods, as in `__aenter__`.
    a: &'static str,
}

pub(super) const STYLES: [Style; 2] = [
    Style { client: "Client", prefix: "", is_async: false, a: "" },
    Style { client: "AsyncClient", prefix: "Async", is_async: true, a: "a" },
];

impl Style {
    /// Returns the class of a resource.
    pub(super) fn class(&self, group: &str) -> String {
        format!("{}{}", self.prefix, pascal(group))
    }
}
