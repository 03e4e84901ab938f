//! The judge's own routes, under `/judge/`.

use std::time::Instant;

use serde_json::Value;

use super::http::Incoming;
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
    /// Stores the plan of a run.
    pub(super) fn plan(&self, run: &str, cases: Vec<Value>) {
        self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(run.to_owned(), cases);
    }

    /// Returns the complete response to a request for `route`.
    pub(super) fn answer(&self, state: &State, request: &Incoming, route: &str) -> Vec<u8> {
        let parts: Vec<&str> = route.split('/').collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["texts", run]) => match serde_json::from_slice::<Vec<String>>(&request.body) {
                Ok(texts) => {
                    state.texts(run, texts);
                    answer(204, "text/plain", "")
                }
                Err(_) => answer(400, "text/plain", "no list of texts"),
            },
            ("GET", ["plan", run, form @ ("json" | "tsv")]) => {
                let plans = self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match plans.get(*run) {
                    Some(cases) if *form == "json" => answer(200, "application/json", &Value::from(cases.clone()).to_string()),
                    Some(cases) => answer(200, "text/tab-separated-values; charset=utf-8", &plan::lines(cases)),
                    None => answer(404, "text/plain", "no such run"),
                }
            }
            ("POST", ["outcome", run, case]) => match posted::outcome(&request.body) {
                _ if state.set.case(case).is_none() => answer(404, "text/plain", "no such case"),
                None => answer(400, "text/plain", "no JSON"),
                Some(posted) => {
                    let first = state.of(run, case, |seen| seen.posted.replace((posted, Instant::now())).is_none());
                    if first { answer(204, "text/plain", "") } else { answer(409, "text/plain", "posted before") }
                }
            },
            _ => answer(404, "text/plain", "no such route"),
        }
    }
}

fn answer(status: u16, kind: &str, body: &str) -> Vec<u8> {
    let length = if status == 204 { String::new() } else { format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len()) };
    format!("HTTP/1.1 {status} \r\n{length}\r\n{body}").into_bytes()
}
