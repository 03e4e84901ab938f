//! What templates ask a language for: a filter for each, named by the language.

use minijinja::Environment;
use minijinja::value::Serde;
use serde::de::DeserializeOwned;

use super::{c, camel, kotlin, pascal, python, rust, shouty, snake, swift};
use crate::ir::{Answer, Docs, Member, Type};

/// Adds them.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    text(environment, "snake", snake);
    text(environment, "pascal", pascal);
    text(environment, "camel", camel);
    text(environment, "shouty", shouty);
    text(environment, "rust_name", rust::name);
    text(environment, "rust_text", rust::literal);
    text(environment, "kotlin_name", kotlin::name);
    text(environment, "kotlin_text", kotlin::literal);
    text(environment, "swift_name", swift::name);
    text(environment, "swift_plain", swift::plain);
    text(environment, "python_name", python::python_name);
    text(environment, "python_text", python::literal);
    text(environment, "python_constant", python::constant);
    text(environment, "c_name", c::argument);
    text(environment, "c_object", c::object);
    text(environment, "c_list", c::list);
    text(environment, "c_text", c::literal);
    part(environment, "rust_type", |ty: Type| rust::ty(&ty));
    part(environment, "rust_field", |member: Member| rust::field(&member));
    part(environment, "rust_answer", |answer: Answer| rust::answer(&answer));
    part(environment, "c_answer", |answer: Answer| c::answer(&answer));
    part(environment, "swift_type", |ty: Type| swift::ty(&ty));
    part(environment, "swift_answer", |answer: Answer| swift::answer(&answer));
    part(environment, "python_type", |ty: Type| python::read(&ty));
    environment.add_test("keeps_null", |member: Serde<Member>| member.0.keeps_null());
    doc(environment, "rust_doc", rust::doc);
    doc(environment, "kotlin_doc", kotlin::doc);
    doc(environment, "swift_doc", swift::doc);
    doc(environment, "swift_line", swift::line);
    doc(environment, "c_doc", c::doc);
    doc(environment, "c_comment", c::comment);
    environment.add_filter("rust_comments", |lines: Vec<String>| rust::comments(&lines));
    environment.add_filter("python_docstring", |lines: Vec<String>, margin: usize| python::docstring(&lines, margin));
}

fn text(environment: &mut Environment<'_>, name: &'static str, of: fn(&str) -> String) {
    environment.add_filter(name, move |text: &str| of(text));
}

/// A filter over a part of the IR.
pub(crate) fn part<T: DeserializeOwned + 'static>(environment: &mut Environment<'_>, name: &'static str, of: fn(T) -> String) {
    environment.add_filter(name, move |part: Serde<T>| of(part.0));
}

/// Documentation, without the end of its last line; the name stands where there is none.
fn doc(environment: &mut Environment<'_>, filter: &'static str, of: fn(&Docs, &str) -> String) {
    environment.add_filter(filter, move |docs: Serde<Docs>, name: &str| of(&docs.0, name).trim_end().to_owned());
}
