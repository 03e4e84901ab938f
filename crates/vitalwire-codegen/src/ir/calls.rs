//! Calls as users make them: operations by resource, and calls that wait until an analysis has ended.

use serde::Serialize;

use super::{Ir, Operation, Range, ResponseType, Upload, Wait};

/// A resource with its calls.
#[derive(Debug, Serialize)]
pub struct Resource<'a> {
    /// Name in snake case.
    pub group: &'a str,
    /// Calls. A call that waits follows its operation's plain call.
    pub calls: Vec<Call<'a>>,
}

/// A call of a resource.
#[derive(Debug, Serialize)]
pub struct Call<'a> {
    /// Operation that the call starts with.
    pub operation: &'a Operation,
    /// Name of the parameters' type, such as `SleepsGetParams`.
    pub params: String,
    /// Name of the method, in snake case.
    pub method: String,
    /// Range of the call, if both bounds are required.
    pub range: Option<&'a Range>,
    /// File that the call sends.
    pub upload: Option<Upload>,
    /// Whether the call waits until the analysis has ended.
    pub waits: bool,
    /// Type of the final response.
    pub response: &'a ResponseType,
    /// Operation of the final response: the called one, or for waits the one that reads the record.
    pub final_operation: &'a Operation,
}

impl Ir {
    /// Returns the resources with their calls, in the order of their first operation.
    pub fn resources(&self) -> Vec<Resource<'_>> {
        self.groups().into_iter().map(|group| Resource { group, calls: self.calls(group) }).collect()
    }

    fn calls<'a>(&'a self, group: &str) -> Vec<Call<'a>> {
        let mut calls = Vec::new();
        for operation in self.operations.iter().filter(|operation| operation.group == group) {
            let call = |method, final_operation: &'a Operation, waits| {
                let params = operation.type_name();
                let (range, upload) = (operation.required_range(), Upload::from_operation(operation));
                Call { operation, params, method, range, upload, waits, response: &final_operation.response, final_operation }
            };
            calls.push(call(operation.method.clone(), operation, false));
            calls.extend(self.record_operation(operation).map(|record| call(self.wait_method(operation), record, true)));
        }
        calls
    }

    /// Whether tables can be made from an operation's response.
    pub fn has_tables(&self, operation: &Operation) -> bool {
        self.tables.iter().any(|table| table.sources.iter().any(|source| source.operation == operation.id))
    }

    /// Returns the operations that declare a wait.
    pub fn waits(&self) -> impl Iterator<Item = (&Operation, &Wait)> {
        self.operations.iter().filter_map(|operation| Some((operation, operation.wait.as_ref()?)))
    }

    /// Returns the operation that polls the record of a wait.
    pub fn poll(&self, wait: &Wait) -> Option<&Operation> {
        self.operation(&wait.poll)
    }

    /// Whether the operation polls an analysis and requires nothing but its id. The waiting call is then named `wait_for`.
    pub fn is_read_by_id(&self, operation: &Operation) -> bool {
        operation.params.iter().filter(|param| param.member.required).count() == 1
            && self.waits().any(|(_, wait)| wait.id.is_some() && wait.poll == operation.id)
    }

    /// Whether an operation has a call that waits: it starts an analysis or reads one.
    pub fn has_wait(&self, operation: &Operation) -> bool {
        self.waits().any(|(start, wait)| start.id == operation.id || wait.poll == operation.id)
    }

    /// Returns the operation that reads the record that this operation waits for.
    pub fn record_operation<'a>(&'a self, operation: &'a Operation) -> Option<&'a Operation> {
        let own = operation.wait.as_ref().and_then(|wait| self.poll(wait));
        own.or_else(|| self.has_wait(operation).then_some(operation))
    }

    /// Returns the models that can be waited for, without duplicates, in the order of the operations.
    pub fn awaitable_records(&self) -> Vec<&str> {
        let mut records: Vec<&str> = Vec::new();
        for operation in &self.operations {
            if let Some(ResponseType::Model(name)) = self.record_operation(operation).map(|record| &record.response)
                && !records.contains(&name.as_str())
            {
                records.push(name);
            }
        }
        records
    }

    /// Returns the name of an operation's waiting call, in snake case.
    pub fn wait_method(&self, operation: &Operation) -> String {
        if self.is_read_by_id(operation) { "wait_for".to_owned() } else { format!("{}_and_wait", operation.method) }
    }
}
