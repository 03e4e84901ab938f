//! Classes of records: frozen views with a getter for each field.

use serde_json::{Value, json};

use super::record_access::{Function, RecordAccess};
use super::spelling;
use super::tables;
use crate::ir::{Ir, Member, Model, Type};
use crate::rust::spelling as rust;
use crate::rust::spelling::literal;

/// Returns the template values of a record's class, except docstrings.
pub(super) fn record(ir: &Ir, model: &Model) -> Value {
    let columns = tables::columnar_table(ir, &model.name);
    let access = RecordAccess { is_lazy: columns.is_some() };
    json!({
        "name": model.name,
        "members": model.members.iter().map(|member| field(member, access)).collect::<Vec<_>>(),
        "cached": model.members.iter().filter_map(cached_field).collect::<Vec<_>>(),
        "common": common_methods(model, access),
        // Whether the record is decoded on first use.
        "is_lazy": access.is_lazy,
        "view": access.view(),
        "is_listed": tables::is_listed(ir, &model.name),
        "sources": tables::sources(ir, &model.name),
        // Columnar table into which its responses are decoded.
        "columns": columns,
    })
}

fn rust_name(member: &Member) -> String {
    rust::name(&member.name)
}

fn field(member: &Member, access: RecordAccess) -> Value {
    let (returns, body) = getter_body(member, &rust_name(member), access);
    json!({
        "field": rust_name(member),
        "name": literal(&spelling::python_name(&member.name)),
        "docs": spelling::wrap_docs(&spelling::paragraphs(&member.docs, &member.wire)),
        "form": form(&member.ty),
        // Class of a nested record.
        "class": if let Type::Model(name) = &member.ty { Some(name) } else { None },
        "required": member.required,
        "credential": member.credential,
        "unit": format!("{:?}", member.docs.unit),
        "getter": access.function(&rust_name(member), &returns, &body),
    })
}

fn form(ty: &Type) -> &'static str {
    match ty {
        Type::Text => "text",
        Type::Boolean => "boolean",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Timestamp => "timestamp",
        Type::Date => "date",
        Type::Id => "id",
        Type::Bytes => "bytes",
        Type::Json => "json",
        Type::Open(_) => "open",
        Type::Model(_) => "model",
        Type::Numbers(_) => "numbers",
        Type::Series(_) => "series",
        Type::List(_) => "list",
    }
}

/// Returns the cache of a field's Python object. `None` if the object is cheap to create.
fn cached_field(member: &Member) -> Option<Value> {
    let (ty, new) = match &member.ty {
        Type::Model(name) => (format!("Child<{name}>"), "Child::new()"),
        Type::Numbers(_) => ("Child<NumberMap>".into(), "Child::new()"),
        Type::Series(_) => ("Child<SeriesMap>".into(), "Child::new()"),
        Type::List(item) if **item == Type::Number => ("PyOnceLock<Py<PyBytes>>".into(), "PyOnceLock::new()"),
        Type::List(_) => ("Children".into(), "Children::new()"),
        _ => return None,
    };
    Some(json!({ "field": rust_name(member), "type": ty, "new": new }))
}

fn getter_body(member: &Member, field: &str, access: RecordAccess) -> (String, String) {
    let value = format!("{}.{field}", access.record("self"));
    match (&member.ty, member.required) {
        (Type::List(item), required) => list_getter(item, field, required, access),
        (Type::Model(class), required) => child_getter(class, field, required, None, access),
        (Type::Numbers(_), required) => child_getter("NumberMap", field, required, Some("Numbers"), access),
        (Type::Series(_), required) => child_getter("SeriesMap", field, required, Some("Series"), access),
        (Type::Boolean | Type::Integer | Type::Number, required) => {
            let ty = match &member.ty {
                Type::Boolean => "bool",
                Type::Integer => "i64",
                _ => "f64",
            };
            (if required { ty.to_owned() } else { format!("Option<{ty}>") }, value)
        }
        (Type::Open(_), true) => ("Bound<'py, PyString>".into(), with_names(&format!("NAMES.text(py, &{value})"))),
        (Type::Open(_), false) => {
            ("Option<Bound<'py, PyString>>".into(), with_names(&format!("{value}.as_ref().map(|value| NAMES.text(py, value))")))
        }
        (ty @ (Type::Text | Type::Id), true) => ("&str".into(), item_type_and_conversion(ty, &format!("&{value}")).1),
        (Type::Text, false) => ("Option<&str>".into(), format!("{value}.as_deref()")),
        (Type::Id, false) => ("Option<&str>".into(), format!("{value}.as_ref().map(|value| value.as_str())")),
        (ty, true) => {
            let (python_type, convert) = item_type_and_conversion(ty, &format!("&{value}"));
            (format!("PyResult<{python_type}>"), convert)
        }
        (ty, false) => {
            let (python_type, convert) = item_type_and_conversion(ty, "value");
            (format!("PyResult<Option<{python_type}>>"), format!("{value}.as_ref().map(|value| {convert}).transpose()"))
        }
    }
}

