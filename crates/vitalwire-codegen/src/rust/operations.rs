//! Template values of operations besides the IR: argument order, accepted values, table requests and ranges.

use serde::Serialize;

use super::http::Signatures;
use super::spelling;
use crate::ir::tables::{ColumnKind, Node, ValuePlan};
use crate::ir::{Basis, Ir, Member, Operation, Param, ParamLocation, RangeKind, ResponseType, Type, Upload, range_item};
use crate::naming::shouty;

/// Template values of an operation.
#[derive(Serialize)]
pub(super) struct Parameters<'a> {
    operation: &'a Operation,
    /// Name of the parameters' type.
    params: String,
    constants: Vec<Constant<'a>>,
    /// Arguments in the order of progenitor's method.
    arguments: Vec<String>,
    basis: Option<Basis>,
    not_requested: Vec<NotRequested<'a>>,
    /// Parameter that lists the requested columns.
    columns: Option<&'a Member>,
    /// Parameters that request a column of lists, each with the name of the column.
    lists: Vec<(String, &'a str)>,
    range: Option<Range<'a>>,
    /// Wire name of the parameter that holds a file's URL.
    url_parameter: Option<&'a str>,
    sends_file: bool,
}

/// Accepted values of a parameter that its type does not express.
#[derive(Serialize)]
struct Constant<'a> {
    about: String,
    name: String,
    texts: &'a [String],
}

/// A table whose rows must be requested by an argument.
#[derive(Serialize)]
struct NotRequested<'a> {
    table: &'a str,
    field: String,
    argument: &'a str,
    member: &'a str,
}

/// Data of a range call: how its bounds are set, and how the responses to its parts are merged.
#[derive(Serialize)]
struct Range<'a> {
    ty: &'static str,
    bound: String,
    item: &'a str,
    key: &'a Member,
    from: &'a Member,
    to: &'a Member,
    /// Response field with the items.
    items: Option<&'a str>,
    /// Response fields that repeat the bounds.
    echoed_bounds: Vec<EchoedBound<'a>>,
}

#[derive(Serialize)]
struct EchoedBound<'a> {
    member: &'a Member,
    value: &'static str,
}

impl<'a> Parameters<'a> {
    pub(super) fn new(ir: &'a Ir, operation: &'a Operation, signatures: &Signatures) -> Self {
        let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
        let not_requested = sources.filter(|(_, source)| source.operation == operation.id).filter_map(|(table, source)| {
            let (param, member) = source.request_parameter(operation)?;
            Some(NotRequested { table: &table.name, field: spelling::name(&param.member.name), argument: &param.member.name, member })
        });
        let upload = Upload::from_operation(operation);
        Self {
            operation,
            params: operation.type_name(),
            constants: operation.params.iter().flat_map(|param| constants(ir, param)).collect(),
            arguments: arguments(operation, signatures),
            basis: basis(ir, operation),
            not_requested: not_requested.collect(),
            columns: columns(ir, operation),
            lists: list_columns(ir, operation),
            range: range(ir, operation),
            url_parameter: upload.and_then(|upload| upload.url_parameter(operation)),
            sends_file: upload.is_some(),
        }
    }
}

fn constants<'a>(ir: &Ir, param: &'a Param) -> Vec<Constant<'a>> {
    let (wire, name) = (&param.member.wire, shouty(&param.member.name));
    let mut constants = Vec::new();
    if !param.accepts.is_empty() {
        let about = format!("Media types that the service accepts for `{wire}`.");
        constants.push(Constant { about, name: format!("{name}_MEDIA_TYPES"), texts: &param.accepts });
    }
    if is_narrower(ir, param) {
        let about = format!("Known names that the service accepts for `{wire}`. They are only a part of the open set.");
        constants.push(Constant { about, name: format!("KNOWN_{name}"), texts: &param.names });
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

fn range<'a>(ir: &'a Ir, operation: &'a Operation) -> Option<Range<'a>> {
    let range = operation.range.as_ref()?;
    let item = range_item(ir, operation, range)?;
    let param = |wire: &str| operation.params.iter().find(|param| param.member.wire == wire).map(|param| &param.member);
    let response = match &operation.response {
        ResponseType::Nothing => return None,
        ResponseType::Model(name) => ir.model(name),
        ResponseType::List(_) => None,
    };
    let member = |wire: &str| response?.members.iter().find(|member| member.wire == wire);
    let bounds = [(&range.from, "from"), (&range.to, "to")].into_iter();
    let echoed = bounds.filter_map(|(wire, value)| Some(EchoedBound { member: member(wire)?, value }));
    Some(Range {
        ty: match range.kind {
            RangeKind::Dates => "DateRange",
            RangeKind::Instants => "InstantRange",
        },
        bound: spelling::ty(&range.kind.bound()),
        item: &item.name,
        key: item.members.iter().find(|member| member.wire == range.key)?,
        from: param(&range.from)?,
        to: param(&range.to)?,
        items: range.items.as_ref().and_then(|items| member(items)).map(|member| member.name.as_str()),
        echoed_bounds: echoed.filter(|bound| bound.member.ty == range.kind.bound()).collect(),
    })
}
