//! Filters for templates of C++.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::spelling;
use crate::filters::add_text_filter;
use crate::ir::Member;
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[crate::c::filters::add_to, add_to]));

pub(crate) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("cpp_plain", |member: Serde<Member>| match spelling::plain(&member.0) {
        Some(plain) => Ok(plain),
        None => Err(Error::new(ErrorKind::InvalidOperation, format!("`{}` is not a plain value", member.0.wire))),
    });
    add_text_filter(environment, "cpp_name", spelling::accessor);
    // Takes an argument as the generated C wrapper declares it.
    environment.add_filter("cpp_argument", |declared: &str| Value::from(Serde(spelling::convert_argument(declared))));
}
