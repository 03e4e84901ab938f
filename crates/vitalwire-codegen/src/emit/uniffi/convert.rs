//! Expressions that turn core values into mirrors and back.

use crate::ir::Type;

/// From a core value, owned, to the crossing type.
pub(super) fn from_core(ty: &Type, value: &str) -> String {
    match ty {
        Type::Text | Type::Boolean | Type::Integer | Type::Number => value.to_owned(),
        Type::Id => format!("{value}.as_str().to_owned()"),
        Type::Json => format!("{value}.as_text().to_owned()"),
        Type::Bytes => format!("{value}.as_bytes().to_vec()"),
        Type::Timestamp | Type::Date | Type::Open(_) | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{value}.into()"),
        Type::List(item) if **item == Type::Number => format!("Series::from({value}.as_slice())"),
        Type::List(item) => collect(value, &from_core(item, "item")),
    }
}

/// From a crossing value, owned, to the core type; may use `?` with our error.
pub(super) fn into_core(ty: &Type, value: &str, argument: &str) -> String {
    match ty {
        Type::Text | Type::Boolean | Type::Integer | Type::Number => value.to_owned(),
        Type::Id => format!("vitalwire::value::Id::from({value})"),
        Type::Bytes => format!("vitalwire::value::Base64::from({value})"),
        Type::Open(name) => format!("vitalwire::open_sets::{name}::from({value})"),
        Type::Timestamp | Type::Date => format!("{value}.into_core({argument:?})?"),
        Type::List(item) => {
            let inner = into_core(item, "item", argument);
            if inner.ends_with('?') {
                format!("{value}.into_iter().map(|item| Ok({inner})).collect::<Result<_, ApiError>>()?")
            } else {
                collect(value, &inner)
            }
        }
        // The lint refuses parameters of these types.
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{value}.into()"),
    }
}

/// Each item of a list through an expression over `item`.
fn collect(value: &str, inner: &str) -> String {
    match inner.strip_suffix("(item)") {
        _ if inner == "item" => value.to_owned(),
        Some(function) => format!("{value}.into_iter().map({function}).collect()"),
        None => format!("{value}.into_iter().map(|item| {inner}).collect()"),
    }
}
