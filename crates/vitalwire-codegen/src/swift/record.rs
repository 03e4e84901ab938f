//! Swift records: name and type of each field, and its conversion from the native record.

use serde_json::{Value, json};

use super::spelling;
use crate::ir::{Member, Model, Type};
use crate::naming::camel;
use crate::uniffi::mobile::{docs, is_duration, is_own_id};

/// Returns the template values of a record.
pub(crate) fn record(model: &Model) -> Value {
    let members: Vec<Value> = model.members.iter().map(|member| property(model, member)).collect();
    let identifiable = members.iter().any(|member| member["name"] == "id");
    json!({ "name": model.name, "docs": model.docs, "members": members, "identifiable": identifiable })
}

/// Returns the template values of a property. An instant is stored as a `Timestamp` and also available as a `Date`.
fn property(model: &Model, member: &Member) -> Value {
    let instant = member.ty == Type::Timestamp;
    let duration = is_duration(member);
    let plain = if is_own_id(model, member) { "id".to_owned() } else { spelling::name(&member.name) };
    let base_name = plain.strip_suffix("Timestamp").unwrap_or(&plain);
    let (ty, conversion, default) = if duration {
        ("Duration".to_owned(), ".milliseconds(value)".to_owned(), ".zero")
    } else {
        (swift_type(&member.ty), convert(&member.ty, "value"), default_value(&member.ty))
    };
    json!({
        "wire": member.wire,
        // Name in the native record.
        "native": camel(&member.name),
        "name": if instant { format!("{base_name}Timestamp") } else { plain.clone() },
        // Name and type of the initializer's argument. For an instant, also the name of the `Date` property.
        "argument": base_name,
        "argument_type": if instant { "Date" } else { ty.as_str() },
        "instant": instant,
        // Whether the field is a duration, sent in milliseconds.
        "duration": duration,
        "ty": ty,
        // Default of a required field in the initializer.
        "default": default,
        // Expression that converts the native `value`.
        "conversion": conversion,
        "required": member.required,
        // Whether the field is a list whose invalid items are left out. A series is kept as a whole.
        "list": matches!(&member.ty, Type::List(item) if **item != Type::Number),
        "keeps_null": member.keeps_null(),
        "docs": docs(member),
    })
}

/// Returns the Swift type in records and calls.
pub(super) fn swift_type(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id => "String".into(),
        Type::Json => "JSONValue".into(),
        Type::Boolean => "Bool".into(),
        Type::Integer => "Int".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "Data".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) if **item == Type::Number => "Series".into(),
        Type::List(item) => format!("[{}]", swift_type(item)),
    }
}

/// Returns the expression that converts a native value.
fn convert(ty: &Type, value: &str) -> String {
    match ty {
        Type::Text | Type::Id | Type::Boolean | Type::Number | Type::Bytes => value.to_owned(),
        Type::Integer => format!("Int({value})"),
        Type::Json => format!("JSONValue(json: {value})"),
        Type::Open(name) => format!("{name}(rawValue: {value})"),
        Type::Timestamp | Type::Date | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{}({value})", swift_type(ty)),
        Type::List(item) if **item == Type::Number => format!("Series(bytes: {value})"),
        Type::List(item) => match convert(item, "$0").as_str() {
            "$0" => value.to_owned(),
            item => format!("{value}.map {{ {item} }}"),
        },
    }
}

/// Returns the initializer's default for a required field.
fn default_value(ty: &Type) -> &'static str {
    match ty {
        Type::Text | Type::Id | Type::Open(_) => "\"\"",
        Type::Boolean => "false",
        Type::Integer | Type::Number => "0",
        Type::Timestamp => "Date(timeIntervalSince1970: 0)",
        Type::Date => ".unixEpoch",
        Type::Json => ".null",
        Type::List(item) if **item != Type::Number => "[]",
        _ => ".init()",
    }
}
