//! Records in Kotlin: names and types of their fields, and the conversions from native records and JSON.

use serde_json::{Value, json};

use super::spelling::name;
use crate::ir::{Member, Model, Type};
use crate::naming::camel;
use crate::uniffi::mobile::{docs, is_duration, is_own_id, without_type};
use crate::uniffi::tables::TableMethod;

/// Returns the template values of a record. `tables` are those of all records.
pub(crate) fn record(model: &Model, awaitable: bool, tables: &[TableMethod<'_>]) -> Value {
    let members: Vec<Value> = model.members.iter().map(|member| field(model, member)).collect();
    let tables: Vec<_> = tables.iter().filter(|method| method.is_of_record(model)).collect();
    json!({ "name": model.name, "docs": model.docs, "members": members, "awaitable": awaitable, "tables": tables })
}

fn field(model: &Model, member: &Member) -> Value {
    let duration = is_duration(member);
    let snake_name = snake_name(model, member);
    let (ty, conversion, default) = if duration {
        ("Duration".to_owned(), "it.milliseconds".to_owned(), "Duration.ZERO".to_owned())
    } else {
        (public_type(&member.ty), from_native(&member.ty), default_value(&member.ty))
    };
    json!({
        "wire": member.wire,
        // Name in the native record.
        "native": name(&member.name),
        "name": name(snake_name),
        // Name as a part of other names, without back-ticks.
        "plain": camel(snake_name),
        // Whether the field is a duration, sent in milliseconds.
        "duration": duration,
        // Type without the `?` of optional fields.
        "ty": ty,
        // Default of a required field in a builder.
        "default": default,
        // Expression that converts `it`, the native value.
        "conversion": conversion,
        "json_value": json_value(member, &name(snake_name), duration),
        // Expression that converts `it`, a JSON value. Null if the value has another type.
        "from_json": if duration { "it.long?.milliseconds".to_owned() } else { from_json(&member.ty) },
        "list": matches!(&member.ty, Type::List(item) if **item != Type::Number),
        "required": member.required,
        "keeps_null": member.keeps_null(),
        "docs": docs(member),
        // For the conformance runner.
        "ir_type": member.ty,
    })
}

/// Returns the name of a field in snake case.
fn snake_name<'a>(model: &Model, member: &'a Member) -> &'a str {
    if is_own_id(model, member) { "id" } else { without_type(member) }
}

/// Returns the name of a field's property.
pub(super) fn property(model: &Model, member: &Member) -> String {
    name(snake_name(model, member))
}

/// Returns the public type for a type of the IR. Untyped JSON becomes its text.
pub(crate) fn public_type(ty: &Type) -> String {
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
        Type::List(item) => format!("List<{}>", public_type(item)),
    }
}

/// Returns the expression that converts `it`, a native value.
fn from_native(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json | Type::Boolean | Type::Integer | Type::Number | Type::Bytes => "it".to_owned(),
        Type::Open(name) => format!("{name}(it)"),
        Type::Timestamp | Type::Date | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "it.toKotlin()".to_owned(),
        Type::List(item) if **item == Type::Number => "Series(it)".to_owned(),
        Type::List(item) => match from_native(item).as_str() {
            "it" => "it".to_owned(),
            item => format!("it.map {{ {item} }}"),
        },
    }
}

/// Returns the expression for a field's value to write as JSON.
fn json_value(member: &Member, value: &str, duration: bool) -> String {
    let through = if member.required { "" } else { "?" };
    match &member.ty {
        _ if duration => format!("{value}{through}.inWholeMilliseconds"),
        Type::Json if member.required => format!("JsonText({value})"),
        Type::Json => format!("{value}?.let(::JsonText)"),
        _ => value.to_owned(),
    }
}

/// Returns the expression that converts `it`, a JSON value.
fn from_json(ty: &Type) -> String {
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
        Type::List(item) => format!("it.list {{ {} }}", from_json(item)),
    }
}

/// Returns the default of a required field in a builder.
fn default_value(ty: &Type) -> String {
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
