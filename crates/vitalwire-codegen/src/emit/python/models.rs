//! One class per received object: a frozen view with a getter per member.

use crate::ir::{Ir, Member, Model, Type};
use crate::lang::rust;
use crate::lang::rust::literal;

use super::help::Help;
use super::reach::Reach;
use super::{shown, tables};
use crate::lang::python::python_name;

/// How a member is kept once it has been read: nothing for what is cheap to make again.
enum Slot {
    Child(String),
    Children,
    Buffer,
    None,
}

pub(super) fn emit(ir: &Ir, model: &Model, help: &Help) -> String {
    let name = &model.name;
    let mut text =
        format!("//! `{name}`.\n#![allow(deprecated, unused_imports, clippy::wrong_self_convention, reason = \"generated\")]\n\n");
    text.push_str("use std::hash::{DefaultHasher, Hash};\n\nuse pyo3::prelude::*;\nuse pyo3::sync::PyOnceLock;\nuse pyo3::types::{PyBytes, PyDate, PyDateTime, PyDict, PyFrozenSet, PyTuple};\n");
    text.push_str(
        "use vitalwire::models;\nuse vitalwire::table::TableId;\nuse vitalwire::value::Basis;\n\nuse super::*;\nuse crate::numbers::{NumberMap, Numbers};\nuse crate::response::ResponseInfo;\n",
    );
    text.push_str(
        "use crate::series::{Series, SeriesMap};\nuse crate::html::Card;\nuse crate::shape::Shape;\nuse crate::view::{self, Child, Children, Record, View};\nuse crate::{convert, hash, html, pickle};\n\n",
    );
    text.push_str(
        "use crate::deferred::{Columnar, Deferred};\nuse crate::records::Listed;\nuse crate::table::{self, Source, Table, Tabled};\n\n",
    );
    let reach = tables::reach(ir, name);
    let comments = |member: &str| help.comments(&format!("{name}.{member}"));
    text.push_str(&help.comments(name));
    definition(&mut text, ir, model, reach);
    text.push_str(&format!("#[pymethods]\nimpl {name} {{\n"));
    for member in &model.members {
        text.push_str(&comments(&python_name(&member.name)));
        getter(&mut text, member, reach);
    }
    common(&mut text, model, reach, comments);
    text.push_str("}\n\n");
    text.push_str(&tables::emit(ir, model));
    text
}

pub(super) fn rust_name(member: &Member) -> String {
    rust::name(&member.name)
}

fn slot(member: &Member) -> Slot {
    match &member.ty {
        Type::Model(name) => Slot::Child(name.clone()),
        Type::Numbers(_) => Slot::Child("NumberMap".into()),
        Type::Series(_) => Slot::Child("SeriesMap".into()),
        Type::List(item) if **item == Type::Number => Slot::Buffer,
        Type::List(_) => Slot::Children,
        _ => Slot::None,
    }
}

fn definition(text: &mut String, ir: &Ir, model: &Model, reach: &Reach) {
    let name = &model.name;
    text.push_str(&format!(
        "#[pyclass(frozen, module = \"vitalwire\")]\npub(crate) struct {name} {{\nview: {}<models::{name}>,\n",
        reach.kept
    ));
    let mut initial = String::new();
    for member in &model.members {
        let field = rust_name(member);
        let (ty, new) = match slot(member) {
            Slot::Child(class) => (format!("Child<{class}>"), "Child::new()"),
            Slot::Children => ("Children".to_owned(), "Children::new()"),
            Slot::Buffer => ("PyOnceLock<Py<PyBytes>>".to_owned(), "PyOnceLock::new()"),
            Slot::None => continue,
        };
        text.push_str(&format!("{field}: {ty},\n"));
        initial.push_str(&format!("{field}: {new},\n"));
    }
    text.push_str(&format!("}}\n\nimpl Record for {name} {{\ntype Core = models::{name};\n\n"));
    text.push_str(&format!("fn over(view: View<models::{name}>) -> Self {{\nSelf {{ {}, {initial} }}\n}}\n\n", reach.field));
    text.push_str(&format!("fn digest(core: &models::{name}, hasher: &mut DefaultHasher) {{\n"));
    text.extend(model.members.iter().map(digest));
    text.push_str("}\n");
    text.push_str(&shown::emit(model));
    text.push_str("}\n\n");
    text.push_str(&tables::columns(ir, model, &initial));
}

