//! Calls as users make them: operations by resource, and those that wait until an analysis has ended.

use serde::Serialize;

use super::{Answer, Ir, Operation, Range, Upload, Wait};

/// The calls of a resource.
#[derive(Debug, Serialize)]
pub struct Resource<'a> {
    /// Its name, snake case.
    pub group: &'a str,
    /// Its calls; one that waits follows the one that does not.
    pub calls: Vec<Call<'a>>,
}

/// A call.
#[derive(Debug, Serialize)]
pub struct Call<'a> {
    /// What it calls.
    pub operation: &'a Operation,
    /// The type of its parameters: `SleepsGetParams`.
    pub params: String,
    /// Its name within the resource, snake case.
    pub method: String,
    /// Its range, where both bounds must be given.
    pub range: Option<&'a Range>,
    /// The file that it sends.
    pub upload: Option<Upload>,
    /// Whether it waits until the analysis has ended.
    pub waits: bool,
    /// What it gives.
    pub answer: &'a Answer,
    /// The operation that gives it: itself, or the one that reads what was waited for.
    pub gives: &'a Operation,
}

impl Ir {
    /// The resources with their calls, in the order of their first call.
    pub fn resources(&self) -> Vec<Resource<'_>> {
        self.groups().into_iter().map(|group| Resource { group, calls: self.calls(group) }).collect()
    }

    fn calls<'a>(&'a self, group: &str) -> Vec<Call<'a>> {
        let mut calls = Vec::new();
        for operation in self.operations.iter().filter(|operation| operation.group == group) {
            let call = |method, gives: &'a Operation, waits| {
                let params = operation.type_name();
                let (range, upload) = (operation.required_range(), Upload::of(operation));
                Call { operation, params, method, range, upload, waits, answer: &gives.answer, gives }
            };
            calls.push(call(operation.method.clone(), operation, false));
            calls.extend(self.record_of(operation).map(|record| call(self.wait_method(operation), record, true)));
        }
        calls
    }

    /// Whether an operation's answer holds tables.
    pub fn has_tables(&self, operation: &Operation) -> bool {
        self.tables.iter().any(|table| table.sources.iter().any(|source| source.operation == operation.id))
    }

    /// Operations that say how they are waited for.
    pub fn waiting(&self) -> impl Iterator<Item = (&Operation, &Wait)> {
        self.operations.iter().filter_map(|operation| Some((operation, operation.wait.as_ref()?)))
    }

    /// The operation that reads the record.
    pub fn poll(&self, wait: &Wait) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == wait.poll)
    }

    /// Whether an analysis is waited for by an operation that needs its id alone: `wait_for`.
    pub fn is_read_by_id(&self, operation: &Operation) -> bool {
        operation.params.iter().filter(|param| param.member.required).count() == 1
            && self.waiting().any(|(_, wait)| wait.id.is_some() && wait.poll == operation.id)
    }

    /// Whether an operation can be waited for: it starts an analysis, or it reads one.
    pub fn is_waited_for(&self, operation: &Operation) -> bool {
        self.waiting().any(|(starts, wait)| starts.id == operation.id || wait.poll == operation.id)
    }

    /// The operation that reads what an operation is waited for.
    pub fn record_of<'a>(&'a self, operation: &'a Operation) -> Option<&'a Operation> {
        let own = operation.wait.as_ref().and_then(|wait| self.poll(wait));
        own.or_else(|| self.is_waited_for(operation).then_some(operation))
    }

    /// The objects that are waited for, each once, in the order of the operations.
    pub fn waited_records(&self) -> Vec<&str> {
        let mut records: Vec<&str> = Vec::new();
        for operation in &self.operations {
            if let Some(Answer::Model(name)) = self.record_of(operation).map(|record| &record.answer)
                && !records.contains(&name.as_str())
            {
                records.push(name);
            }
        }
        records
    }

    /// The name of an operation's call that waits, snake case.
    pub fn wait_method(&self, operation: &Operation) -> String {
        if self.is_read_by_id(operation) { "wait_for".to_owned() } else { format!("{}_and_wait", operation.method) }
    }
}
