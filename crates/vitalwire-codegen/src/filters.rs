//! Filters that all templates have, and functions with which a target adds its own.

use minijinja::Environment;
use minijinja::value::Serde;
use serde::de::DeserializeOwned;

use crate::ir::{Docs, Member};
use crate::naming::{camel, pascal, shouty, snake};

/// Adds the filters and tests that belong to no target.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    add_text_filter(environment, "snake", snake);
    add_text_filter(environment, "pascal", pascal);
    add_text_filter(environment, "camel", camel);
    add_text_filter(environment, "shouty", shouty);
    environment.add_test("keeps_null", |member: Serde<Member>| member.0.keeps_null());
}

pub(crate) fn add_text_filter(environment: &mut Environment<'_>, name: &'static str, map: fn(&str) -> String) {
    environment.add_filter(name, move |text: &str| map(text));
}

/// Adds a filter that maps a part of the IR.
pub(crate) fn add_ir_filter<T: DeserializeOwned + 'static>(environment: &mut Environment<'_>, name: &'static str, map: fn(T) -> String) {
    environment.add_filter(name, move |part: Serde<T>| map(part.0));
}

/// Adds a filter that renders documentation without trailing whitespace. It is passed the name to use if there is no documentation.
pub(crate) fn add_doc_filter(environment: &mut Environment<'_>, filter: &'static str, map: fn(&Docs, &str) -> String) {
    environment.add_filter(filter, move |docs: Serde<Docs>, name: &str| map(&docs.0, name).trim_end().to_owned());
}