/// What of a member counts in its record's hash: texts, times, integers, whether it is there, how much it holds.
fn digest(member: &Member) -> String {
    let field = rust_name(member);
    let child = |class: &str| {
        let child = if member.required { format!("Some(&core.{field})") } else { format!("core.{field}.as_ref()") };
        format!("hash::child::<{class}>({child}, hasher);\n")
    };
    match &member.ty {
        Type::Text | Type::Id | Type::Open(_) | Type::Timestamp | Type::Date | Type::Integer | Type::Boolean => {
            format!("core.{field}.hash(hasher);\n")
        }
        Type::Model(name) => child(name),
        Type::List(_) => format!("core.{field}.as_slice().len().hash(hasher);\n"),
        Type::Numbers(_) | Type::Series(_) if member.required => format!("core.{field}.len().hash(hasher);\n"),
        Type::Numbers(_) | Type::Series(_) => format!("core.{field}.as_ref().map(|map| map.len()).hash(hasher);\n"),
        Type::Number | Type::Bytes | Type::Json if member.required => String::new(),
        Type::Number | Type::Bytes | Type::Json => format!("core.{field}.is_some().hash(hasher);\n"),
    }
}

fn getter(text: &mut String, member: &Member, reach: &Reach) {
    let field = rust_name(member);
    let (ty, body) = reading(member, &field, reach);
    text.push_str(&format!("#[getter]\n#[pyo3(name = {})]\n", literal(&python_name(&member.name))));
    text.push_str(&reach.method(&field, "", &ty, &body));
}

/// The getter's type and body.
fn reading(member: &Member, field: &str, reach: &Reach) -> (String, String) {
    let value = format!("{}.{field}", reach.record("self"));
    match (&member.ty, member.required) {
        (Type::List(item), required) => listed(item, field, required, reach),
        (Type::Model(class), required) => child(class, field, required, None, reach),
        (Type::Numbers(_), required) => child("NumberMap", field, required, Some("Numbers"), reach),
        (Type::Series(_), required) => child("SeriesMap", field, required, Some("Series"), reach),
        (Type::Boolean | Type::Integer | Type::Number, required) => {
            let ty = match &member.ty {
                Type::Boolean => "bool",
                Type::Integer => "i64",
                _ => "f64",
            };
            (if required { ty.to_owned() } else { format!("Option<{ty}>") }, value)
        }
        (ty @ (Type::Text | Type::Id | Type::Open(_)), true) => ("&str".into(), item(ty, &format!("&{value}")).1),
        (Type::Text, false) => ("Option<&str>".into(), format!("{value}.as_deref()")),
        (ty @ (Type::Id | Type::Open(_)), false) => {
            ("Option<&str>".into(), format!("{value}.as_ref().map(|value| {})", item(ty, "value").1))
        }
        (ty, true) => {
            let (made, convert) = item(ty, &format!("&{value}"));
            (format!("PyResult<{made}>"), convert)
        }
        (ty, false) => {
            let (made, convert) = item(ty, "value");
            (format!("PyResult<Option<{made}>>"), format!("{value}.as_ref().map(|value| {convert}).transpose()"))
        }
    }
}

/// One value by reference: its type in Python, and its conversion (texts as they are, others as a result).
fn item(ty: &Type, value: &str) -> (&'static str, String) {
    let of = value.strip_prefix('&').unwrap_or(value);
    let copied = if of == value { format!("*{value}") } else { of.to_owned() };
    match ty {
        Type::Text => ("&str", value.to_owned()),
        Type::Id => ("&str", format!("{of}.as_str()")),
        Type::Open(_) => ("&str", format!("{of}.as_ref()")),
        Type::Timestamp => ("Bound<'py, PyDateTime>", format!("convert::datetime(py, {copied})")),
        Type::Date => ("Bound<'py, PyDate>", format!("convert::date(py, {copied})")),
        Type::Bytes => ("Bound<'py, PyBytes>", format!("Ok(PyBytes::new(py, {of}.as_bytes()))")),
        Type::Json => ("Bound<'py, PyAny>", format!("crate::json::value(py, {of}.as_text())")),
        _ => ("Bound<'py, PyAny>", format!("convert::plain(py, {value})")),
    }
}

