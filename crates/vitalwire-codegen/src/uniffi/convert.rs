//! Converts values across the uniffi interface: types, and expressions between core values and mirror types.

use std::sync::LazyLock;

use minijinja::Environment;

use crate::filters::add_ir_filter;
use crate::ir::{Member, Type};
use crate::rust::spelling as rust;
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[crate::rust::filters::add_to, add_to]));

/// Adds the filters of this module.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    add_ir_filter(environment, "uniffi_field", |member: Member| {
        if member.required { mirror_type(&member.ty) } else { format!("Option<{}>", mirror_type(&member.ty)) }
    });
    add_ir_filter(environment, "from_core", |member: Member| read_field(&member));
    add_ir_filter(environment, "into_core", |member: Member| set_param(&member));
}

/// Returns the Rust type that crosses the interface.
fn mirror_type(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "Vec<u8>".into(),
        // Transfers one buffer instead of one object per number.
        Type::List(item) if **item == Type::Number => "Series".into(),
        Type::List(item) => format!("Vec<{}>", mirror_type(item)),
        _ => rust::ty(ty),
    }
}

/// Returns the expression that reads a field of a mirror type from `core`.
fn read_field(member: &Member) -> String {
    let field = format!("core.{}", rust::name(&member.name));
    match (&member.ty, member.required) {
        (ty, true) => from_core(ty, &field),
        (ty @ Type::List(_), false) => map_option(&format!("{field}.into_list()"), "list", &from_core(ty, "list")),
        (ty, false) => map_option(&field, "value", &from_core(ty, "value")),
    }
}

/// Returns the code that sets a core parameter from `self`: a constructor argument, or a statement for an optional one.
fn set_param(member: &Member) -> String {
    let field = rust::name(&member.name);
    if member.required {
        let value = into_core(&member.ty, &format!("self.{field}"), &member.wire);
        return value.strip_suffix(".collect()").map_or(value.clone(), |items| format!("{items}.collect::<Vec<_>>()"));
    }
    match into_core(&member.ty, "value", &member.wire).as_str() {
        "value" => format!("core.{field} = self.{field};"),
        value => format!("if let Some(value) = self.{field} {{ core.{field} = Some({value}); }}"),
    }
}

/// Returns an option mapped by an expression that uses `name`.
fn map_option(option: &str, name: &str, inner: &str) -> String {
    match inner.strip_suffix(&format!("({name})")) {
        _ if inner == name => option.to_owned(),
        Some(function) => format!("{option}.map({function})"),
        None => format!("{option}.map(|{name}| {inner})"),
    }
}

/// Returns the expression from an owned core value to the crossing type.
fn from_core(ty: &Type, value: &str) -> String {
    match ty {
        Type::Text | Type::Boolean | Type::Integer | Type::Number => value.to_owned(),
        Type::Id => format!("{value}.as_str().to_owned()"),
        Type::Json => format!("{value}.as_text().to_owned()"),
        Type::Bytes => format!("{value}.as_bytes().to_vec()"),
        Type::Timestamp | Type::Date | Type::Open(_) | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{value}.into()"),
        Type::List(item) if **item == Type::Number => format!("Series({value})"),
        Type::List(item) => map_list(value, &from_core(item, "item")),
    }
}

/// Returns the expression from an owned crossing value to the core type. It may use `?` with `ApiError`.
fn into_core(ty: &Type, value: &str, argument: &str) -> String {
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
                map_list(value, &inner)
            }
        }
        // The reader rejects parameters of these types.
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => format!("{value}.into()"),
    }
}

/// Returns a list mapped by an expression that uses `item`.
fn map_list(value: &str, inner: &str) -> String {
    match inner.strip_suffix("(item)") {
        _ if inner == "item" => value.to_owned(),
        Some(function) => format!("{value}.into_iter().map({function}).collect()"),
        None => format!("{value}.into_iter().map(|item| {inner}).collect()"),
    }
}
