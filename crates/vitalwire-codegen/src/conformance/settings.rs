//! Client settings and call options in the conformance runners, generated from the same rows as the clients.

use serde_json::{Value, json};

use crate::ir::Ir;
use crate::ir::features::{GeneratedSetting, Language, Setting, ValueType, call_options, client_settings_by_row};

/// Returns the template values of a setting, by its name in a plan. `None` for settings that no plan can have.
fn planned_setting(setting: &GeneratedSetting<'_>, plan: &str, extra: ExtraValues) -> Option<Value> {
    let (row, name) = (setting.row, &setting.name);
    // Form in which the value is read.
    let kind = match row.value_type {
        ValueType::Text if row.name == "base_url" => "url",
        ValueType::Text => "text",
        ValueType::Secret if !row.per_service => "text",
        ValueType::Duration => "duration",
        ValueType::Count => "count",
        ValueType::Size => "size",
        ValueType::Bytes => "bytes",
        ValueType::Flag => "flag",
        ValueType::Factor => "factor",
        ValueType::Style => "style",
        ValueType::Pem if row.name == "ca_certificate" => "pem",
        _ => return None,
    };
    let mut values = json!({ "plan": plan, "name": name, "kind": kind, "off": row.is_off_by_default(), "hidden": row.hidden });
    for (name, value) in extra(row, name).as_object().into_iter().flatten() {
        values[name] = value.clone();
    }
    Some(values)
}

/// Returns additional template values of a setting, from its row and its name in the engine.
pub(crate) type ExtraValues = fn(&'static Setting, &str) -> Value;

/// Returns the template values of a language: `client` and `call`.
pub(crate) fn values(ir: &Ir, language: Language, extra: ExtraValues) -> Value {
    let client = client_settings_by_row(ir, language);
    let client = client.into_iter().filter_map(|setting| planned_setting(&setting, &client_plan_name(&setting), extra));
    let call = call_options(language).filter_map(|option| planned_setting(&option, &call_plan_name(option.row), extra));
    json!({ "client": client.collect::<Vec<_>>(), "call": call.collect::<Vec<_>>() })
}

/// Returns the name of a client setting in cases.
fn client_plan_name(setting: &GeneratedSetting<'_>) -> String {
    match setting.row.name {
        "ca_certificate" => "ca".to_owned(),
        _ => with_unit(setting.row, setting.name.clone()),
    }
}

/// Returns the name of a call option in cases.
fn call_plan_name(row: &Setting) -> String {
    match row.name {
        "timeout" => "total_ms".to_owned(),
        "attempt_timeout" => "attempt_ms".to_owned(),
        "connect_timeout" => "connect_ms".to_owned(),
        "max_retries" => "retries".to_owned(),
        name => with_unit(row, name.to_owned()),
    }
}

fn with_unit(row: &Setting, name: String) -> String {
    if row.value_type == ValueType::Duration { format!("{name}_ms") } else { name }
}
