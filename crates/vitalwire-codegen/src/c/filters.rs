//! Filters and tests for templates of C and its wrapper.

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::{forms, params, spelling};
use crate::ir::{Answer, Member, OpenSet, OpenValue, Operation, Param, Type};
use crate::templates::{doc, part, text};

/// Adds the filters and tests.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("c_form", |member: Serde<Member>| match forms::of(&member.0) {
        Ok(form) => Ok(Value::from(Serde(form))),
        Err(error) => Err(Error::new(ErrorKind::InvalidOperation, error.to_string())),
    });
    environment.add_filter("c_texts", |operation: Serde<Operation>| Value::from(Serde(params::texts(&operation.0))));
    environment.add_filter("c_sample", |param: Serde<Param>, place: usize| {
        params::sample(&param.0, place).map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
    });
    environment.add_filter("c_at_start", |param: Serde<Param>| params::at_start(&param.0));
    environment.add_filter("c_constant", |set: Serde<OpenSet>, value: Serde<OpenValue>| spelling::value(&set.0, &value.0));
    text(environment, "c_name", spelling::argument);
    text(environment, "c_object", spelling::object);
    text(environment, "c_list", spelling::list);
    text(environment, "c_text", spelling::literal);
    part(environment, "c_answer", |answer: Answer| spelling::answer(&answer));
    doc(environment, "c_doc", spelling::doc);
    doc(environment, "c_comment", spelling::comment);
    part(environment, "c_taken", |ty: Type| plain(&ty).map_or("text", |(form, _)| form).to_owned());
    environment.add_test("c_at_start", |param: Serde<Param>| params::at_start(&param.0));
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