fn child(class: &str, field: &str, required: bool, erased: Option<&str>, reach: &Reach) -> (String, String) {
    let cast = erased.map(|name| format!(" as &dyn {name}")).unwrap_or_default();
    let pick = match (required, erased) {
        (true, _) => format!("|record| Some(&record.{field}{cast})"),
        (false, None) => format!("|record| record.{field}.as_ref()"),
        (false, Some(_)) => format!("|record| record.{field}.as_ref().map(|map| map{cast})"),
    };
    (format!("PyResult<Option<Py<{class}>>>"), format!("view::child(py, &self.{field}, {}, {pick})", reach.view()))
}

fn listed(of: &Type, field: &str, required: bool, reach: &Reach) -> (String, String) {
    let slice =
        |record: &str| if required { format!("Some({record}.{field}.as_slice())") } else { format!("view::list(&{record}.{field})") };
    let whole = slice(&reach.record("self"));
    match of {
        Type::Number => ("PyResult<Option<Bound<'py, PyAny>>>".into(), format!("convert::series(py, &self.{field}, {whole})")),
        Type::Model(class) => (
            "PyResult<Option<Py<PyTuple>>>".into(),
            format!("view::children::<_, {class}>(py, &self.{field}, {}, |record| {})", reach.view(), slice("record")),
        ),
        ty => {
            let (made, convert) = item(ty, "item");
            let convert = if made == "&str" { format!("{convert}.into_pyobject(py).map_err(PyErr::from)") } else { convert };
            let convert = if matches!(ty, Type::Boolean | Type::Integer) { "convert::plain(py, item)".to_owned() } else { convert };
            ("PyResult<Option<Py<PyTuple>>>".into(), format!("view::values(py, &self.{field}, {whole}, |item| {convert})"))
        }
    }
}

/// What every record has.
fn common(text: &mut String, model: &Model, reach: &Reach, comments: impl Fn(&str) -> String) {
    let record = reach.record("self");
    let mut method = |attributes: &str, name: &str, ty: &str, body: &str| {
        text.push_str(&comments(name));
        text.push_str(attributes);
        text.push_str(&reach.method(name, "", ty, body));
    };
    let nullable: Vec<String> = model
        .members
        .iter()
        .filter(|member| member.keeps_null())
        .map(|member| format!("({}, record.{}.is_null()),", literal(&python_name(&member.name)), rust_name(member)))
        .collect();
    if !nullable.is_empty() {
        method(
            "#[getter]\n",
            "null_members",
            "PyResult<Bound<'py, PyFrozenSet>>",
            &format!("let record = {record};\nconvert::names(py, &[{}])", nullable.concat()),
        );
    }
    method("#[getter]\n", "extra", "PyResult<Bound<'py, PyDict>>", &format!("convert::extra(py, &{record}.extra)"));
    method("#[getter]\n", "response", "Option<ResponseInfo>", "ResponseInfo::of(self.view.answer())");
    method("", "to_dict", "PyResult<Bound<'py, PyAny>>", &format!("convert::plain(py, {record})"));
    method("", "__hash__", "u64", &format!("hash::of::<Self>({record})"));
    method("", "__reduce__", "PyResult<Bound<'py, PyTuple>>", &format!("pickle::reduce(py, {record})"));
    method("", "__repr__", "String", &format!("Self::shape({record})"));
    method("", "_repr_html_", "String", &format!("Self::card({record})"));
    text.push_str(&reach.method("__eq__", ", other: &Self", "bool", &format!("{record} == {}", reach.record("other"))));
    text.push_str("fn __copy__(slf: Py<Self>) -> Py<Self> {\nslf\n}\n\n");
    text.push_str("fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {\nslf\n}\n");
}
