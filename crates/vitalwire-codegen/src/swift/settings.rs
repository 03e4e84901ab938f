//! Swift client settings, call options and error fields.

use serde::Serialize;

use super::spelling;
use crate::ir::features::{
    Availability, ERROR_FIELDS, ErrorField, ErrorFieldType, GeneratedSetting, Language, ValueType, call_options, client_settings,
};
use crate::ir::{Docs, Ir};
use crate::naming::camel;
use crate::uniffi::settings::{CALL, CLIENT};

/// The option types `ClientOptions` and `CallOptions`.
#[derive(Debug, Serialize)]
pub(super) struct Options {
    records: Vec<Record>,
}

#[derive(Debug, Serialize)]
struct Record {
    name: &'static str,
    about: &'static str,
    fields: Vec<Field>,
    initializers: &'static [Initializer],
}

/// The documentation of an initializer, its required fields, and the fields that it leaves out.
type Initializer = (&'static str, &'static [&'static str], &'static [&'static str]);

/// A base URL is required, so that code with a URL that may be nil does not compile.
const CLIENT_INITIALIZERS: &[Initializer] = &[
    ("Creates settings. Settings that are not set keep their defaults.", &["baseURL"], &[]),
    ("Creates settings without the health service: for mock responses, or for the care service alone.", &[], &["baseURL", "token"]),
];
const CALL_INITIALIZERS: &[Initializer] = &[("Creates options. Options that are not set default to the client's settings.", &[], &[])];

#[derive(Debug, Serialize)]
struct Field {
    name: String,
    ty: &'static str,
    default: &'static str,
    docs: Docs,
    /// Whether the option is only for tests of this package. It is not public and not in the initializer.
    hidden: bool,
    /// Whether another option has its value, so that it exists only in the native options.
    is_native_only: bool,
    /// Label of the native argument.
    native: String,
    /// Expression that converts the option to the native value.
    expression: String,
}

/// A text of pins in the core, which is a list in Swift.
const PINNED_KEYS: &str = "pinned_keys";
const SEPARATOR_OF_PINS: &str = " and are separated by `;`";
/// The documentation of a proxy in the core, where another setting disables proxies.
const PROXY_URL: &str = "URL of a proxy for all requests (`http://` or `https://`, with a user and password if it requires them)";

impl Options {
    pub(super) fn new(ir: &Ir) -> Self {
        let client = client_settings(ir, Language::Swift).iter().map(Field::new).collect();
        let call = call_options(Language::Swift).map(|option| Field::new(&option)).collect();
        let client = Record { name: "ClientOptions", about: CLIENT, fields: client, initializers: CLIENT_INITIALIZERS };
        let call = Record { name: "CallOptions", about: CALL, fields: call, initializers: CALL_INITIALIZERS };
        Self { records: vec![client, call] }
    }
}

impl Field {
    fn new(setting: &GeneratedSetting<'_>) -> Self {
        let (row, core) = (setting.row, setting.name.as_str());
        let off = row.value_type == ValueType::Switch || row.value_type == ValueType::Flag && row.is_off_by_default();
        let url = core.ends_with("url");
        let (ty, default, through) = match row.value_type {
            _ if core == PINNED_KEYS => ("[String]?", "nil", "?.joined(separator: \";\")"),
            ValueType::Proxy => ("ProxySetting?", "nil", "?.url?.absoluteString"),
            _ if off => ("Bool", "false", ""),
            _ if url => ("URL?", "nil", "?.absoluteString"),
            ValueType::Duration => ("Duration?", "nil", "?.unsignedMilliseconds"),
            ValueType::Count | ValueType::Size => ("Int?", "nil", ".map { UInt32(clamping: $0) }"),
            ValueType::Bytes => ("Int?", "nil", ".map { UInt64(clamping: $0) }"),
            ValueType::Flag => ("Bool?", "nil", ""),
            ValueType::Factor => ("Double?", "nil", ""),
            ValueType::Style => ("ArrayStyle?", "nil", "?.native"),
            ValueType::Header => ("[String: String]", "[:]", ".map { .init(name: $0.key, value: $0.value) }"),
            ValueType::Query => ("[URLQueryItem]", "[]", ".map { .init(name: $0.name, value: $0.value ?? \"\") }"),
            ValueType::Path => ("URL?", "nil", "?.path"),
            _ => ("String?", "nil", ""),
        };
        let spelled = if row.value_type == ValueType::Header { row.keyword() } else { core };
        let name = spelling::name(spelled);
        let native = if row.value_type == ValueType::Duration { camel(&format!("{core}_ms")) } else { camel(spelled) };
        let is_native_only = row.value_type == ValueType::Switch;
        Self {
            expression: if is_native_only { "proxy == .disabled".to_owned() } else { format!("{name}{through}") },
            hidden: row.hidden,
            is_native_only,
            name,
            ty,
            default,
            docs: Docs {
                text: setting.text().replace(SEPARATOR_OF_PINS, "").replace(PROXY_URL, "Proxy for all requests"),
                ..Docs::default()
            },
            native,
        }
    }
}

/// A field of `VitalwireError`.
#[derive(Debug, Serialize)]
pub(super) struct ErrorProperty {
    name: String,
    ty: &'static str,
    docs: Docs,
    /// Expression that reads the field from the native `info`.
    conversion: String,
    /// Value of the field in an error that is detected in Swift.
    default: &'static str,
}

impl ErrorProperty {
    pub(super) fn all() -> Vec<Self> {
        ERROR_FIELDS
            .iter()
            .filter(|field| field.availability(Language::Swift) == Availability::Generated && field.name != "code")
            .map(Self::new)
            .collect()
    }

    fn new(field: &ErrorField) -> Self {
        let native = format!("info.{}", camel(field.name));
        let (ty, conversion, default) = match field.field_type {
            ErrorFieldType::Kind => ("ErrorKind", "ErrorKind(rawValue: Int(info.code))".to_owned(), "kind"),
            ErrorFieldType::Status => ("Int?", format!("{native}.map {{ Int($0) }}"), "nil"),
            ErrorFieldType::Duration => ("Duration?", format!("{native}Ms.map {{ .milliseconds(Int64(clamping: $0)) }}"), "nil"),
            ErrorFieldType::Count => ("Int", format!("Int({native})"), "0"),
            ErrorFieldType::Flag => ("Bool", native, "false"),
            ErrorFieldType::Bytes => ("Data?", native, "nil"),
            ErrorFieldType::Problem => ("ProblemDetails?", format!("{native}.map {{ ProblemDetails($0) }}"), "nil"),
            ErrorFieldType::Record => ("LastRecord?", format!("{native}.flatMap {{ LastRecord($0) }}"), "nil"),
            ErrorFieldType::Text if field.name == "argument" => ("String?", format!("{native}.map(SwiftSpelling.argument)"), "nil"),
            ErrorFieldType::Text if field.name == "reason" => ("String?", format!("{native}.map(SwiftSpelling.reason)"), "nil"),
            ErrorFieldType::Code | ErrorFieldType::Text | ErrorFieldType::Rust => ("String?", native, "nil"),
        };
        let name = if field.field_type == ErrorFieldType::Record { "lastRecord".to_owned() } else { spelling::name(field.name) };
        Self { name, ty, docs: Docs { text: without_wire_example(field.text), ..Docs::default() }, conversion, default }
    }
}

/// Removes the example from a text if it is spelled as on the wire.
fn without_wire_example(about: &str) -> String {
    match about.split_once(", for example `") {
        Some((text, example)) if example.contains('_') => format!("{text}."),
        _ => about.to_owned(),
    }
}