/// Returns an expression that may use the texts of an open set.
fn with_names(expression: &str) -> String {
    format!("{{ static NAMES: convert::Names = convert::Names::new(); {expression} }}")
}

/// Returns the Python type of a value and the conversion of a reference to it. Conversions return a `Result`, except for texts.
fn item_type_and_conversion(ty: &Type, value: &str) -> (&'static str, String) {
    let object = value.strip_prefix('&').unwrap_or(value);
    let copied = if object == value { format!("*{value}") } else { object.to_owned() };
    match ty {
        Type::Text => ("&str", value.to_owned()),
        Type::Id => ("&str", format!("{object}.as_str()")),
        Type::Open(_) => ("&str", format!("{object}.as_ref()")),
        Type::Timestamp => ("Bound<'py, PyDateTime>", format!("convert::datetime(py, {copied})")),
        Type::Date => ("Bound<'py, PyDate>", format!("convert::date(py, {copied})")),
        Type::Bytes => ("Bound<'py, PyBytes>", format!("Ok(PyBytes::new(py, {object}.as_bytes()))")),
        Type::Json => ("Bound<'py, PyAny>", format!("crate::json::value(py, {object}.as_text())")),
        _ => ("Bound<'py, PyAny>", format!("convert::plain(py, {value})")),
    }
}

fn child_getter(class: &str, field: &str, required: bool, erased: Option<&str>, access: RecordAccess) -> (String, String) {
    let cast = erased.map(|name| format!(" as &dyn {name}")).unwrap_or_default();
    let pick = match (required, erased) {
        (true, _) => format!("|record| Some(&record.{field}{cast})"),
        (false, None) => format!("|record| record.{field}.as_ref()"),
        (false, Some(_)) => format!("|record| record.{field}.as_ref().map(|map| map{cast})"),
    };
    (format!("PyResult<Option<Py<{class}>>>"), format!("view::child(py, &self.{field}, {}, {pick})", access.view()))
}

fn list_getter(item_type: &Type, field: &str, required: bool, access: RecordAccess) -> (String, String) {
    let slice =
        |record: &str| if required { format!("Some({record}.{field}.as_slice())") } else { format!("view::list(&{record}.{field})") };
    let whole = slice(&access.record("self"));
    match item_type {
        Type::Number => ("PyResult<Option<Bound<'py, PyAny>>>".into(), format!("convert::series(py, &self.{field}, {whole})")),
        Type::Model(class) => (
            "PyResult<Option<Py<PyTuple>>>".into(),
            format!("view::children::<_, {class}>(py, &self.{field}, {}, |record| {})", access.view(), slice("record")),
        ),
        ty => {
            let (python_type, convert) = item_type_and_conversion(ty, "item");
            let convert = if python_type == "&str" { format!("{convert}.into_pyobject(py).map_err(PyErr::from)") } else { convert };
            let convert = if matches!(ty, Type::Boolean | Type::Integer) { "convert::plain(py, item)".to_owned() } else { convert };
            ("PyResult<Option<Py<PyTuple>>>".into(), format!("view::values(py, &self.{field}, {whole}, |item| {convert})"))
        }
    }
}

fn common_methods(model: &Model, access: RecordAccess) -> Vec<Function> {
    let record = access.record("self");
    let nulls = model.members.iter().filter(|member| member.keeps_null());
    let nulls: String = nulls
        .map(|member| format!("({}, record.{}.is_null()),", literal(&spelling::python_name(&member.name)), rust_name(member)))
        .collect();
    let mut functions = Vec::new();
    if !nulls.is_empty() {
        let body = format!("let record = {record};\nconvert::names(py, &[{nulls}])");
        functions.push(access.function("null_members", "PyResult<Bound<'py, PyFrozenSet>>", &body).getter());
    }
    functions.push(access.function("extra", "PyResult<Bound<'py, PyDict>>", &format!("convert::extra(py, &{record}.extra)")).getter());
    functions.push(
        access.function("response", "Option<ResponseMetadata>", "ResponseMetadata::from_provenance(self.view.provenance())").getter(),
    );
    let equal = format!("{record} == {}", access.record("other"));
    // Responses that are read as columns also show the first and last rows.
    let table = "crate::table::TableResponse::create_table(self, py, crate::table::TableRequest::default())?";
    let html = match access.is_lazy {
        true => ("_repr_html_", "PyResult<String>", format!("Ok(Self::card({record}) + &{table}._repr_html_(py)?)")),
        false => ("_repr_html_", "String", format!("Self::card({record})")),
    };
    for (name, returns, body) in [
        ("to_dict", "PyResult<Bound<'py, PyAny>>", format!("convert::plain(py, {record})")),
        ("__hash__", "u64", format!("hash::hash_record::<Self>({record})")),
        ("__reduce__", "PyResult<Bound<'py, PyTuple>>", format!("pickle::reduce(py, {record})")),
        ("__repr__", "String", format!("Self::shape({record})")),
        html,
        ("__eq__", "bool", equal),
    ] {
        functions.push(access.function(name, returns, &body));
    }
    functions
}
