//! A record as Swift shows it: which type each member has, what it is called, and how it is made of the native record's.

use serde::Serialize;

use super::spelling;
use crate::ir::{Docs, Member, Model, Type};
use crate::naming::camel;
use crate::uniffi::mobile::{is_duration, is_own_id};

/// A record.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'a> {
    name: &'a str,
    docs: &'a Docs,
    members: Vec<Property<'a>>,
    /// Whether it has an `id`.
    identifiable: bool,
    /// Whether its values are credentials: they are never encoded by accident.
    credential: bool,
}

/// A member.
#[derive(Debug, Serialize)]
struct Property<'a> {
    /// Name on the wire.
    wire: &'a str,
    /// Name in the native record.
    native: String,
    /// Name of the stored property.
    name: String,
    /// Name of an argument of the initializer; of an instant, the property that is a `Date`.
    argument: String,
    /// Whether it is an instant, which is stored exactly and read as a `Date`.
    instant: bool,
    /// Whether it is a time in milliseconds.
    duration: bool,
    /// Type of the stored property, without a question mark.
    ty: String,
    /// Type of the argument, without a question mark.
    given: String,
    /// What a required member is where nothing is given.
    default: String,
    /// The stored property's value, made of `value`, the native one.
    made: String,
    required: bool,
    keeps_null: bool,
    docs: Docs,
}

impl<'a> Record<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        let members: Vec<Property<'a>> = model.members.iter().map(|member| Property::new(model, member)).collect();
        let identifiable = members.iter().any(|member| member.name == "id");
        let credential = model.members.iter().any(|member| member.credential);
        Self { name: &model.name, docs: &model.docs, members, identifiable, credential }
    }
}

impl<'a> Property<'a> {
    fn new(model: &Model, member: &'a Member) -> Self {
        let instant = member.ty == Type::Timestamp;
        let duration = is_duration(member);
        let plain = if is_own_id(model, member) { "id".to_owned() } else { spelling::name(&member.name) };
        let moment = plain.strip_suffix("Timestamp").unwrap_or(&plain).to_owned();
        let (ty, made, default) = if duration {
            ("Duration".to_owned(), ".milliseconds(value)".to_owned(), ".zero")
        } else {
            (public(&member.ty), made(&member.ty, "value"), default(&member.ty))
        };
        let mut docs = member.docs.clone();
        if duration {
            docs.unit = None;
            docs.text = docs.text.replace(", in milliseconds", "");
        }
        Self {
            wire: &member.wire,
            native: camel(&member.name),
            name: if instant { format!("{moment}Timestamp") } else { plain },
            given: if instant { "Date".to_owned() } else { ty.clone() },
            argument: moment,
            instant,
            duration,
            ty,
            default: default.to_owned(),
            made,
            required: member.required,
            keeps_null: member.keeps_null(),
            docs,
        }
    }
}

/// A type as records and calls show it.
pub(super) fn public(ty: &Type) -> String {
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
        Type::List(item) => format!("[{}]", public(item)),
    }
}

/// A value made of the native one.
fn made(ty: &Type, value: &str) -> String {
    match ty {
        Type::Text | Type::Id | Type::Boolean | Type::Number | Type::Bytes => value.to_owned(),
        Type::Integer => format!("Int({value})"),
        Type::Json => format!("JSONValue(json: {value})"),
        Type::Open(name) => format!("{name}(rawValue: {value})"),
        Type::Timestamp | Type::Date | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{}({value})", public(ty)),
        Type::List(item) if **item == Type::Number => format!("Series(bytes: {value})"),
        Type::List(item) => match made(item, "$0").as_str() {
            "$0" => value.to_owned(),
            item => format!("{value}.map {{ {item} }}"),
        },
    }
}

/// What a required member is in a record that is made by hand without it.
fn default(ty: &Type) -> &'static str {
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
