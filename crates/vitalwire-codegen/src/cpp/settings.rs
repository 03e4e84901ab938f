//! Setters of client builders and call options, and accessors of errors, from the same tables as in C.

use serde_json::{Value, json};

use crate::c::settings::{self as c, KIND, STYLE, Setter};
use crate::ir::Docs;
use crate::ir::Ir;
use crate::ir::faces::{Gives, Takes};

/// Returns the template's values for the client builder.
pub(super) fn settings(ir: &Ir) -> Vec<Value> {
    c::setters_of_client(ir).iter().filter(|setter| !setter.row.hidden).map(setter).collect()
}

/// Returns the template's values for call options.
pub(super) fn options() -> Vec<Value> {
    c::setters_of_call().iter().map(setter).collect()
}

/// Returns the template's values for the accessors of an error.
pub(super) fn facts() -> Vec<Value> {
    c::accessors(|fact| match fact.gives {
        Gives::Code => "Error code.".to_owned(),
        Gives::Kind => KIND.to_owned(),
        _ => fact.about.to_owned(),
    })
}

/// Returns the template's values for a setter.
fn setter(of: &Setter) -> Value {
    let (declared, given) = match of.row.takes {
        Takes::Duration => ("std::chrono::milliseconds time", "detail::to_c(time)"),
        Takes::Count | Takes::Size => ("std::uint32_t count", "count"),
        Takes::Bytes => ("std::uint64_t count", "count"),
        Takes::Flag => ("bool yes = true", "yes"),
        Takes::Style => ("bool yes = true", "yes"),
        Takes::Factor => ("double factor", "factor"),
        Takes::Switch => ("", ""),
        Takes::Provider => ("vitalwire::token_provider provider", ""),
        Takes::Header | Takes::Query => ("std::string_view name, std::string_view value", "detail::to_c(name), detail::to_c(value)"),
        _ => ("std::string_view text", "detail::to_c(text)"),
    };
    let end = of.end();
    let name = end.strip_suffix("_ms").unwrap_or(&end);
    let provider = of.row.takes == Takes::Provider;
    let text = if of.row.takes == Takes::Style { STYLE.to_owned() } else { of.text("") };
    let docs = Docs { text, ..Docs::default() };
    let c = format!("{}_{end}", of.verb());
    json!({ "name": name, "c": c, "declared": declared, "given": given, "provider": provider, "docs": docs })
}
