//! Parameters of each call: made with what is required, the rest by setters, lists item by item.

use anyhow::bail;

use super::models::said;
use crate::ir::{Ir, Operation, Param, Type};
use crate::lang::c as names;
use crate::lang::{rust, snake};

/// How an argument is declared and read.
struct Argument {
    /// In the function's signature.
    declared: String,
    /// As the core's constructor takes it.
    read: String,
    /// What makes it the field's type.
    owned: &'static str,
}

pub(super) fn emit(ir: &Ir, group: &str) -> anyhow::Result<String> {
    let mut text = format!(
        "//! Parameters of `{group}`.\n\n#![allow(unsafe_code, reason = \"no_mangle only: names with C linkage\")]\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n"
    );
    text.push_str("use vitalwire::operations;\n\nuse crate::generated::types::*;\nuse crate::given::set;\nuse crate::params;\nuse crate::value::*;\nuse crate::view;\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        make(&mut text, operation)?;
        for param in &operation.params {
            change(&mut text, operation, param)?;
        }
        let name = names::params(operation);
        text.push_str(&format!("/// Frees parameters; NULL is allowed.\n#[unsafe(no_mangle)]\npub extern \"C\" fn {name}_free(params: Option<Box<{name}>>) {{\nview::free(params);\n}}\n\n"));
    }
    Ok(text)
}

/// Whether the core's constructor takes it, and so C's: a list starts empty in C.
pub(in crate::emit) fn at_start(param: &Param) -> bool {
    param.member.required && !matches!(param.member.ty, Type::List(_))
}

/// What an empty list is a list of, so that the core's constructor takes it.
fn item(list: &Type) -> &'static str {
    match list {
        Type::List(item) => super::models::plain(item).unwrap_or("&str"),
        _ => "&str",
    }
}

fn make(text: &mut String, operation: &Operation) -> anyhow::Result<()> {
    let name = names::params(operation);
    let mut declared = Vec::new();
    let mut read = Vec::new();
    for param in operation.params.iter().filter(|param| param.member.required) {
        if at_start(param) {
            let argument = argument(operation, param, &param.member.ty, &names::argument(&param.member.name))?;
            declared.push(argument.declared);
            read.push(argument.read);
        } else {
            read.push(format!("Vec::<{}>::new()", item(&param.member.ty)));
        }
    }
    let lists: Vec<&str> =
        operation.params.iter().filter(|param| param.member.required && !at_start(param)).map(|param| param.member.name.as_str()).collect();
    let more = if lists.is_empty() { String::new() } else { format!(" Add at least one to each list: {}.", lists.join(", ")) };
    text.push_str(&format!("/// Makes parameters of `{}` from the required ones.{more}\n", super::calls::name(operation)));
    if !declared.is_empty() {
        text.push_str("///\n");
    }
    for param in operation.params.iter().filter(|param| at_start(param)) {
        let docs = names::doc(&param.member.docs, &param.member.wire);
        text.push_str(&docs.replacen("/// ", &format!("/// `{}`: ", names::argument(&param.member.name)), 1));
        if param.member.ty == Type::Bytes {
            text.push_str("/// Given as raw bytes, not encoded; they are copied.\n");
        }
    }
    let given = if declared.is_empty() { "_" } else { "given" };
    text.push_str(&format!(
        "#[unsafe(no_mangle)]\npub extern \"C\" fn {name}_new({}) -> Option<Box<{name}>> {{\nparams::new(|{given}| operations::{}::new({}))\n}}\n\n",
        declared.join(", "),
        operation.type_name(),
        read.join(", ")
    ));
    Ok(())
}

fn change(text: &mut String, operation: &Operation, param: &Param) -> anyhow::Result<()> {
    if at_start(param) {
        return Ok(());
    }
    let object = names::params(operation);
    let field = rust::name(&param.member.name);
    let mut docs = names::doc(&param.member.docs, &param.member.wire);
    if param.member.ty == Type::Bytes {
        docs.push_str("///\n/// Given as raw bytes, not encoded; they are copied.\n");
    }
    let (verb, body, argument) = match &param.member.ty {
        Type::List(item) => {
            let argument = argument(operation, param, item, "item")?;
            let list = if param.member.required { String::new() } else { ".get_or_insert_default()".to_owned() };
            ("add", format!("params.{field}{list}.push({}{})", argument.read, argument.owned), argument)
        }
        ty => {
            let argument = argument(operation, param, ty, "value")?;
            ("set", format!("params.{field} = Some({}{})", argument.read, argument.owned), argument)
        }
    };
    let given = if body.contains("given.") { "given" } else { "_" };
    text.push_str(&format!(
        "{docs}#[unsafe(no_mangle)]\npub extern \"C\" fn {object}_{verb}_{}(params: Option<&mut {object}>, {}) {{\nset(params, |params, {given}| {body});\n}}\n\n",
        snake(&param.member.name),
        argument.declared
    ));
    if matches!(param.member.ty, Type::List(_)) && !param.member.required {
        let docs = said(&format!("Gives `{}` without items. A list that was given empty is not one that was left out.", param.member.wire));
        text.push_str(&format!(
            "{docs}#[unsafe(no_mangle)]\npub extern \"C\" fn {object}_clear_{}(params: Option<&mut {object}>) {{\nset(params, |params, _| params.{field}.get_or_insert_default().clear());\n}}\n\n",
            snake(&param.member.name)
        ));
    }
    Ok(())
}

/// The argument for a value of a type; `called` is its name.
fn argument(operation: &Operation, param: &Param, ty: &Type, called: &str) -> anyhow::Result<Argument> {
    // What an error calls it: the name in the specification, as in every language.
    let wire = format!("{:?}", param.member.wire);
    let text = |owned| Argument { declared: format!("{called}: vitalwire_str"), read: format!("given.text({wire}, &{called})"), owned };
    let made = |declared: String, read: String| Ok(Argument { declared, read, owned: "" });
    match ty {
        Type::Text => Ok(text(".to_owned()")),
        Type::Id | Type::Open(_) => Ok(text(".into()")),
        Type::Boolean => made(format!("{called}: bool"), called.to_owned()),
        Type::Integer => made(format!("{called}: i64"), called.to_owned()),
        Type::Number => made(format!("{called}: f64"), called.to_owned()),
        Type::Timestamp => made(format!("{called}: vitalwire_timestamp"), format!("given.timestamp({wire}, {called})")),
        Type::Date => made(format!("{called}: vitalwire_date"), format!("given.date({wire}, {called})")),
        Type::Bytes => {
            made(format!("{called}: *const u8, {called}_length: usize"), format!("given.bytes({wire}, {called}, {called}_length)"))
        }
        ty => bail!("parameter `{}` of `{}` has no form in C: {ty:?}", param.member.wire, operation.id),
    }
}
