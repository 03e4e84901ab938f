//! Fields of the Swift error.

use serde::Serialize;

use super::spelling;
use crate::ir::Docs;
use crate::ir::features::{Availability, ERROR_FIELDS, ErrorField, ErrorFieldType, Language};
use crate::naming::camel;

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
            ErrorFieldType::Text if field.name == "argument" => ("String?", "SwiftSpelling.argument(of: info)".to_owned(), "nil"),
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
