//! Filters of templates that render Python.

use std::sync::LazyLock;

use minijinja::Environment;

use super::spelling;
use crate::filters::{add_ir_filter, add_text_filter};
use crate::ir::Type;
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[crate::rust::filters::add_to, add_to]));

pub(crate) fn add_to(environment: &mut Environment<'_>) {
    add_text_filter(environment, "python_name", spelling::python_name);
    add_text_filter(environment, "python_text", spelling::literal);
    add_text_filter(environment, "python_constant", spelling::constant);
    environment.add_filter("python_docstring", |lines: Vec<String>, margin: usize| spelling::docstring(&lines, margin));
    add_ir_filter(environment, "python_argument", |ty: Type| argument_reader("arguments.", &ty));
}

/// Returns the function that reads an argument from a conformance case.
fn argument_reader(module: &str, ty: &Type) -> String {
    let name = match ty {
        Type::Text | Type::Id | Type::Open(_) => "text",
        Type::Boolean => "boolean",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Timestamp => "instant",
        Type::Date => "date",
        Type::Bytes => "raw",
        Type::List(item) => return format!("{module}many({})", argument_reader(module, item)),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "plain",
    };
    format!("{module}{name}")
}
