//! Parameters of calls: constructors with the required ones, setters for the others, and lists that are filled item by item.

use anyhow::bail;
use serde::Serialize;

use super::forms::plain;
use super::spelling;
use crate::ir::{Docs, Member, Operation, Param, Type};
use crate::naming::snake;
use crate::rust::spelling as rust;

/// Parameters of a call, as the templates need them.
#[derive(Serialize)]
pub(crate) struct Parameters<'a> {
    /// Type in the core.
    params: String,
    call: String,
    /// Arguments of the C constructor.
    taken: Vec<ConstructorArgument<'a>>,
    /// Arguments of the core's constructor, as Rust expressions.
    read: Vec<String>,
    /// Required lists, which start empty.
    lists: Vec<&'a str>,
    changes: Vec<ParamSetter<'a>>,
}

/// An argument of the constructor.
#[derive(Serialize)]
struct ConstructorArgument<'a> {
    name: String,
    wire: &'a str,
    docs: &'a Docs,
    bytes: bool,
    declared: String,
}

/// A function that sets a value or adds an item.
#[derive(Serialize)]
struct ParamSetter<'a> {
    name: String,
    field: String,
    wire: &'a str,
    docs: &'a Docs,
    bytes: bool,
    verb: &'static str,
    declared: String,
    body: String,
    /// Whether a function sends an empty list.
    clears: bool,
}

/// Declaration of an argument, and the expression that reads it.
struct Argument {
    /// Declaration in the function's signature.
    declared: String,
    /// Expression for the core's constructor.
    read: String,
    /// Conversion to the type of the field.
    owned: &'static str,
}

impl<'a> Parameters<'a> {
    /// Collects the parameters of an operation.
    ///
    /// # Errors
    /// If a parameter has no C representation.
    pub(crate) fn of(operation: &'a Operation) -> anyhow::Result<Self> {
        let mut taken = Vec::new();
        let mut read = Vec::new();
        for param in operation.params.iter().filter(|param| param.member.required) {
            if !at_start(param) {
                read.push(format!("Vec::<{}>::new()", empty(&param.member.ty)));
                continue;
            }
            let name = spelling::argument(&param.member.name);
            let argument = argument(operation, param, &param.member.ty, &name)?;
            read.push(argument.read);
            let (wire, docs, bytes) = (&*param.member.wire, &param.member.docs, param.member.ty == Type::Bytes);
            taken.push(ConstructorArgument { name, wire, docs, bytes, declared: argument.declared });
        }
        let lists = operation.params.iter().filter(|param| param.member.required && !at_start(param));
        Ok(Self {
            params: operation.type_name(),
            call: spelling::call(operation),
            taken,
            read,
            lists: lists.map(|param| param.member.name.as_str()).collect(),
            changes: operation
                .params
                .iter()
                .filter(|it| !at_start(it))
                .map(|it| ParamSetter::of(operation, it))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl<'a> ParamSetter<'a> {
    fn of(operation: &Operation, param: &'a Param) -> anyhow::Result<Self> {
        let member = &param.member;
        let field = rust::name(&member.name);
        let (verb, argument, body) = if let Type::List(item) = &member.ty {
            let argument = argument(operation, param, item, "item")?;
            let list = if member.required { "" } else { ".get_or_insert_default()" };
            let body = format!("params.{field}{list}.push({}{})", argument.read, argument.owned);
            ("add", argument, body)
        } else {
            let argument = argument(operation, param, &member.ty, "value")?;
            let body = format!("params.{field} = Some({}{})", argument.read, argument.owned);
            ("set", argument, body)
        };
        let (name, bytes, clears) = (snake(&member.name), member.ty == Type::Bytes, member.keeps_null());
        Ok(Self { name, field, wire: &member.wire, docs: &member.docs, bytes, verb, declared: argument.declared, body, clears })
    }
}

/// Returns the required parameters of an operation if all of them are texts, and none otherwise.
pub(super) fn texts(operation: &Operation) -> Vec<Text<'_>> {
    let is_text = |member: &Member| matches!(member.ty, Type::Text | Type::Id | Type::Open(_));
    let required = || operation.params.iter().map(|param| &param.member).filter(|member| member.required);
    if !required().all(is_text) {
        return Vec::new();
    }
    required().map(|member| Text { name: spelling::argument(&member.name), wire: &member.wire }).collect()
}

/// A required parameter that is a text.
#[derive(Serialize)]
pub(super) struct Text<'a> {
    name: String,
    wire: &'a str,
}

/// Returns a valid value of a required parameter for tests in C. Texts are distinct.
///
/// # Errors
/// If the parameter has no C representation.
pub(super) fn sample(param: &Param, place: usize) -> anyhow::Result<String> {
    let one = match &param.member.ty {
        Type::List(item) => item,
        ty => ty,
    };
    Ok(match one {
        Type::Text | Type::Id | Type::Open(_) => format!("str(\"text-{place}\")"),
        Type::Timestamp => "(vitalwire_timestamp){1763640000, 0}".to_owned(),
        Type::Date => "(vitalwire_date){2025, 11, 20}".to_owned(),
        Type::Bytes => "(const uint8_t *)\"%PDF-1.7\", 8".to_owned(),
        ty if plain(ty).is_some() => "1".to_owned(),
        ty => bail!("parameter `{}` has no C representation: {ty:?}", param.member.wire),
    })
}

/// Returns whether constructors take the parameter. Lists start empty in C.
pub(crate) fn at_start(param: &Param) -> bool {
    param.member.required && !matches!(param.member.ty, Type::List(_))
}

/// Returns the item type of an empty list for the core's constructor.
fn empty(list: &Type) -> &'static str {
    match list {
        Type::List(item) => plain(item).unwrap_or("&str"),
        _ => "&str",
    }
}

/// Returns the argument for a value of a type, with the name `called`.
fn argument(operation: &Operation, param: &Param, ty: &Type, called: &str) -> anyhow::Result<Argument> {
    // Errors use the name of the specification, as in every language.
    let wire = format!("{:?}", param.member.wire);
    let text = |owned| Argument { declared: format!("{called}: vitalwire_str"), read: format!("arguments.text({wire}, &{called})"), owned };
    let made = |declared: String, read: String| Ok(Argument { declared, read, owned: "" });
    match ty {
        Type::Text => Ok(text(".to_owned()")),
        Type::Id | Type::Open(_) => Ok(text(".into()")),
        Type::Timestamp => made(format!("{called}: vitalwire_timestamp"), format!("arguments.timestamp({wire}, {called})")),
        Type::Date => made(format!("{called}: vitalwire_date"), format!("arguments.date({wire}, {called})")),
        Type::Bytes => {
            made(format!("{called}: *const u8, {called}_length: usize"), format!("arguments.bytes({wire}, {called}, {called}_length)"))
        }
        ty => match plain(ty) {
            Some(plain) => made(format!("{called}: {plain}"), called.to_owned()),
            None => bail!("parameter `{}` of `{}` has no C representation: {ty:?}", param.member.wire, operation.id),
        },
    }
}
