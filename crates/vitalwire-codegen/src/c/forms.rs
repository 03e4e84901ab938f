//! Representation in C of a field: a copy, a view, a pointer into its parent, or a JSON text.

use anyhow::bail;
use serde::Serialize;

use super::spelling;
use crate::ir::{Member, Type};
use crate::rust::spelling as rust;

/// Representation of a field, with the Rust expression that reads it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Form {
    /// A value that is copied out.
    Plain { ty: &'static str, value: String },
    /// A view of a text.
    Text { value: String },
    /// A pointer into the parent.
    Child { ty: String, value: String },
    /// An owned JSON text.
    Json { value: String },
    /// A pointer to numbers, and their count.
    Numbers { field: String, value: String },
    /// Items that are read by index.
    List { field: String, item: Box<Form> },
}

pub(super) fn field_form(member: &Member) -> anyhow::Result<Form> {
    let field = format!("of.{}", rust::name(&member.name));
    let required = member.required;
    let reference = if required { format!("Some(&{field})") } else { format!("{field}.as_ref()") };
    Ok(match &member.ty {
        Type::List(item) if **item == Type::Number => {
            let value = if required { format!("Some({field}.as_slice())") } else { format!("view::list_numbers(&{field})") };
            Form::Numbers { field, value }
        }
        Type::List(item) => Form::List { item: Box::new(self::item(item, member, format!("{field}.as_slice().get(index)"))?), field },
        ty if let Some(plain) = plain(ty) => Form::Plain { ty: plain, value: copy_expression(ty, &field, required) },
        Type::Text | Type::Id | Type::Open(_) if required => Form::Text { value: format!("Some({field}.as_str())") },
        Type::Text => Form::Text { value: format!("{field}.as_deref()") },
        Type::Id | Type::Open(_) => Form::Text { value: format!("{field}.as_ref().map(|text| text.as_str())") },
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => Form::Child { ty: spelling::object(name), value: reference },
        Type::Json => Form::Json { value: reference },
        ty => bail!("`{}` has no C representation: {ty:?}", member.wire),
    })
}

/// Returns the representation of a list item, which the expression `at` reads.
fn item(ty: &Type, list: &Member, at: String) -> anyhow::Result<Form> {
    Ok(match ty {
        Type::Text | Type::Id | Type::Open(_) => Form::Text { value: format!("{at}.map(|item| item.as_str())") },
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => Form::Child { ty: spelling::object(name), value: at },
        Type::Json | Type::List(_) => Form::Json { value: at },
        ty => match plain(ty) {
            Some(plain) if has_wrapper_type(ty) => Form::Plain { ty: plain, value: format!("{at}.map(|item| (*item).into())") },
            Some(plain) => Form::Plain { ty: plain, value: format!("{at}.copied()") },
            None => bail!("the items of `{}` have no C representation: {ty:?}", list.wire),
        },
    })
}

/// Returns the wrapper's type of a value that is copied out.
pub(super) fn plain(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Boolean => "bool",
        Type::Integer => "i64",
        Type::Number => "f64",
        Type::Timestamp => "vitalwire_timestamp",
        Type::Date => "vitalwire_date",
        _ => return None,
    })
}

/// Returns whether the wrapper has its own type for the value.
fn has_wrapper_type(ty: &Type) -> bool {
    matches!(ty, Type::Timestamp | Type::Date)
}

fn copy_expression(ty: &Type, field: &str, required: bool) -> String {
    match (has_wrapper_type(ty), required) {
        (true, true) => format!("Some({field}.into())"),
        (true, false) => format!("{field}.map(Into::into)"),
        (false, true) => format!("Some({field})"),
        (false, false) => field.to_owned(),
    }
}
