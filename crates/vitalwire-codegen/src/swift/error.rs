//! Fields of the Swift error.

use serde_json::{Value, json};

use super::spelling;
use crate::ir::Docs;
use crate::ir::features::{ErrorField, ErrorFieldType, Language, error_fields};
use crate::naming::camel;

/// Returns the fields of `VitalwireError`.
pub(super) fn properties() -> Vec<Value> {
    error_fields(Language::Swift).filter(|field| field.name != "code").map(property).collect()
}

fn property(field: &ErrorField) -> Value {
    // The type, the expression that reads the field from the native `info`, and its value in an error that is detected in Swift.
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
    let docs = Docs::new(without_wire_example(field.text));
    json!({ "name": name, "ty": ty, "docs": docs, "conversion": conversion, "default": default })
}

/// Removes the example from a text if it is spelled as on the wire.
fn without_wire_example(about: &str) -> String {
    match about.split_once(", for example `") {
        Some((text, example)) if example.contains('_') => format!("{text}."),
        _ => about.to_owned(),
    }
}
