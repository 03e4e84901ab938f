//! The judge's own routes, under `/judge/`.

use std::time::Instant;

use serde_json::Value;

use super::http::HttpRequest;
use super::posted;
use super::state::State;
use crate::plan;

/// Plans of all runs.
#[derive(Debug, Default)]
pub(crate) struct Control {
    /// Planned cases by run.
    plans: std::sync::Mutex<std::collections::HashMap<String, Vec<Value>>>,
}

impl Control {
    pub(super) fn plan(&self, run: &str, cases: Vec<Value>) {
        self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(run.to_owned(), cases);
    }

    /// Returns the complete response to a request for `route`.
    pub(super) fn respond(&self, state: &State, request: &HttpRequest, route: &str) -> Vec<u8> {
        let parts: Vec<&str> = route.split('/').collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["texts", run]) => match serde_json::from_slice::<Vec<String>>(&request.body) {
                Ok(texts) => {
                    state.add_texts(run, texts);
                    response_bytes(204, "text/plain", "")
                }
                Err(_) => response_bytes(400, "text/plain", "expected a list of texts"),
            },
            ("GET", ["plan", run, form @ ("json" | "tsv")]) => {
                let plans = self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match plans.get(*run) {
                    Some(cases) if *form == "json" => response_bytes(200, "application/json", &Value::from(cases.clone()).to_string()),
                    Some(cases) => response_bytes(200, "text/tab-separated-values; charset=utf-8", &plan::to_lines(cases)),
                    None => response_bytes(404, "text/plain", "no such run"),
                }
            }
            ("POST", ["outcome", run, case]) => match posted::parse_outcome(&request.body) {
                _ if state.set.case(case).is_none() => response_bytes(404, "text/plain", "no such case"),
                None => response_bytes(400, "text/plain", "expected JSON"),
                Some(posted) => {
                    let first = state.with_case(run, case, |observations| observations.posted.replace((posted, Instant::now())).is_none());
                    if first {
                        response_bytes(204, "text/plain", "")
                    } else {
                        response_bytes(409, "text/plain", "the outcome was already posted")
                    }
                }
            },
            _ => response_bytes(404, "text/plain", "no such route"),
        }
    }
}

fn response_bytes(status: u16, kind: &str, body: &str) -> Vec<u8> {
    let length = if status == 204 { String::new() } else { format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len()) };
    format!("HTTP/1.1 {status} \r\n{length}\r\n{body}").into_bytes()
}
