//! Setters of client builders and call options, and accessors of errors, from the same tables as in C.

use serde_json::{Value, json};

use crate::c::settings::{KIND, accessors, setter_name, verb};
use crate::ir::features::{ErrorFieldType, GeneratedSetting, Language, ValueType, call_options, client_settings};
use crate::ir::{Docs, Ir};

/// Returns the template's values for the client builder.
pub(super) fn settings(ir: &Ir) -> Vec<Value> {
    client_settings(ir, Language::C).iter().filter(|setting| !setting.row.hidden).map(setter_values).collect()
}

/// Returns the template's values for call options.
pub(super) fn options() -> Vec<Value> {
    call_options(Language::C).map(|option| setter_values(&option)).collect()
}

/// Returns the template's values for the accessors of an error.
pub(super) fn error_fields() -> Vec<Value> {
    accessors(|field| match field.field_type {
        ErrorFieldType::Code => "Error code.".to_owned(),
        ErrorFieldType::Kind => KIND.to_owned(),
        _ => field.text.to_owned(),
    })
}

fn setter_values(setting: &GeneratedSetting<'_>) -> Value {
    let row = setting.row;
    let (declaration, expression) = match row.value_type {
        ValueType::Duration => ("std::chrono::milliseconds time", "detail::to_c(time)"),
        ValueType::Count | ValueType::Size => ("std::uint32_t count", "count"),
        ValueType::Bytes => ("std::uint64_t count", "count"),
        ValueType::Flag => ("bool yes = true", "yes"),
        ValueType::Style => ("vitalwire::array_style style", "style"),
        ValueType::Factor => ("double factor", "factor"),
        ValueType::Switch => ("", ""),
        ValueType::Provider => ("vitalwire::token_provider provider", ""),
        ValueType::Header | ValueType::Query => {
            ("std::string_view name, std::string_view value", "detail::to_c(name), detail::to_c(value)")
        }
        _ => ("std::string_view text", "detail::to_c(text)"),
    };
    let end = setter_name(row, &setting.name);
    let name = end.strip_suffix("_ms").unwrap_or(&end);
    let provider = row.value_type == ValueType::Provider;
    let docs = Docs::new(setting.text());
    let c = format!("{}_{end}", verb(row));
    json!({ "name": name, "c": c, "declaration": declaration, "expression": expression, "provider": provider, "docs": docs })
}
