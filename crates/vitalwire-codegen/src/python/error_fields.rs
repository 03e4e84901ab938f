//! Fields of errors: their declarations, and how the extension sets them.

use serde_json::{Value, json};

use crate::ir::Ir;
use crate::ir::features::{Availability, ERROR_FIELDS, ErrorField, ErrorFieldType, Language};

/// Returns the fields of instances. Kind and code belong to the class.
fn error_fields() -> impl Iterator<Item = &'static ErrorField> {
    let has = |field: &&ErrorField| match field.availability(Language::Python) {
        Availability::Generated => true,
        Availability::HandWritten(_) => field.field_type == ErrorFieldType::Record,
        Availability::Unsupported(_) => false,
    };
    ERROR_FIELDS.iter().filter(has)
}

/// Returns name, annotation and text of each field.
pub(super) fn declarations(ir: &Ir) -> Vec<Value> {
    let annotation = |field: &ErrorField| match field.field_type {
        ErrorFieldType::Status => "int | None".to_owned(),
        ErrorFieldType::Duration => "float | None".to_owned(),
        ErrorFieldType::Count => "int".to_owned(),
        ErrorFieldType::Flag => "bool".to_owned(),
        ErrorFieldType::Problem => "ProblemDetails | None".to_owned(),
        ErrorFieldType::Bytes => "bytes | None".to_owned(),
        ErrorFieldType::Record => format!("{} | None", ir.awaitable_records().join(" | ")),
        _ => "str | None".to_owned(),
    };
    let text = |field: &ErrorField| match field.field_type {
        ErrorFieldType::Duration => format!("{} In seconds.", field.text),
        _ => field.text.to_owned(),
    };
    error_fields().map(|field| json!({ "name": field.name, "annotation": annotation(field), "text": text(field) })).collect()
}

/// Returns name and kind of the fields that are read from the core's error.
pub(super) fn core_fields() -> Vec<Value> {
    let kind = |field: &ErrorField| match field.field_type {
        ErrorFieldType::Count | ErrorFieldType::Flag => "plain",
        ErrorFieldType::Duration => "duration",
        ErrorFieldType::Problem => "problem",
        ErrorFieldType::Bytes => "bytes",
        _ => "optional",
    };
    let read = error_fields().filter(|field| field.field_type != ErrorFieldType::Record);
    let zero = |field: &ErrorField| if field.field_type == ErrorFieldType::Flag { "false" } else { "0" };
    read.map(|field| json!({ "name": field.name, "kind": kind(field), "zero": zero(field) })).collect()
}
