//! Swift records: name and type of each field, and its conversion from the native record.

use serde::Serialize;

use super::spelling;
use crate::ir::{Docs, Member, Model, Type};
use crate::naming::camel;
use crate::uniffi::mobile::{is_duration, is_own_id};

/// A Swift record, generated for a model.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'a> {
    name: &'a str,
    docs: &'a Docs,
    members: Vec<Property<'a>>,
    /// Whether the record has an `id`.
    identifiable: bool,
}

#[derive(Debug, Serialize)]
struct Property<'a> {
    /// Name on the wire.
    wire: &'a str,
    /// Name in the native record.
    native: String,
    /// Name of the stored property.
    name: String,
    /// Name of the initializer's argument. For an instant, also the name of the `Date` property.
    argument: String,
    /// Whether the property is an instant, which is stored as a `Timestamp` and also available as a `Date`.
    instant: bool,
    /// Whether the property is a duration, in milliseconds on the wire.
    duration: bool,
    /// Type of the stored property if required.
    ty: String,
    /// Type of the initializer's argument if required.
    argument_type: String,
    /// Default of a required field in the initializer.
    default: String,
    /// Expression that converts the native `value` to the stored property.
    conversion: String,
    required: bool,
    keeps_null: bool,
    docs: Docs,
}

impl<'a> Record<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let members: Vec<Property<'a>> = model.members.iter().map(|member| Property::new(model, member)).collect();
        let identifiable = members.iter().any(|member| member.name == "id");
        Self { name: &model.name, docs: &model.docs, members, identifiable }
    }
}

impl<'a> Property<'a> {
    fn new(model: &Model, member: &'a Member) -> Self {
        let instant = member.ty == Type::Timestamp;
        let duration = is_duration(member);
        let plain = if is_own_id(model, member) { "id".to_owned() } else { spelling::name(&member.name) };
        let base_name = plain.strip_suffix("Timestamp").unwrap_or(&plain).to_owned();
        let (ty, conversion, default) = if duration {
            ("Duration".to_owned(), ".milliseconds(value)".to_owned(), ".zero")
        } else {
            (swift_type(&member.ty), convert(&member.ty, "value"), default_value(&member.ty))
        };
        let mut docs = member.docs.clone();
        if duration {
            docs.unit = None;
            docs.text = docs.text.replace(", in milliseconds", "");
        }
        Self {
            wire: &member.wire,
            native: camel(&member.name),
            name: if instant { format!("{base_name}Timestamp") } else { plain },
            argument_type: if instant { "Date".to_owned() } else { ty.clone() },
            argument: base_name,
            instant,
            duration,
            ty,
            default: default.to_owned(),
            conversion,
            required: member.required,
            keeps_null: member.keeps_null(),
            docs,
        }
    }
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
