//! One class per received object: a frozen view with a getter per member.

use crate::codegen::emit::text::{doc, literal};
use crate::codegen::ir::{Ir, Member, Model, Type};
use crate::codegen::naming::{Language, member as member_name};

use super::tables;
use super::types::{keeps_null, python_name};

/// How a member is kept once it has been read: nothing for what is cheap to make again.
enum Slot {
    Child(String),
    Children,
    Buffer,
    None,
}

pub(super) fn emit(ir: &Ir, model: &Model) -> String {
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
    let columnar = tables::columnar(ir, &model.name).is_some();
    definition(&mut text, ir, model, columnar);
    text.push_str(&format!("#[pymethods]\nimpl {name} {{\n"));
    let mut methods = String::new();
    for member in &model.members {
        getter(&mut methods, member);
    }
    common(&mut methods, model);
    text.push_str(&if columnar { tables::deferred(&methods) } else { methods });
    text.push_str("}\n\n");
    text.push_str(&tables::emit(ir, model));
    text
}

fn rust_name(member: &Member) -> String {
    member_name(&member.name, Language::Rust)
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

fn definition(text: &mut String, ir: &Ir, model: &Model, columnar: bool) {
    let name = &model.name;
    text.push_str(&doc(&model.docs, name, "///"));
    text.push_str(&format!(
        "#[pyclass(frozen, module = \"vitalwire\")]\npub(crate) struct {name} {{\nview: {}<models::{name}>,\n",
        if columnar { "Deferred" } else { "View" }
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
    text.push_str(&if columnar {
        format!("fn over(view: View<models::{name}>) -> Self {{\nSelf::deferred(Deferred::of(view))\n}}\n\n")
    } else {
        format!("fn over(view: View<models::{name}>) -> Self {{\nSelf {{ view, {initial} }}\n}}\n\n")
    });
    text.push_str(&format!("fn digest(core: &models::{name}, hasher: &mut DefaultHasher) {{\n"));
    text.extend(model.members.iter().map(digest));
    text.push_str("}\n");
    shape(text, model);
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

fn getter(text: &mut String, member: &Member) {
    let field = rust_name(member);
    let (ty, body) = reading(member, &field);
    let lifetime = if ty.contains("'py") { "<'py>" } else { "" };
    let py = match (body.contains("(py"), lifetime.is_empty()) {
        (_, false) => ", py: Python<'py>",
        (true, true) => ", py: Python<'_>",
        (false, true) => "",
    };
    text.push_str(&doc(&member.docs, &member.wire, "///"));
    text.push_str(&format!("#[getter]\n#[pyo3(name = {})]\n", literal(&python_name(&member.name))));
    text.push_str(&format!("fn {field}{lifetime}(&self{py}) -> {ty} {{\n{body}\n}}\n\n"));
}

/// The getter's type and body.
fn reading(member: &Member, field: &str) -> (String, String) {
    let value = format!("self.view.get().{field}");
    match (&member.ty, member.required) {
        (Type::List(item), required) => listed(item, field, required),
        (Type::Model(class), required) => child(class, field, required, None),
        (Type::Numbers(_), required) => child("NumberMap", field, required, Some("Numbers")),
        (Type::Series(_), required) => child("SeriesMap", field, required, Some("Series")),
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
        Type::Json => ("Bound<'py, PyAny>", format!("convert::text(py, {of}.as_text())")),
        _ => ("Bound<'py, PyAny>", format!("convert::plain(py, {value})")),
    }
}

fn child(class: &str, field: &str, required: bool, erased: Option<&str>) -> (String, String) {
    let cast = erased.map(|name| format!(" as &dyn {name}")).unwrap_or_default();
    let pick = match (required, erased) {
        (true, _) => format!("|record| Some(&record.{field}{cast})"),
        (false, None) => format!("|record| record.{field}.as_ref()"),
        (false, Some(_)) => format!("|record| record.{field}.as_ref().map(|map| map{cast})"),
    };
    (format!("PyResult<Option<Py<{class}>>>"), format!("view::child(py, &self.{field}, &self.view, {pick})"))
}

fn listed(of: &Type, field: &str, required: bool) -> (String, String) {
    let slice =
        |record: &str| if required { format!("Some({record}.{field}.as_slice())") } else { format!("view::list(&{record}.{field})") };
    let whole = slice("self.view.get()");
    match of {
        Type::Number => ("PyResult<Option<Bound<'py, PyAny>>>".into(), format!("convert::series(py, &self.{field}, {whole})")),
        Type::Model(class) => (
            "PyResult<Option<Py<PyTuple>>>".into(),
            format!("view::children::<_, {class}>(py, &self.{field}, &self.view, |record| {})", slice("record")),
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
fn common(text: &mut String, model: &Model) {
    let nullable: Vec<&Member> = model.members.iter().filter(|member| keeps_null(member)).collect();
    if !nullable.is_empty() {
        text.push_str("/// The names of the lists that were null: for them, and for lists that were absent, `None` is read.\n#[getter]\n");
        text.push_str("fn null_members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {\nlet record = self.view.get();\nconvert::names(py, &[");
        for member in nullable {
            text.push_str(&format!("({}, record.{}.is_null()),", literal(&python_name(&member.name)), rust_name(member)));
        }
        text.push_str("])\n}\n\n");
    }
    text.push_str("/// Members that this version does not know, and known ones of an unexpected type, as a new `dict`.\n#[getter]\n");
    text.push_str(
        "fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {\nconvert::extra(py, &self.view.get().extra)\n}\n\n",
    );
    text.push_str("/// What is known of the answer that this came with.\n#[getter]\nfn response(&self) -> Option<ResponseInfo> {\nResponseInfo::of(self.view.answer())\n}\n\n");
    text.push_str("/// Everything as on the wire: a new `dict` of plain values, dates and instants as text.\n");
    text.push_str("fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {\nconvert::plain(py, self.view.get())\n}\n\n");
    text.push_str("fn __eq__(&self, other: &Self) -> bool {\nself.view.get() == other.view.get()\n}\n\n");
    text.push_str("fn __hash__(&self) -> u64 {\nhash::of::<Self>(self.view.get())\n}\n\n");
    text.push_str(
        "fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {\npickle::reduce(py, self.view.get())\n}\n\n",
    );
    text.push_str("fn __copy__(slf: Py<Self>) -> Py<Self> {\nslf\n}\n\n");
    text.push_str("fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {\nslf\n}\n\n");
    text.push_str("fn __repr__(&self) -> String {\nSelf::shape(self.view.get())\n}\n\n");
    text.push_str("/// A table for notebooks; it holds values.\nfn _repr_html_(&self) -> String {\nlet record = self.view.get();\n");
    text.push_str(&format!("Card::new({})\n", literal(&model.name)));
    text.extend(model.members.iter().map(card));
    text.push_str(".finish(&record.extra)\n}\n");
}

/// Which members are there: the text of `repr`.
fn shape(text: &mut String, model: &Model) {
    text.push_str(&format!("\nfn shape(core: &models::{0}) -> String {{\nShape::new(\"{0}\")\n", model.name));
    for member in &model.members {
        let field = rust_name(member);
        let name = literal(&python_name(&member.name));
        text.push_str(&match (&member.ty, member.required) {
            (Type::List(_), true) => format!(".items({name}, core.{field}.len())\n"),
            (Type::List(_), false) => format!(".list({name}, &core.{field})\n"),
            (Type::Numbers(_) | Type::Series(_), true) => format!(".map({name}, Some(core.{field}.len()))\n"),
            (Type::Numbers(_) | Type::Series(_), false) => format!(".map({name}, core.{field}.as_ref().map(|map| map.len()))\n"),
            (_, true) => format!(".member({name}, true)\n"),
            (_, false) => format!(".member({name}, core.{field}.is_some())\n"),
        });
    }
    text.push_str(".finish(&core.extra)\n}\n");
}

/// A member's rows in the table for notebooks.
fn card(member: &Member) -> String {
    let field = rust_name(member);
    let name = literal(&python_name(&member.name));
    let unit = format!("{:?}", member.docs.unit);
    let borrowed = if member.required { format!("Some(&record.{field})") } else { format!("record.{field}.as_ref()") };
    let copied = if member.required { format!("Some(record.{field})") } else { format!("record.{field}") };
    match &member.ty {
        _ if member.credential => format!(".secret({name}, {borrowed}.is_some())\n"),
        Type::Text if member.required => format!(".text({name}, {unit}, Some(record.{field}.as_str()))\n"),
        Type::Text => format!(".text({name}, {unit}, record.{field}.as_deref())\n"),
        Type::Id => format!(".text({name}, {unit}, {borrowed}.map(|id| id.as_str()))\n"),
        Type::Open(_) => format!(".text({name}, {unit}, {borrowed}.map(|name| name.as_ref()))\n"),
        Type::Integer => format!(".text({name}, {unit}, html::count({copied}, {unit}).as_deref())\n"),
        Type::Number => format!(".text({name}, {unit}, html::double({copied}, {unit}).as_deref())\n"),
        Type::Model(class) if member.required => format!(".text({name}, None, Some({class}::shape(&record.{field}).as_str()))\n"),
        Type::Model(class) => format!(".text({name}, None, {borrowed}.map({class}::shape).as_deref())\n"),
        Type::Numbers(_) => format!(".numbers(Some({name}), {borrowed}.map(|map| map as &dyn Numbers))\n"),
        Type::Series(_) => format!(".series(Some({name}), {borrowed}.map(|map| map as &dyn Series))\n"),
        _ => format!(".row({name}, {unit}, &record.{field})\n"),
    }
}
