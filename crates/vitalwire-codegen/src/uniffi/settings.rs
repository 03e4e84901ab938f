//! Settings, options and error fields of the uniffi wrapper, and their conversion to the core's.

use serde_json::{Value, json};

use crate::ir::features::{self, ErrorField, ErrorFieldType, GeneratedSetting, Language, ValueType, call_options, client_settings};
use crate::ir::{Docs, Ir};

/// Documentation of the settings and options.
pub(crate) const CLIENT: &str =
    "Settings of a client. Settings that are not set keep their defaults. Base URLs have none, and each service has its own token.";
pub(crate) const CALL: &str = "Options of one call. Options that are not set default to the client's settings.";

/// Represents Kotlin too, because both share the wrapper.
pub(super) const LANGUAGE: Language = Language::Swift;

/// Returns the records of settings and options, with their fields in order. Values may be private, so their `Debug` output hides them.
pub(super) fn records(ir: &Ir) -> Vec<Value> {
    let client: Vec<Value> = client_settings(ir, LANGUAGE).iter().map(field).collect();
    let call: Vec<Value> = call_options(LANGUAGE).map(|option| field(&option)).collect();
    let record =
        |name: &str, about: &str, core: &str, fields: Vec<Value>| json!({ "name": name, "about": about, "core": core, "fields": fields });
    vec![record("ClientOptions", CLIENT, "ClientBuilder", client), record("CallOptions", CALL, "CallOptions", call)]
}

fn field(setting: &GeneratedSetting<'_>) -> Value {
    let (row, core) = (setting.row, setting.name.as_str());
    let (ty, kind) = match row.value_type {
        _ if row.is_opt_in() => ("bool", if row.value_type == ValueType::Switch { "switch" } else { "off" }),
        ValueType::Duration => ("Option<u64>", "duration"),
        ValueType::Count => ("Option<u32>", "plain"),
        ValueType::Size => ("Option<u32>", "size"),
        ValueType::Bytes => ("Option<u64>", "plain"),
        ValueType::Flag => ("Option<bool>", "plain"),
        ValueType::Factor => ("Option<f64>", "plain"),
        ValueType::Style => ("Option<ArrayStyle>", "style"),
        ValueType::Header | ValueType::Query => ("Vec<NameAndValue>", "pairs"),
        ValueType::Pem => ("Option<String>", "pem"),
        _ => ("Option<String>", "text"),
    };
    let (name, unit) = match row.value_type {
        ValueType::Duration => (format!("{core}_ms"), "In milliseconds."),
        ValueType::Header => (row.keyword().to_owned(), ""),
        _ => (core.to_owned(), ""),
    };
    let text = setting.text_with(unit);
    let default = match ty {
        "bool" => "false",
        "Vec<NameAndValue>" => "[]",
        _ => "None",
    };
    json!({ "name": name, "core": core, "type": ty, "kind": kind, "default": default, "docs": Docs::new(text) })
}

pub(super) fn error_fields() -> Vec<Value> {
    features::error_fields(LANGUAGE).map(error_field).collect()
}

fn error_field(field: &ErrorField) -> Value {
    let (ty, kind) = match field.field_type {
        ErrorFieldType::Kind => ("ErrorKind", "into"),
        ErrorFieldType::Code => ("u16", "plain"),
        ErrorFieldType::Status => ("Option<u16>", "plain"),
        ErrorFieldType::Duration => ("Option<u64>", "duration"),
        ErrorFieldType::Count => ("u32", "plain"),
        ErrorFieldType::Flag => ("bool", "plain"),
        ErrorFieldType::Problem => ("Option<ProblemDetails>", "cloned"),
        ErrorFieldType::Bytes => ("Option<Vec<u8>>", "bytes"),
        ErrorFieldType::Record => ("Option<WaitedRecord>", "later"),
        ErrorFieldType::Text | ErrorFieldType::Rust => ("Option<String>", "text"),
    };
    let (name, text) = match field.field_type {
        ErrorFieldType::Duration => (format!("{}_ms", field.name), format!("{} In milliseconds.", field.text)),
        _ => (field.name.to_owned(), field.text.to_owned()),
    };
    json!({ "name": name, "core": field.name, "type": ty, "kind": kind, "docs": Docs::new(text) })
}
