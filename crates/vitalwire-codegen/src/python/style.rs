//! The two clients: calls of one wait, those of the other are awaited.

use serde::Serialize;

use crate::naming::pascal;

/// A client, and what tells its classes from the other's.
#[derive(Serialize)]
pub(super) struct Style {
    /// The client's class.
    pub(super) client: &'static str,
    /// What stands before the names of its other classes.
    pub(super) prefix: &'static str,
    /// Whether calls are awaited.
    pub(super) is_async: bool,
    /// What stands before the names of its methods that Python itself calls: `__aenter__`.
    a: &'static str,
}

pub(super) const STYLES: [Style; 2] = [
    Style { client: "Client", prefix: "", is_async: false, a: "" },
    Style { client: "AsyncClient", prefix: "Async", is_async: true, a: "a" },
];

impl Style {
    /// The class of a resource.
    pub(super) fn class(&self, group: &str) -> String {
        format!("{}{}", self.prefix, pascal(group))
    }
}
