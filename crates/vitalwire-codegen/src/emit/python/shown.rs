//! What is shown of a record: its shape for `repr`, its values for notebooks.

use crate::ir::{Member, Model, Type};
use crate::lang::rust::literal;

use super::models::rust_name;
use crate::lang::python::python_name;

/// The part of the trait `Record` about it.
pub(super) fn emit(model: &Model) -> String {
    let name = &model.name;
    let mut text = format!("\nfn shape(core: &models::{name}) -> String {{\nShape::new(\"{name}\")\n");
    text.extend(model.members.iter().map(shape));
    text.push_str(&format!(".finish(&core.extra)\n}}\n\nfn card(core: &models::{name}) -> String {{\nCard::new({})\n", literal(name)));
    text.extend(model.members.iter().map(card));
    text.push_str(".finish(&core.extra)\n}\n");
    text
}

/// Whether a member is there.
fn shape(member: &Member) -> String {
    let field = rust_name(member);
    let name = literal(&python_name(&member.name));
    match (&member.ty, member.required) {
        (Type::List(_), true) => format!(".items({name}, core.{field}.len())\n"),
        (Type::List(_), false) => format!(".list({name}, &core.{field})\n"),
        (Type::Numbers(_) | Type::Series(_), true) => format!(".map({name}, Some(core.{field}.len()))\n"),
        (Type::Numbers(_) | Type::Series(_), false) => format!(".map({name}, core.{field}.as_ref().map(|map| map.len()))\n"),
        (_, true) => format!(".member({name}, true)\n"),
        (_, false) => format!(".member({name}, core.{field}.is_some())\n"),
    }
}

/// A member's rows in the table for notebooks.
fn card(member: &Member) -> String {
    let field = rust_name(member);
    let name = literal(&python_name(&member.name));
    let unit = format!("{:?}", member.docs.unit);
    let borrowed = if member.required { format!("Some(&core.{field})") } else { format!("core.{field}.as_ref()") };
    let copied = if member.required { format!("Some(core.{field})") } else { format!("core.{field}") };
    match &member.ty {
        _ if member.credential => format!(".secret({name}, {borrowed}.is_some())\n"),
        Type::Text if member.required => format!(".text({name}, {unit}, Some(core.{field}.as_str()))\n"),
        Type::Text => format!(".text({name}, {unit}, core.{field}.as_deref())\n"),
        Type::Id => format!(".text({name}, {unit}, {borrowed}.map(|id| id.as_str()))\n"),
        Type::Open(_) => format!(".text({name}, {unit}, {borrowed}.map(|name| name.as_ref()))\n"),
        Type::Integer => format!(".text({name}, {unit}, html::count({copied}, {unit}).as_deref())\n"),
        Type::Number => format!(".text({name}, {unit}, html::double({copied}, {unit}).as_deref())\n"),
        Type::Model(class) if member.required => format!(".text({name}, None, Some({class}::shape(&core.{field}).as_str()))\n"),
        Type::Model(class) => format!(".text({name}, None, {borrowed}.map({class}::shape).as_deref())\n"),
        Type::Numbers(_) => format!(".numbers(Some({name}), {borrowed}.map(|map| map as &dyn Numbers))\n"),
        Type::Series(_) => format!(".series(Some({name}), {borrowed}.map(|map| map as &dyn Series))\n"),
        _ => format!(".row({name}, {unit}, &core.{field})\n"),
    }
}
