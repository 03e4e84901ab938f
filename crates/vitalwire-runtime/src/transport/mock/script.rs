//! Chooses the next mock response.

use std::collections::HashMap;

use super::{MockRequest, MockResponse, RecordedRequest};

/// Responses in order; the last one repeats.
#[derive(Default)]
struct Script {
    responses: Vec<MockResponse>,
    taken: usize,
}

impl Script {
    fn next(&mut self) -> Option<MockResponse> {
        let at = self.taken.min(self.responses.len().checked_sub(1)?);
        self.taken = at + 1;
        self.responses.get(at).cloned()
    }
}

/// Method, path and query of a recorded request. Query pairs are compared without regard to order.
#[derive(PartialEq, Eq, Hash)]
struct RequestKey(String, String, Vec<(String, String)>);

impl RequestKey {
    fn new(http_method: &str, path: &str, mut query: Vec<(String, String)>) -> Self {
        query.sort_unstable();
        Self(http_method.to_owned(), path.to_owned(), query)
    }
}

/// All responses of a set.
#[derive(Default)]
pub(super) struct Scripts {
    recorded: HashMap<RequestKey, Script>,
    operations: HashMap<String, Script>,
}

impl Scripts {
    pub(super) fn add(&mut self, operation: &str, response: MockResponse) {
        self.operations.entry(operation.to_owned()).or_default().responses.push(response);
    }

    pub(super) fn record(&mut self, request: &RecordedRequest, response: MockResponse) {
        let query = form_urlencoded::parse(request.query.as_bytes()).into_owned().collect();
        let key = RequestKey::new(&request.method, &request.path, query);
        self.recorded.entry(key).or_default().responses.push(response);
    }

    pub(super) fn clear(&mut self, operation: &str) {
        self.operations.remove(operation);
    }

    /// Returns the response to a request. Responses set for the operation take precedence over recorded ones, so single responses of a
    /// recording can be replaced.
    pub(super) fn next(&mut self, request: &MockRequest) -> Result<MockResponse, &'static str> {
        if let Some(response) = self.operations.get_mut(request.operation).and_then(Script::next) {
            return Ok(response);
        }
        let key = RequestKey::new(&request.http_method, &request.path, request.query.clone());
        let recorded = self.recorded.get_mut(&key).and_then(Script::next);
        recorded.ok_or(if self.recorded.is_empty() {
            "the operation has no mock response"
        } else {
            "no recorded exchange has this method, path and query"
        })
    }
}
