//! A record as Kotlin shows it: which type each member has, what it is called, and how it is made of the native record's.

use serde::Serialize;

use super::spelling::name;
use crate::ir::{Docs, Member, Model, Type};
use crate::naming::camel;
use crate::uniffi::mobile::{is_duration, is_own_id, without_type};

/// A record.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'a> {
    name: &'a str,
    docs: &'a Docs,
    members: Vec<Property<'a>>,
    /// Whether it is what a wait gives.
    waited: bool,
}

/// A member.
#[derive(Debug, Serialize)]
struct Property<'a> {
    /// Name on the wire.
    wire: &'a str,
    /// Name in the native record.
    native: String,
    name: String,
    /// Its name as a part of another.
    plain: String,
    /// Whether it is a time in milliseconds.
    duration: bool,
    /// Type without a question mark.
    ty: String,
    /// What a required member is where nothing is given.
    default: String,
    /// The property's value, made of `it`, the native one.
    made: String,
    /// What is written of it as JSON.
    written: String,
    /// What is made of `it`, a JSON value; null where that is of another type.
    read: String,
    list: bool,
    required: bool,
    keeps_null: bool,
    docs: Docs,
    /// Type in the IR, for the conformance runner.
    of: &'a Type,
}

impl<'a> Record<'a> {
    pub(crate) fn new(model: &'a Model, waited: bool) -> Self {
        let members = model.members.iter().map(|member| Property::new(model, member)).collect();
        Self { name: &model.name, docs: &model.docs, members, waited }
    }
}

impl<'a> Property<'a> {
    fn new(model: &Model, given: &'a Member) -> Self {
        let duration = is_duration(given);
        let spelt = spelt(model, given);
        let (ty, made, default) = if duration {
            ("Duration".to_owned(), "it.milliseconds".to_owned(), "Duration.ZERO".to_owned())
        } else {
            (public(&given.ty), made(&given.ty), default(&given.ty))
        };
        let mut docs = given.docs.clone();
        if duration {
            docs.unit = None;
            docs.text = docs.text.replace(", in milliseconds", "");
        }
        Self {
            wire: &given.wire,
            native: name(&given.name),
            name: name(spelt),
            plain: camel(spelt),
            duration,
            ty,
            default,
            made,
            list: matches!(&given.ty, Type::List(item) if **item != Type::Number),
            written: written(given, &name(spelt), duration),
            read: if duration { "it.long?.milliseconds".to_owned() } else { read(&given.ty) },
            required: given.required,
            keeps_null: given.keeps_null(),
            docs,
            of: &given.ty,
        }
    }
}

/// What a member is called, snake case.
fn spelt<'a>(model: &Model, member: &'a Member) -> &'a str {
    if is_own_id(model, member) { "id" } else { without_type(member) }
}

/// A member's property.
pub(super) fn property(model: &Model, member: &Member) -> String {
    name(spelt(model, member))
}

/// A type as records and calls show it. Of JSON that may be anything it is the text.
pub(crate) fn public(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "Boolean".into(),
        Type::Integer => "Long".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Instant".into(),
        Type::Date => "LocalDate".into(),
        Type::Bytes => "ByteArray".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) if **item == Type::Number => "Series".into(),
        Type::List(item) => format!("List<{}>", public(item)),
    }
}

/// A value made of the native one, which is `it`.
fn made(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json | Type::Boolean | Type::Integer | Type::Number | Type::Bytes => "it".to_owned(),
        Type::Open(name) => format!("{name}(it)"),
        Type::Timestamp | Type::Date | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "it.shown()".to_owned(),
        Type::List(item) if **item == Type::Number => "Series(it)".to_owned(),
        Type::List(item) => match made(item).as_str() {
            "it" => "it".to_owned(),
            item => format!("it.map {{ {item} }}"),
        },
    }
}

/// What is written of a member as JSON.
fn written(member: &Member, value: &str, duration: bool) -> String {
    let through = if member.required { "" } else { "?" };
    match &member.ty {
        _ if duration => format!("{value}{through}.inWholeMilliseconds"),
        Type::Json if member.required => format!("JsonText({value})"),
        Type::Json => format!("{value}?.let(::JsonText)"),
        _ => value.to_owned(),
    }
}

/// A value made of a JSON value, which is `it`.
fn read(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id => "it.string".into(),
        Type::Json => "it.raw".into(),
        Type::Boolean => "it.boolean".into(),
        Type::Integer => "it.long".into(),
        Type::Number => "it.double".into(),
        Type::Timestamp => "it.instant".into(),
        Type::Date => "it.date".into(),
        Type::Bytes => "it.bytes".into(),
        Type::Open(name) => format!("it.string?.let(::{name})"),
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => format!("{name}.read(it)"),
        Type::List(item) if **item == Type::Number => "it.series".into(),
        Type::List(item) => format!("it.list {{ {} }}", read(item)),
    }
}

/// What a required member is in a record that is made by hand without it.
fn default(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id => "\"\"".into(),
        Type::Json => "\"null\"".into(),
        Type::Boolean => "false".into(),
        Type::Integer => "0L".into(),
        Type::Number => "0.0".into(),
        Type::Timestamp => "Instant.EPOCH".into(),
        Type::Date => "LocalDate.ofEpochDay(0)".into(),
        Type::Bytes => "ByteArray(0)".into(),
        Type::Open(name) => format!("{name}(\"\")"),
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => format!("{name} {{}}"),
        Type::List(item) if **item == Type::Number => "Series.EMPTY".into(),
        Type::List(_) => "emptyList()".into(),
    }
}
