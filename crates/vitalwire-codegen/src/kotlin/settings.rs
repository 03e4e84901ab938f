//! Client settings, call options and error fields in Kotlin.

use serde_json::{Value, json};

use super::spelling::name;
use crate::ir::features::{self, ErrorField, ErrorFieldType, GeneratedSetting, Language, ValueType, client_settings, error_fields};
use crate::ir::{Docs, Ir};

/// Returns the template values of the client settings.
pub(super) fn settings(ir: &Ir) -> Value {
    json!({ "fields": client_settings(ir, Language::Kotlin).iter().map(field).collect::<Vec<_>>() })
}

/// Returns the template values of the call options.
pub(super) fn call_options() -> Value {
    json!({ "fields": features::call_options(Language::Kotlin).map(|option| field(&option)).collect::<Vec<_>>() })
}

/// Returns the names of all settings and options in the core, each with its Kotlin name.
pub(super) fn names(ir: &Ir) -> Vec<(String, String)> {
    let names = |setting: &GeneratedSetting<'_>| (setting.name.clone(), name(spelled(setting)));
    let settings = client_settings(ir, Language::Kotlin);
    settings.iter().map(names).chain(features::call_options(Language::Kotlin).map(|option| names(&option))).collect()
}

/// Returns the name of a setting in snake case.
fn spelled<'a>(setting: &'a GeneratedSetting<'_>) -> &'a str {
    if setting.row.value_type == ValueType::Header { setting.row.keyword() } else { &setting.name }
}

fn field(setting: &GeneratedSetting<'_>) -> Value {
    let (row, core) = (setting.row, setting.name.as_str());
    let (ty, default, through) = match row.value_type {
        _ if row.is_opt_in() => ("Boolean", "false", ""),
        ValueType::Duration => ("Duration?", "null", "?.toNative()"),
        ValueType::Count | ValueType::Size => ("Int?", "null", "?.toNative()"),
        ValueType::Bytes => ("Long?", "null", "?.toNative()"),
        ValueType::Flag => ("Boolean?", "null", ""),
        ValueType::Factor => ("Double?", "null", ""),
        ValueType::Style => ("ArrayStyle?", "null", "?.native"),
        ValueType::Header => ("Map<String, String>", "emptyMap()", ".map { (name, value) -> NameAndValue(name, value) }"),
        ValueType::Query => ("List<Pair<String, String>>", "emptyList()", ".map { (name, value) -> NameAndValue(name, value) }"),
        ValueType::Path => ("File?", "null", "?.path"),
        _ => ("String?", "null", ""),
    };
    let own = name(spelled(setting));
    let native = if row.value_type == ValueType::Duration { name(&format!("{core}_ms")) } else { own.clone() };
    json!({
        "name": own,
        "ty": ty,
        "default": default,
        "docs": Docs::new(setting.text()),
        "duration": row.value_type == ValueType::Duration,
        "hidden": row.hidden,
        // The function that adds a name and a value.
        "adder": match row.value_type {
            ValueType::Header => "header",
            ValueType::Query => "query",
            _ => "",
        },
        "native": native,
        "expression": format!("{own}{through}"),
    })
}

/// Returns the template values of the error's properties.
pub(super) fn error_properties() -> Vec<Value> {
    let own = |field: &&ErrorField| !matches!(field.field_type, ErrorFieldType::Code | ErrorFieldType::Kind);
    error_fields(Language::Kotlin).filter(own).map(error_property).collect()
}

fn error_property(field: &ErrorField) -> Value {
    // The type, the expression that reads the field from `info`, and its value in an error that is created in Kotlin.
    let native = format!("info.{}", name(field.name));
    let (ty, conversion, default) = match field.field_type {
        ErrorFieldType::Status => ("Int?", format!("{native}?.toInt()"), "null"),
        ErrorFieldType::Duration => ("Duration?", format!("{native}Ms?.toKotlin()"), "null"),
        ErrorFieldType::Count => ("Int", format!("{native}.toInt()"), "0"),
        ErrorFieldType::Flag => ("Boolean", native, "false"),
        ErrorFieldType::Bytes => ("ByteArray?", native, "null"),
        ErrorFieldType::Problem => ("ProblemDetails?", format!("{native}?.toKotlin()"), "null"),
        // Texts with names of settings and arguments.
        ErrorFieldType::Text if matches!(field.name, "argument" | "reason") => {
            ("String?", format!("{native}?.let(Spelling::{})", field.name), "null")
        }
        ErrorFieldType::Record => ("AwaitableRecord?", format!("{native}?.toKotlin()"), "null"),
        ErrorFieldType::Kind | ErrorFieldType::Code | ErrorFieldType::Text | ErrorFieldType::Rust => ("String?", native, "null"),
    };
    let spelled = if field.field_type == ErrorFieldType::Record { "last_record" } else { field.name };
    json!({
        "name": name(spelled),
        "ty": ty,
        "duration": field.field_type == ErrorFieldType::Duration,
        "docs": Docs::new(field.text),
        "conversion": conversion,
        "default": default,
    })
}
