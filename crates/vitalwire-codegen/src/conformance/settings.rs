//! Client settings and call options in the conformance runners, generated from the same rows as the clients.

use serde::Serialize;
use serde_json::{Value, json};

use crate::ir::Ir;
use crate::ir::faces::{CALL_OPTIONS, Face, Has, SETTINGS, Setting, Takes};

/// A setting that can occur in a plan.
#[derive(Serialize)]
struct Planned {
    /// Name in a plan.
    plan: String,
    /// Name in the engine, with the prefix of its service.
    name: String,
    /// Form in which the value is read.
    kind: &'static str,
    /// Whether the value defaults to false.
    off: bool,
    hidden: bool,
    /// Additional template values of the language.
    #[serde(flatten)]
    further: Value,
}

impl Planned {
    /// Creates the description of a setting. `None` for settings that no plan can have.
    fn of(row: &'static Setting, prefix: &str, plan: String, further: Further) -> Option<Self> {
        let kind = match row.takes {
            Takes::Text if row.name == "base_url" => "url",
            Takes::Text => "text",
            Takes::Secret if !row.of_service => "text",
            Takes::Duration => "duration",
            Takes::Count => "count",
            Takes::Size => "size",
            Takes::Bytes => "bytes",
            Takes::Flag => "flag",
            Takes::Factor => "factor",
            Takes::Style => "style",
            Takes::Pem if row.name == "ca_certificate" => "pem",
            _ => return None,
        };
        let name = format!("{prefix}{}", row.name);
        let further = further(row, &name);
        Some(Self { plan, name, kind, off: row.is_off(), hidden: row.hidden, further })
    }
}

/// Returns additional template values of a setting, from its row and its name in the engine.
pub(crate) type Further = fn(&'static Setting, &str) -> Value;

/// Returns the template values of a language: `client` and `call`.
pub(crate) fn values(ir: &Ir, face: Face, further: Further) -> Value {
    let generated = |row: &&Setting| row.has(face) == Has::Generated;
    let client = SETTINGS.iter().filter(generated).flat_map(|row| {
        let services: Vec<String> = match row.of_service {
            true => ir.services.iter().enumerate().map(|(at, it)| if at == 0 { String::new() } else { format!("{}_", it.name) }).collect(),
            false => vec![String::new()],
        };
        services.into_iter().filter_map(move |prefix| Planned::of(row, &prefix, plan_of_client(row, &prefix), further))
    });
    let call = CALL_OPTIONS.iter().filter(generated).filter_map(|row| Planned::of(row, "", plan_of_call(row), further));
    json!({ "client": client.collect::<Vec<_>>(), "call": call.collect::<Vec<_>>() })
}

/// Returns the name of a client setting in cases.
fn plan_of_client(row: &Setting, prefix: &str) -> String {
    match row.name {
        "ca_certificate" => "ca".to_owned(),
        name => in_milliseconds(row, format!("{prefix}{name}")),
    }
}

/// Returns the name of a call option in cases.
fn plan_of_call(row: &Setting) -> String {
    match row.name {
        "timeout" => "total_ms".to_owned(),
        "attempt_timeout" => "attempt_ms".to_owned(),
        "connect_timeout" => "connect_ms".to_owned(),
        "max_retries" => "retries".to_owned(),
        name => in_milliseconds(row, name.to_owned()),
    }
}

fn in_milliseconds(row: &Setting, name: String) -> String {
    if row.takes == Takes::Duration { format!("{name}_ms") } else { name }
}
