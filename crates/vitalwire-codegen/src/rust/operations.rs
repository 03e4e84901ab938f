//! Template values of operations besides the IR: argument order, accepted values, table requests and ranges.

use serde_json::{Value, json};

use super::http::Signatures;
use super::spelling;
use crate::ir::tables::{ColumnKind, Node, ValuePlan};
use crate::ir::{Basis, Ir, Member, Operation, Param, ParamLocation, RangeKind, ResponseType, Type, Upload, range_item};
use crate::naming::shouty;

/// Returns the template values of an operation.
pub(super) fn values(ir: &Ir, operation: &Operation, signatures: &Signatures) -> Value {
    let upload = Upload::from_operation(operation);
    json!({
        "operation": operation,
        "params": operation.type_name(),
        "constants": operation.params.iter().flat_map(|param| constants(ir, param)).collect::<Vec<_>>(),
        // In the order of progenitor's method.
        "arguments": arguments(operation, signatures),
        "basis": basis(ir, operation),
        "not_requested": not_requested(ir, operation),
        "columns": columns(ir, operation),
        // Parameters that request a column of lists, each with the name of the column.
        "lists": list_columns(ir, operation),
        "range": range(ir, operation),
        // Parameter that holds a file's URL.
        "url_parameter": upload.and_then(|upload| upload.url_parameter(operation)),
        "sends_file": upload.is_some(),
    })
}

/// Returns the tables whose rows must be requested by an argument.
fn not_requested(ir: &Ir, operation: &Operation) -> Vec<Value> {
    let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
    let requested = sources.filter(|(_, source)| source.operation == operation.id).filter_map(|(table, source)| {
        let (param, member) = source.request_parameter(operation)?;
        let (field, argument) = (spelling::name(&param.member.name), &param.member.name);
        Some(json!({ "table": table.name, "field": field, "argument": argument, "member": member }))
    });
    requested.collect()
}

/// Returns the accepted values of a parameter that its type does not express.
fn constants(ir: &Ir, param: &Param) -> Vec<Value> {
    let (wire, name) = (&param.member.wire, shouty(&param.member.name));
    let mut constants = Vec::new();
    if !param.accepts.is_empty() {
        let about = format!("Media types that the service accepts for `{wire}`.");
        constants.push(json!({ "about": about, "name": format!("{name}_MEDIA_TYPES"), "texts": param.accepts }));
    }
    if is_narrower(ir, param) {
        let about = format!("Known names that the service accepts for `{wire}`. They are only a part of the open set.");
        constants.push(json!({ "about": about, "name": format!("KNOWN_{name}"), "texts": param.names }));
    }
    constants
}

/// Whether a parameter accepts fewer names than its open set has.
fn is_narrower(ir: &Ir, param: &Param) -> bool {
    let set = param.member.ty.open_set().and_then(|name| ir.open_set(name));
    !param.names.is_empty() && set.is_some_and(|set| param.names.len() < set.values.len())
}

fn basis(ir: &Ir, operation: &Operation) -> Option<Basis> {
    operation.basis.filter(|_| operation.response.record().and_then(|name| ir.model(name)).is_some_and(|model| model.has_basis))
}

/// Returns the arguments in the order of progenitor's method.
fn arguments(operation: &Operation, signatures: &Signatures) -> Vec<String> {
    let names = signatures.get(&operation.id).map(Vec::as_slice).unwrap_or_default();
    let argument = |name: &String| match operation
        .params
        .iter()
        .find(|param| param.place != ParamLocation::Body && spelling::name(&param.member.name) == *name)
    {
        Some(param) if param.member.required => format!("&self.{}", spelling::name(&param.member.name)),
        Some(param) => format!("self.{}.as_ref()", spelling::name(&param.member.name)),
        // Only the body is not among the parameters. The generated struct serializes itself as the body, so pass `&self`.
        None => "&self".to_owned(),
    };
    names.iter().map(argument).collect()
}

/// Returns the parameter that lists columns: its names are the keys of a number map in a table.
fn columns<'a>(ir: &Ir, operation: &'a Operation) -> Option<&'a Member> {
    let sources = ir.tables.iter().flat_map(|table| &table.sources).filter(|source| source.operation == operation.id);
    let nodes: Vec<&Node> = sources.map(|source| &source.node).collect();
    let names = |param: &&Param| match &param.member.ty {
        Type::List(item) => matches!(&**item, Type::Open(set) if nodes.iter().any(|node| has_map(node, set))),
        _ => false,
    };
    operation.params.iter().find(names).map(|param| &param.member)
}

/// Returns the parameters that request a column of lists, `include_` and the name of the column, with that name.
fn list_columns<'a>(ir: &'a Ir, operation: &Operation) -> Vec<(String, &'a str)> {
    let tables = ir.tables.iter().filter(|table| table.sources.iter().any(|source| source.operation == operation.id));
    let lists: Vec<&str> = tables
        .flat_map(|table| &table.columns)
        .filter(|column| column.kind == ColumnKind::TextList)
        .map(|column| column.name.as_str())
        .collect();
    let requested = |param: &Param| {
        let of = param.member.wire.strip_prefix("include_")?;
        Some((spelling::name(&param.member.name), *lists.iter().find(|list| **list == of)?))
    };
    operation.params.iter().filter_map(requested).collect()
}

/// Whether a node reads a number map with these keys.
fn has_map(node: &Node, set: &str) -> bool {
    node.members.iter().any(|slot| match &slot.read {
        ValuePlan::Numbers { keys, .. } => keys == set,
        ValuePlan::Object(node) | ValuePlan::Rows(node) | ValuePlan::Samples(node) => has_map(node, set),
        _ => false,
    })
}

/// Returns how the bounds of a range call are set, and how the responses to its parts are merged.
fn range(ir: &Ir, operation: &Operation) -> Option<Value> {
    let range = operation.range.as_ref()?;
    let item = range_item(ir, operation, range)?;
    let param = |wire: &str| operation.params.iter().find(|param| param.member.wire == wire).map(|param| &param.member);
    let response = match &operation.response {
        ResponseType::Nothing => return None,
        ResponseType::Model(name) => ir.model(name),
        ResponseType::List(_) => None,
    };
    let member = |wire: &str| response?.members.iter().find(|member| member.wire == wire);
    // Response fields that repeat the bounds.
    let echoed = [(&range.from, "from"), (&range.to, "to")].into_iter().filter_map(|(wire, value)| Some((member(wire)?, value)));
    let echoed = echoed.filter(|(member, _)| member.ty == range.kind.bound());
    Some(json!({
        "ty": match range.kind {
            RangeKind::Dates => "DateRange",
            RangeKind::Instants => "InstantRange",
        },
        "bound": spelling::ty(&range.kind.bound()),
        "item": item.name,
        "key": item.members.iter().find(|member| member.wire == range.key)?,
        "from": param(&range.from)?,
        "to": param(&range.to)?,
        // Response field with the items.
        "items": range.items.as_ref().and_then(|items| member(items)).map(|member| &member.name),
        "echoed_bounds": echoed.map(|(member, value)| json!({ "member": member, "value": value })).collect::<Vec<_>>(),
    }))
}
