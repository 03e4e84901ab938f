//! Describes types as in a changelog.

use crate::ir::{ResponseType, Type};

/// Describes the type of a value.
pub(super) fn value(ty: &Type) -> String {
    let plain = match ty {
        Type::Text => "a text",
        Type::Boolean => "a boolean",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::Timestamp => "an instant",
        Type::Date => "a date",
        Type::Id => "an id",
        Type::Bytes => "bytes",
        Type::Json => "any JSON value",
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => return format!("`{name}`"),
        Type::List(item) => return format!("a list, each item {}", value(item)),
    };
    plain.to_owned()
}

/// Describes the response of an operation.
pub(super) fn response(response: &ResponseType) -> String {
    match response {
        ResponseType::Nothing => "nothing".to_owned(),
        ResponseType::Model(name) => format!("`{name}`"),
        ResponseType::List(name) => format!("a list, each item `{name}`"),
    }
}
