//! Setters of client builders and call options, and accessors of errors.

use serde_json::{Value, json};

use crate::ir::features::{
    self, ErrorField, ErrorFieldType, GeneratedSetting, Language, Setting, ValueType, call_options, client_settings,
};
use crate::ir::{Docs, Ir};

/// Returns the verb of a setter, which follows the object's name.
pub(crate) fn verb(row: &Setting) -> &'static str {
    if row.is_repeatable() { "add" } else { "set" }
}

/// Returns the name of a setter after the verb. `core` is the name of the core's setter.
pub(crate) fn setter_name(row: &Setting, core: &str) -> String {
    match row.value_type {
        ValueType::Duration => format!("{core}_ms"),
        _ => core.to_owned(),
    }
}

/// Returns the template's values for the client builder, and for call options.
pub(super) fn setters(ir: &Ir) -> [Value; 2] {
    let client = client_settings(ir, Language::C).iter().map(setter_values).collect();
    let options = call_options(Language::C).map(|option| setter_values(&option)).collect();
    [
        values("Settings of a client.", ["client", "vitalwire_client_builder", "builder"], client),
        values("Options of a call.", ["options", "vitalwire_call_options", "options"], options),
    ]
}

fn values(about: &str, [module, object, receiver]: [&str; 3], setters: Vec<Value>) -> Value {
    json!({ "about": about, "module": module, "object": object, "receiver": receiver, "setters": setters })
}

fn setter_values(setting: &GeneratedSetting<'_>) -> Value {
    let GeneratedSetting { row, name: core, .. } = setting;
    let text_argument = |argument: &str| format!("arguments.text(\"{core}\", &{argument})");
    let text_of = |argument: &str| (format!("{argument}: vitalwire_str"), text_argument(argument));
    let (declaration, expression) = match row.value_type {
        ValueType::Duration => ("milliseconds: u64".to_owned(), "Duration::from_millis(milliseconds)".to_owned()),
        ValueType::Count => ("count: u32".to_owned(), "count".to_owned()),
        ValueType::Size => ("count: u32".to_owned(), "usize::try_from(count).unwrap_or(usize::MAX)".to_owned()),
        ValueType::Bytes => ("bytes: u64".to_owned(), "bytes".to_owned()),
        ValueType::Flag => ("yes: bool".to_owned(), "yes".to_owned()),
        ValueType::Factor => ("factor: f64".to_owned(), "factor".to_owned()),
        ValueType::Style => ("style: MaybeUninit<vitalwire_array_style>".to_owned(), format!("arguments.array_style(\"{core}\", style)")),
        ValueType::Header | ValueType::Query => {
            ("name: vitalwire_str, value: vitalwire_str".to_owned(), format!("{}, {}", text_argument("name"), text_argument("value")))
        }
        ValueType::Provider => {
            ("provider: vitalwire_token_provider, user_data: *mut c_void, destructor: vitalwire_destructor".to_owned(), String::new())
        }
        ValueType::Switch => (String::new(), String::new()),
        ValueType::Proxy => text_of("url"),
        ValueType::Secret => text_of("token"),
        ValueType::Pem => text_of("pem"),
        ValueType::Path => text_of("path"),
        _ => text_of("text"),
    };
    let text = match row.value_type {
        ValueType::Duration => setting.text_with("In milliseconds."),
        ValueType::Provider => setting.text_with("`destructor` may be NULL. It releases `user_data`, also if the provider is NULL."),
        ValueType::Header | ValueType::Query => setting.text_with("Can be called repeatedly to add more."),
        _ => setting.text(),
    };
    json!({
        "hidden": row.hidden,
        "verb": verb(row),
        "end": setter_name(row, core),
        "core": core,
        "declaration": declaration,
        "expression": expression,
        "provider": row.value_type == ValueType::Provider,
        "docs": Docs::new(text),
    })
}

/// Returns the template's values for the accessors of an error.
pub(super) fn error_fields() -> Vec<Value> {
    accessors(|field| match field.field_type {
        ErrorFieldType::Code => "Code that the function returned; VITALWIRE_OK for NULL.".to_owned(),
        ErrorFieldType::Kind => KIND.to_owned(),
        ErrorFieldType::Status => format!("{} Returns false and writes nothing otherwise.", field.text),
        ErrorFieldType::Duration => format!("{} In milliseconds. Returns false and writes nothing if there is no delay.", field.text),
        ErrorFieldType::Problem => format!("{} Returns NULL otherwise.", field.text),
        _ => field.text.to_owned(),
    })
}

/// Documentation of the name of an error's code.
pub(crate) const KIND: &str = "Name of the code, the same in every language, for example `rate_limited`.";

/// Returns the template's values for the accessors of an error, with documentation from `text`.
pub(crate) fn accessors(text: impl Fn(&ErrorField) -> String) -> Vec<Value> {
    features::error_fields(Language::C).map(|field| accessor(field, text(field))).collect()
}

fn accessor(field: &ErrorField, text: String) -> Value {
    let kind = match field.field_type {
        ErrorFieldType::Kind => "kind",
        ErrorFieldType::Code => "code",
        ErrorFieldType::Text => "text",
        ErrorFieldType::Status => "status",
        ErrorFieldType::Duration => "duration",
        ErrorFieldType::Count => "count",
        ErrorFieldType::Flag => "flag",
        ErrorFieldType::Problem => "problem",
        ErrorFieldType::Bytes => "bytes",
        ErrorFieldType::Record | ErrorFieldType::Rust => "none",
    };
    json!({ "name": field.name, "kind": kind, "docs": Docs::new(text) })
}
