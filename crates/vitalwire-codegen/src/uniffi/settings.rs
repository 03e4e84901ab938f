//! Settings, options and error fields of the uniffi wrapper, and their conversion to the core's.

use serde_json::{Value, json};

use crate::ir::faces::{CALL_OPTIONS, ERROR_FACTS, ErrorFact, Face, Gives, Has, SETTINGS, Setting, Takes};
use crate::ir::{Docs, Ir};

/// Documentation of the settings and options.
pub(crate) const CLIENT: &str =
    "Settings of a client. Settings that are not set keep their defaults. Base URLs have none, and each service has its own token.";
pub(crate) const CALL: &str = "Options of one call. Options that are not set default to the client's settings.";

/// Represents Kotlin too, because both share the wrapper.
pub(super) const FACE: Face = Face::Swift;

/// Returns the records of settings and options, with their fields in order. Values may be private, so their `Debug` output hides them.
pub(super) fn records(ir: &Ir) -> Vec<Value> {
    let rows = || SETTINGS.iter().filter(|row| row.has(FACE) == Has::Generated);
    let of_service = ir.services.iter().enumerate().flat_map(|(at, service)| {
        rows().filter(|row| row.of_service).map(move |row| {
            let prefix = if at == 0 { String::new() } else { format!("{}_", service.name) };
            field(row, &format!("{prefix}{}", row.name), &service.name)
        })
    });
    let client = of_service.chain(rows().filter(|row| !row.of_service).map(|row| field(row, row.name, "")));
    let call = CALL_OPTIONS.iter().filter(|row| row.has(FACE) == Has::Generated).map(|row| field(row, row.name, ""));
    vec![
        json!({
            "name": "ClientOptions",
            "about": CLIENT,
            "core": "ClientBuilder",
            "fields": client.collect::<Vec<_>>(),
        }),
        json!({
            "name": "CallOptions",
            "about": CALL,
            "core": "CallOptions",
            "fields": call.collect::<Vec<_>>(),
        }),
    ]
}

fn field(row: &Setting, core: &str, service: &str) -> Value {
    let off = row.takes == Takes::Switch || row.takes == Takes::Flag && row.is_off();
    let (ty, kind) = match row.takes {
        _ if off => ("bool", if row.takes == Takes::Switch { "switch" } else { "off" }),
        Takes::Duration => ("Option<u64>", "duration"),
        Takes::Count => ("Option<u32>", "plain"),
        Takes::Size => ("Option<u32>", "size"),
        Takes::Bytes => ("Option<u64>", "plain"),
        Takes::Flag => ("Option<bool>", "plain"),
        Takes::Factor => ("Option<f64>", "plain"),
        Takes::Style => ("Option<ArrayStyle>", "style"),
        Takes::Header | Takes::Query => ("Vec<NameAndValue>", "pairs"),
        Takes::Pem => ("Option<String>", "pem"),
        _ => ("Option<String>", "text"),
    };
    let (name, unit) = match row.takes {
        Takes::Duration => (format!("{core}_ms"), "In milliseconds."),
        Takes::Header => (row.keyword().to_owned(), ""),
        _ => (core.to_owned(), ""),
    };
    let text = row.text_with(unit).replace("{service}", service);
    let default = match ty {
        "bool" => "false",
        "Vec<NameAndValue>" => "[]",
        _ => "None",
    };
    json!({ "name": name, "core": core, "type": ty, "kind": kind, "default": default, "docs": Docs { text, ..Docs::default() } })
}

/// Returns the fields of an error.
pub(super) fn facts() -> Vec<Value> {
    let generated = ERROR_FACTS.iter().filter(|fact| fact.has(FACE) == Has::Generated);
    generated.map(fact).collect()
}

fn fact(fact: &ErrorFact) -> Value {
    let (ty, kind) = match fact.gives {
        Gives::Kind => ("ErrorKind", "into"),
        Gives::Code => ("u16", "plain"),
        Gives::Status => ("Option<u16>", "plain"),
        Gives::Duration => ("Option<u64>", "duration"),
        Gives::Count => ("u32", "plain"),
        Gives::Flag => ("bool", "plain"),
        Gives::Problem => ("Option<ProblemDetails>", "cloned"),
        Gives::Bytes => ("Option<Vec<u8>>", "bytes"),
        Gives::Record => ("Option<WaitedRecord>", "later"),
        Gives::Text | Gives::Rust => ("Option<String>", "text"),
    };
    let (name, text) = match fact.gives {
        Gives::Duration => (format!("{}_ms", fact.name), format!("{} In milliseconds.", fact.about)),
        _ => (fact.name.to_owned(), fact.about.to_owned()),
    };
    json!({ "name": name, "core": fact.name, "type": ty, "kind": kind, "docs": Docs { text, ..Docs::default() } })
}
