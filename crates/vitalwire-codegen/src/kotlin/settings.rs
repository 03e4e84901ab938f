//! Client settings, call options and error fields in Kotlin.

use serde::Serialize;

use super::spelling::name;
use crate::ir::features::{
    self, Availability, ERROR_FIELDS, ErrorField, ErrorFieldType, GeneratedSetting, Language, ValueType, client_settings,
};
use crate::ir::{Docs, Ir};

/// Settings or options of a builder.
#[derive(Debug, Serialize)]
pub(super) struct Fields {
    fields: Vec<Field>,
}

/// A setting or an option.
#[derive(Debug, Serialize)]
struct Field {
    name: String,
    ty: &'static str,
    default: &'static str,
    docs: Docs,
    duration: bool,
    /// Whether the setting is internal, for tests of the package.
    hidden: bool,
    /// Name of the function that adds a name and a value; empty if there is none.
    adder: &'static str,
    /// Name and value of the argument of the native record.
    native: String,
    expression: String,
}

/// Returns the client settings.
pub(super) fn settings(ir: &Ir) -> Fields {
    Fields { fields: client_settings(ir, Language::Kotlin).iter().map(Field::new).collect() }
}

/// Returns the names of all settings and options in the core, each with its Kotlin name.
pub(super) fn names(ir: &Ir) -> Vec<(String, String)> {
    let name = |setting: &GeneratedSetting<'_>| (setting.name.clone(), Field::new(setting).name);
    let settings = client_settings(ir, Language::Kotlin);
    settings.iter().map(name).chain(features::call_options(Language::Kotlin).map(|option| name(&option))).collect()
}

pub(super) fn call_options() -> Fields {
    Fields { fields: features::call_options(Language::Kotlin).map(|option| Field::new(&option)).collect() }
}

impl Field {
    fn new(setting: &GeneratedSetting<'_>) -> Self {
        let (row, core) = (setting.row, setting.name.as_str());
        let off = row.value_type == ValueType::Switch || row.value_type == ValueType::Flag && row.is_off_by_default();
        let (ty, default, through) = match row.value_type {
            _ if off => ("Boolean", "false", ""),
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
        let adder = match row.value_type {
            ValueType::Header => "header",
            ValueType::Query => "query",
            _ => "",
        };
        let spelled = if row.value_type == ValueType::Header { row.keyword() } else { core };
        let own = name(spelled);
        let native = if row.value_type == ValueType::Duration { name(&format!("{core}_ms")) } else { own.clone() };
        let duration = row.value_type == ValueType::Duration;
        Self {
            expression: format!("{own}{through}"),
            name: own,
            ty,
            default,
            docs: Docs { text: setting.text(), ..Docs::default() },
            duration,
            hidden: row.hidden,
            adder,
            native,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct ErrorProperty {
    name: String,
    ty: &'static str,
    duration: bool,
    docs: Docs,
    /// Expression for the value, from `info`.
    conversion: String,
    /// Value in an error that is created in Kotlin.
    default: &'static str,
}

impl ErrorProperty {
    pub(super) fn all() -> Vec<Self> {
        let own = |field: &&ErrorField| {
            field.availability(Language::Kotlin) == Availability::Generated
                && !matches!(field.field_type, ErrorFieldType::Code | ErrorFieldType::Kind)
        };
        ERROR_FIELDS.iter().filter(own).map(Self::new).collect()
    }

    fn new(field: &ErrorField) -> Self {
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
        let docs = Docs { text: field.text.to_owned(), ..Docs::default() };
        Self { name: name(spelled), ty, duration: field.field_type == ErrorFieldType::Duration, docs, conversion, default }
    }
}
