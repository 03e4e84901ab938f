//! Filters and tests for templates of C and its wrapper.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::{forms, params, spelling};
use crate::filters::{add_doc_filter, add_ir_filter, add_text_filter};
use crate::ir::{Member, OpenSet, OpenValue, Operation, Param, ResponseType, Type};
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[crate::rust::filters::add_to, add_to]));

/// Adds the filters and tests.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("c_form", |member: Serde<Member>| match forms::field_form(&member.0) {
        Ok(form) => Ok(Value::from(Serde(form))),
        Err(error) => Err(Error::new(ErrorKind::InvalidOperation, error.to_string())),
    });
    environment.add_filter("c_text_params", |operation: Serde<Operation>| Value::from(Serde(params::text_params(&operation.0))));
    environment.add_filter("c_sample", |param: Serde<Param>, place: usize| {
        params::sample(&param.0, place).map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
    });
    environment.add_filter("c_constant", |set: Serde<OpenSet>, value: Serde<OpenValue>| spelling::value(&set.0, &value.0));
    add_text_filter(environment, "c_name", spelling::argument);
    add_text_filter(environment, "c_object", spelling::object);
    add_text_filter(environment, "c_list", spelling::list);
    add_text_filter(environment, "c_text", spelling::literal);
    add_ir_filter(environment, "c_response", |response: ResponseType| spelling::response(&response));
    add_doc_filter(environment, "c_doc", spelling::doc);
    add_doc_filter(environment, "c_accessor_doc", spelling::accessor_doc);
    add_doc_filter(environment, "c_comment", spelling::comment);
    add_ir_filter(environment, "c_case_kind", |ty: Type| plain(&ty).map_or("text", |(form, _)| form).to_owned());
    environment.add_test("c_in_constructor", |param: Serde<Param>| params::is_constructor_argument(&param.0));
}

/// Returns the runner's name of a plain value and its C type; `None` for other values.
pub(crate) fn plain(ty: &Type) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Type::Boolean => ("boolean", "bool"),
        Type::Integer => ("integer", "int64_t"),
        Type::Number => ("number", "double"),
        Type::Timestamp => ("timestamp", "vitalwire_timestamp"),
        Type::Date => ("date", "vitalwire_date"),
        _ => return None,
    })
}
