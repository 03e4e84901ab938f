//! Which answer is next.

use std::collections::HashMap;

use super::{Answer, RecordedRequest, Requested};

/// Answers that are given in turn; the last one stays.
#[derive(Default)]
struct Script {
    answers: Vec<Answer>,
    given: usize,
}

impl Script {
    fn next(&mut self) -> Option<Answer> {
        let at = self.given.min(self.answers.len().checked_sub(1)?);
        self.given = at + 1;
        self.answers.get(at).cloned()
    }
}

/// Method, path and query, by which recorded requests are found. Pairs of a query have no order.
#[derive(PartialEq, Eq, Hash)]
struct Address(String, String, Vec<(String, String)>);

impl Address {
    fn new(http_method: &str, path: &str, mut query: Vec<(String, String)>) -> Self {
        query.sort_unstable();
        Self(http_method.to_owned(), path.to_owned(), query)
    }
}

/// All answers.
#[derive(Default)]
pub(super) struct Scripts {
    recorded: HashMap<Address, Script>,
    operations: HashMap<String, Script>,
}

impl Scripts {
    pub(super) fn add(&mut self, operation: &str, answer: Answer) {
        self.operations.entry(operation.to_owned()).or_default().answers.push(answer);
    }

    pub(super) fn record(&mut self, request: &RecordedRequest, answer: Answer) {
        let query = form_urlencoded::parse(request.query.as_bytes()).into_owned().collect();
        let address = Address::new(&request.method, &request.path, query);
        self.recorded.entry(address).or_default().answers.push(answer);
    }

    pub(super) fn clear(&mut self, operation: &str) {
        self.operations.remove(operation);
    }

    /// The answer to a request: of its operation, or else recorded. The other way around, no single answer of a recording could be replaced.
    pub(super) fn next(&mut self, requested: &Requested) -> Result<Answer, &'static str> {
        if let Some(answer) = self.operations.get_mut(requested.operation).and_then(Script::next) {
            return Ok(answer);
        }
        let address = Address::new(&requested.http_method, &requested.path, requested.query.clone());
        let recorded = self.recorded.get_mut(&address).and_then(Script::next);
        recorded.ok_or(if self.recorded.is_empty() {
            "no answer is given for this operation"
        } else {
            "no recorded exchange has this path and query"
        })
    }
}
