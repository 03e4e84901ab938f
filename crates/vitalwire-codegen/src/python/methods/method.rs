//! A method, and the texts that methods share.

use serde::Serialize;

use super::arguments::{Argument, Parameters};
use crate::ir::Param;
use crate::python::options::CALL_OPTIONS;
use crate::python::spelling;
use crate::python::style::Style;
use crate::python::uploads::Upload;

/// A method.
#[derive(Serialize)]
pub(in crate::python) struct Method {
    /// In Python.
    pub(in crate::python) name: String,
    /// In Rust.
    pub(in crate::python) rust: String,
    /// Whether an `AsyncClient`'s is awaited.
    pub(in crate::python) awaited: bool,
    /// Arguments that may be given by position.
    pub(in crate::python) positional: Vec<Argument>,
    pub(in crate::python) keywords: Vec<Argument>,
    /// What it gives, as an annotation.
    pub(in crate::python) gives: String,
    /// Paragraphs.
    pub(in crate::python) docs: Vec<String>,
    /// What the core's parameters are made of; none where no operation is called.
    pub(in crate::python) parameters: Option<Parameters>,
    /// The file that it sends.
    pub(in crate::python) upload: Option<Upload>,
    pub(in crate::python) end: End,
}

/// How an argument of nights becomes what is wanted.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::python) enum Wanted {
    Day,
    Plain,
    List,
}

/// What a method does with its parameters; `make` makes the object that it gives.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(in crate::python) enum End {
    Call { make: String },
    Columns { record: String },
    Upload { make: String },
    Wait { record: String },
    Range { make: String },
    Nights { wanted: Vec<(String, Wanted)> },
}

/// The paragraph of a parameter.
pub(in crate::python) fn described(param: &Param) -> String {
    let text = &param.member.docs.text;
    let text = if text.is_empty() { format!("`{}`.", param.member.wire) } else { text.replace("\n\n", " ") };
    format!("{}: {text}", spelling::python_name(&param.member.name))
}

/// What the docstring of a call says of [`CALL_OPTIONS`], which that of the client explains.
pub(in crate::python) fn of_every_call(style: &Style) -> String {
    let names: Vec<String> = CALL_OPTIONS.iter().map(|option| format!("`{}`", option.name)).collect();
    format!("{} are keywords of every call: see `{}`.", names.join(", "), style.client)
}
