//! Filters for templates of C++.

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::spelling;
use crate::filters::add_text_filter;
use crate::ir::Member;

pub(crate) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("cpp_plain", |member: Serde<Member>| match spelling::plain(&member.0) {
        Some(plain) => Ok(plain),
        None => Err(Error::new(ErrorKind::InvalidOperation, format!("`{}` is not a plain value", member.0.wire))),
    });
    add_text_filter(environment, "cpp_name", spelling::accessor);
    // Takes an argument as the generated C wrapper declares it.
    environment.add_filter("cpp_argument", |declared: &str| Value::from(Serde(spelling::convert_argument(declared))));
}
