//! Reports of cases.

use serde_json::{Value, json};
use vitalwire::{Client, Error};

use crate::runner::{CallOutcome, Syncs};

/// The report of a case in the posted form.
#[derive(Debug, Default)]
pub(super) struct CaseReport {
    /// The outcome as canonical JSON. Null if the case could not be run.
    pub(super) outcome: Value,
    /// All texts that might contain private data.
    pub(super) texts: Vec<String>,
    /// Attempts that the client reported. `None` without a listener.
    pub(super) attempts: Option<Vec<Value>>,
}

impl CaseReport {
    /// Creates the report of a case that names an unknown operation, argument or setting.
    pub(super) fn invalid_case(error: &dyn std::error::Error) -> Self {
        Self { outcome: json!({ "unplayable": error.to_string() }), ..Self::default() }
    }
}

/// Reports parallel calls. Returns one outcome if all are equal. Otherwise returns all of them, which matches no case.
pub(super) fn parallel_report(client: &Client, calls: Vec<CallOutcome>) -> CaseReport {
    let (texts, mut outcomes) = convert(client, &calls);
    outcomes.dedup();
    // Calls that share a retry budget may get different shares.
    if outcomes.len() > 1 {
        outcomes.iter_mut().filter_map(Value::as_object_mut).for_each(|outcome| drop(outcome.remove("attempts")));
        outcomes.dedup();
    }
    let outcome = if outcomes.len() == 1 { outcomes.remove(0) } else { json!({ "several": outcomes }) };
    CaseReport { outcome, texts, attempts: None }
}

/// Reports calls in sequence, with one outcome per call.
pub(super) fn sequence_report(client: &Client, calls: Vec<CallOutcome>) -> CaseReport {
    let (texts, outcomes) = convert(client, &calls);
    CaseReport { outcome: json!({ "in_row": outcomes }), texts, attempts: None }
}

/// Reports syncs, with one outcome per sync.
pub(super) fn sync_report(syncs: Syncs) -> CaseReport {
    let Syncs { outcomes, mut texts, errors, .. } = syncs;
    texts.extend(errors.iter().flat_map(self::texts));
    CaseReport { outcome: json!({ "sync": outcomes }), texts, attempts: None }
}

fn convert(client: &Client, calls: &[CallOutcome]) -> (Vec<String>, Vec<Value>) {
    let mut shown = vec![format!("{client:?}"), format!("{client:#?}")];
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(match call {
            Ok(response) => response.canonical(),
            Err(failure) => {
                shown.extend(texts(&failure.error));
                failure.canonical()
            }
        });
    }
    (shown, outcomes)
}

/// Returns the texts of an error and its sources.
pub(super) fn texts(error: &Error) -> Vec<String> {
    let mut texts = vec![format!("{error}"), format!("{error:?}"), format!("{error:#?}")];
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        texts.extend([format!("{error}"), format!("{error:?}")]);
        source = error.source();
    }
    texts
}
