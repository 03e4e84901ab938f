//! Parameters of calls: constructors with the required ones, setters for the others, and lists that are filled item by item.

use anyhow::bail;
use serde_json::{Value, json};

use super::forms::plain;
use super::spelling;
use crate::ir::{Member, Operation, Param, ParamLocation, Type};
use crate::naming::snake;
use crate::rust::spelling as rust;

/// Declaration of an argument, and the expression that reads it.
struct Argument {
    /// Declaration in the function's signature.
    declaration: String,
    /// Expression for the core's constructor.
    expression: String,
    /// Conversion to the type of the field.
    conversion: &'static str,
}

/// Returns the template values of an operation's parameters.
///
/// # Errors
/// If a parameter has no C representation.
pub(crate) fn values(operation: &Operation) -> anyhow::Result<Value> {
    let mut arguments = Vec::new();
    // Rust expressions.
    let mut core_arguments = Vec::new();
    for param in operation.params.iter().filter(|param| param.member.required) {
        let member = &param.member;
        if !is_constructor_argument(param) {
            core_arguments.push(format!("Vec::<{}>::new()", item_type(&member.ty)));
            continue;
        }
        let name = spelling::argument(&member.name);
        let Argument { declaration, expression, .. } = argument(operation, param, &member.ty, &name)?;
        core_arguments.push(expression);
        let bytes = member.ty == Type::Bytes;
        arguments.push(json!({ "name": name, "wire": member.wire, "docs": member.docs, "bytes": bytes, "declaration": declaration }));
    }
    let lists = operation.params.iter().filter(|param| param.member.required && !is_constructor_argument(param));
    let set = operation.params.iter().filter(|param| !is_constructor_argument(param));
    Ok(json!({
        // Type in the core.
        "params": operation.type_name(),
        "call": spelling::call(operation),
        "arguments": arguments,
        "core_arguments": core_arguments,
        // Required lists, which start empty.
        "lists": lists.map(|param| &param.member.name).collect::<Vec<_>>(),
        "setters": set.map(|param| setter(operation, param)).collect::<anyhow::Result<Vec<_>>>()?,
    }))
}

/// Returns a function that sets a value or adds an item.
fn setter(operation: &Operation, param: &Param) -> anyhow::Result<Value> {
    let member = &param.member;
    let field = rust::name(&member.name);
    let (verb, argument, body) = if let Type::List(item) = &member.ty {
        let argument = argument(operation, param, item, "item")?;
        let list = if member.required { "" } else { ".get_or_insert_default()" };
        let body = format!("params.{field}{list}.push({}{})", argument.expression, argument.conversion);
        ("add", argument, body)
    } else {
        let argument = argument(operation, param, &member.ty, "value")?;
        let body = format!("params.{field} = Some({}{})", argument.expression, argument.conversion);
        ("set", argument, body)
    };
    let is_sent = param.place == ParamLocation::Body;
    let clear_docs = if is_sent { "Sends an empty list." } else { "Removes all items. An empty list is not sent." };
    Ok(json!({
        "name": snake(&member.name),
        "field": field,
        "wire": member.wire,
        "docs": member.docs,
        "bytes": member.ty == Type::Bytes,
        "verb": verb,
        "declaration": argument.declaration,
        "body": body,
        // Whether a function removes all items of an optional list.
        "clears": member.keeps_null(),
        "clear_docs": clear_docs,
    }))
}

/// Returns the required parameters of an operation if all of them are texts, and none otherwise.
pub(super) fn text_params(operation: &Operation) -> Vec<Value> {
    let is_text = |member: &Member| matches!(member.ty, Type::Text | Type::Id | Type::Open(_));
    let required = || operation.params.iter().map(|param| &param.member).filter(|member| member.required);
    if !required().all(is_text) {
        return Vec::new();
    }
    required().map(|member| json!({ "name": spelling::argument(&member.name), "wire": member.wire })).collect()
}

/// Returns a valid value of a required parameter for tests in C. Texts are distinct.
///
/// # Errors
/// If the parameter has no C representation.
pub(super) fn sample(param: &Param, number: usize) -> anyhow::Result<String> {
    Ok(match param.member.ty.item() {
        Type::Text | Type::Id | Type::Open(_) => format!("str(\"text-{number}\")"),
        Type::Timestamp => "(vitalwire_timestamp){1763640000, 0}".to_owned(),
        Type::Date => "(vitalwire_date){2025, 11, 20}".to_owned(),
        Type::Bytes => "(const uint8_t *)\"%PDF-1.7\", 8".to_owned(),
        ty if plain(ty).is_some() => "1".to_owned(),
        ty => bail!("parameter `{}` has no C representation: {ty:?}", param.member.wire),
    })
}

/// Returns whether constructors take the parameter. Lists start empty in C.
pub(crate) fn is_constructor_argument(param: &Param) -> bool {
    param.member.required && !matches!(param.member.ty, Type::List(_))
}

/// Returns the item type of an empty list for the core's constructor.
fn item_type(list: &Type) -> &'static str {
    plain(list.item()).unwrap_or("&str")
}

/// Returns the argument for a value of a type.
fn argument(operation: &Operation, param: &Param, ty: &Type, name: &str) -> anyhow::Result<Argument> {
    // Errors use the name of the specification, as in every language.
    let wire = format!("{:?}", param.member.wire);
    let text = |conversion| Argument {
        declaration: format!("{name}: vitalwire_str"),
        expression: format!("arguments.text({wire}, &{name})"),
        conversion,
    };
    let plain_argument = |declaration: String, expression: String| Ok(Argument { declaration, expression, conversion: "" });
    match ty {
        Type::Text => Ok(text(".to_owned()")),
        Type::Id | Type::Open(_) => Ok(text(".into()")),
        Type::Timestamp => plain_argument(format!("{name}: vitalwire_timestamp"), format!("arguments.timestamp({wire}, {name})")),
        Type::Date => plain_argument(format!("{name}: vitalwire_date"), format!("arguments.date({wire}, {name})")),
        Type::Bytes => {
            plain_argument(format!("{name}: *const u8, {name}_length: usize"), format!("arguments.bytes({wire}, {name}, {name}_length)"))
        }
        ty => match plain(ty) {
            Some(plain) => plain_argument(format!("{name}: {plain}"), name.to_owned()),
            None => bail!("parameter `{}` of `{}` has no C representation: {ty:?}", param.member.wire, operation.id),
        },
    }
}
