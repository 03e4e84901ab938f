//! A method of a resource, and docstring paragraphs that methods share.

use serde::Serialize;

use super::arguments::{Argument, Parameters};
use crate::ir::Param;
use crate::python::options::CALL_OPTIONS;
use crate::python::spelling;
use crate::python::style::Style;
use crate::python::uploads::Upload;

#[derive(Serialize)]
pub(in crate::python) struct Method {
    /// Name in Python.
    pub(in crate::python) name: String,
    /// Name in Rust.
    pub(in crate::python) rust: String,
    /// Whether the method is a coroutine.
    pub(in crate::python) awaited: bool,
    pub(in crate::python) positional: Vec<Argument>,
    pub(in crate::python) keywords: Vec<Argument>,
    /// Annotation of the return value.
    pub(in crate::python) returns: String,
    /// Paragraphs of the docstring.
    pub(in crate::python) docs: Vec<String>,
    /// Construction of the core's parameters. `None` if the method calls no operation directly.
    pub(in crate::python) parameters: Option<Parameters>,
    /// Arguments that hold names of an open set: the argument, its set, and the expression of its names.
    pub(in crate::python) named: Vec<(String, String, String)>,
    /// Bounds of its range in order: the argument, and the expression of its optional value.
    pub(in crate::python) bounds: Vec<(String, String)>,
    /// The file that it uploads.
    pub(in crate::python) upload: Option<Upload>,
    pub(in crate::python) body: MethodBody,
}

/// Conversion of an argument of a night search.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::python) enum NightArgument {
    Day,
    Plain,
    List,
}

/// Action of a method once its parameters are converted. `make` is the path of the function that converts the response.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(in crate::python) enum MethodBody {
    Call { make: String },
    Columns { record: String },
    Upload { make: String },
    Wait { record: String },
    Range { make: String },
    Nights { arguments: Vec<(String, NightArgument)> },
}

/// Returns the docstring paragraph of a parameter.
pub(in crate::python) fn parameter_docs(param: &Param) -> String {
    let text = &param.member.docs.text;
    let text = if text.is_empty() { format!("`{}`.", param.member.wire) } else { text.replace("\n\n", " ") };
    format!("{}: {text}", spelling::python_name(&param.member.name))
}

/// Returns the docstring paragraph that refers to the client for [`CALL_OPTIONS`].
pub(in crate::python) fn call_options_docs(style: &Style) -> String {
    let names: Vec<String> = CALL_OPTIONS.iter().map(|option| format!("`{}`", option.name)).collect();
    format!("Call options: {}. See `{}`.", names.join(", "), style.client)
}
