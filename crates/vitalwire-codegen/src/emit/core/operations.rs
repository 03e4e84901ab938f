//! Parameters of each call: a struct with setters, its request body, its local checks, and how it is run.

use crate::ir::{Answer, Basis, Ir, Operation, Param, Place, Type};
use crate::lang::rust::{doc, literal};
use crate::lang::{rust, shouty};

use super::asked;
use super::http::Signatures;
use super::ranges;
use super::types::{IMPORTS, is_numeric};

pub(super) fn emit(ir: &Ir, group: &str, signatures: &Signatures) -> String {
    let mut text = format!(
        "//! Parameters of `{group}`.\n#![allow(deprecated, unused_imports, unused_variables, clippy::too_many_arguments, reason = \"generated\")]\n\n"
    );
    text.push_str("use std::fmt;\n\nuse serde::ser::SerializeMap;\nuse serde::{Serialize, Serializer};\n\n");
    text.push_str(IMPORTS);
    text.push_str("use crate::client::Operation;\nuse crate::error::Error;\nuse crate::generated::{http, meta};\nuse crate::range::{DateRange, Fingerprint, InstantRange, RangeOperation};\nuse crate::runtime::{self, CallContext, check};\nuse crate::table::{TableId, Unasked};\nuse crate::transport::OperationMeta;\n");
    text.push_str("use crate::value::{Basis, SetBasis};\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        definition(&mut text, operation);
        constants(&mut text, ir, operation);
        setters(&mut text, operation);
        if operation.body.is_some() {
            body(&mut text, operation);
        }
        debug(&mut text, operation);
        run(&mut text, ir, operation, signatures);
        ranges::emit(&mut text, ir, operation);
    }
    text
}

/// A parameter's name in Rust.
pub(super) fn rust_name(param: &Param) -> String {
    rust::name(&param.member.name)
}

/// How a caller gives a value: (bound in the signature, expression that makes the field).
pub(super) fn given(param: &Param) -> (String, String) {
    let name = rust_name(param);
    match &param.member.ty {
        Type::List(item) => {
            (format!("impl IntoIterator<Item = impl Into<{}>>", rust::ty(item)), format!("{name}.into_iter().map(Into::into).collect()"))
        }
        ty @ (Type::Boolean | Type::Integer | Type::Number | Type::Timestamp | Type::Date) => (rust::ty(ty), name),
        ty => (format!("impl Into<{}>", rust::ty(ty)), format!("{name}.into()")),
    }
}

/// The required parameters as a signature: `sleep_id: impl Into<String>, `.
pub(super) fn required_signature(operation: &Operation) -> String {
    operation
        .params
        .iter()
        .filter(|param| param.member.required)
        .map(|param| format!("{}: {}, ", rust_name(param), given(param).0))
        .collect()
}

fn definition(text: &mut String, operation: &Operation) {
    let name = operation.type_name();
    text.push_str(&doc(&operation.docs, &operation.id));
    text.push_str(&format!("///\n/// `{} {}`\n", operation.http, operation.path));
    text.push_str("#[derive(Clone, PartialEq)]\n#[non_exhaustive]\n");
    text.push_str(&format!("pub struct {name} {{\n"));
    for param in &operation.params {
        text.push_str(&doc(&param.member.docs, &param.member.wire));
        let ty = rust::ty(&param.member.ty);
        let ty = if param.member.required { ty } else { format!("Option<{ty}>") };
        text.push_str(&format!("pub {}: {ty},\n", rust_name(param)));
    }
    text.push_str("}\n\n");
}

/// What the service takes of a parameter, where the type does not say it.
fn constants(text: &mut String, ir: &Ir, operation: &Operation) {
    let mut lists = String::new();
    let mut list = |docs: &str, name: String, texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| literal(text)).collect();
        lists.push_str(&format!("/// {docs}\npub const {name}: &'static [&'static str] = &[{}];\n", texts.join(", ")));
    };
    for param in &operation.params {
        let wire = &param.member.wire;
        if !param.accepts.is_empty() {
            list(&format!("Media types of a file that the service takes as `{wire}`."), media_types(param), &param.accepts);
        }
        if is_narrower(ir, param) {
            list(
                &format!("The names that the service takes as `{wire}`, as far as this version knows: not all of their set."),
                format!("KNOWN_{}", shouty(&param.member.name)),
                &param.names,
            );
        }
    }
    if !lists.is_empty() {
        text.push_str(&format!("impl {} {{\n{lists}}}\n\n", operation.type_name()));
    }
}

/// The constant that has a file's media types.
fn media_types(param: &Param) -> String {
    format!("{}_MEDIA_TYPES", shouty(&param.member.name))
}

/// Whether a parameter takes fewer names than its open set has.
fn is_narrower(ir: &Ir, param: &Param) -> bool {
    let ty = match &param.member.ty {
        Type::List(item) => item.as_ref(),
        ty => ty,
    };
    let Type::Open(name) = ty else { return false };
    !param.names.is_empty() && ir.open_set(name).is_some_and(|set| param.names.len() < set.values.len())
}

fn setters(text: &mut String, operation: &Operation) {
    let name = operation.type_name();
    text.push_str(&format!("impl {name} {{\n/// With the required parameters.\n#[must_use]\n"));
    if operation.params.iter().all(|param| !param.member.required) {
        text.push_str("#[allow(clippy::new_without_default, reason = \"one way to begin, whatever the parameters\")]\n");
    }
    text.push_str(&format!("pub fn new({}) -> Self {{\nSelf {{\n", required_signature(operation)));
    for param in &operation.params {
        let field = rust_name(param);
        let value = if param.member.required { given(param).1 } else { "None".into() };
        text.push_str(&if value == field { format!("{field},\n") } else { format!("{field}: {value},\n") });
    }
    text.push_str("}\n}\n\n");
    for param in operation.params.iter().filter(|param| !param.member.required) {
        let field = rust_name(param);
        let (bound, value) = given(param);
        text.push_str(&doc(&param.member.docs, &param.member.wire));
        text.push_str(&format!(
            "#[must_use]\npub fn {field}(mut self, {field}: {bound}) -> Self {{\nself.{field} = Some({value});\nself\n}}\n\n"
        ));
    }
    text.push_str("}\n\n");
}

/// The parameters that travel in the body, as the body: no second struct, no copy of an image.
fn body(text: &mut String, operation: &Operation) {
    text.push_str("/// Writes the request body.\n");
    text.push_str(&format!("impl Serialize for {} {{\n", operation.type_name()));
    text.push_str("fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {\nlet mut object = serializer.serialize_map(None)?;\n");
    for param in operation.params_in(Place::Body) {
        let field = rust_name(param);
        let wire = literal(&param.member.wire);
        let number = param.member.ty == Type::Number;
        let value = |of: String| if is_numeric(&param.member.ty) { format!("&Number({of})") } else { of };
        let borrowed = if number { "" } else { "&" };
        text.push_str(&if param.member.required {
            format!("object.serialize_entry({wire}, {})?;\n", value(format!("{borrowed}self.{field}")))
        } else {
            let entry = format!("object.serialize_entry({wire}, {})?;", value("value".to_owned()));
            format!("if let Some(value) = {borrowed}self.{field} {{ {entry} }}\n")
        });
    }
    text.push_str("object.end()\n}\n}\n\n");
}

fn debug(text: &mut String, operation: &Operation) {
    text.push_str("/// Shows which parameters are set, no values.\n");
    text.push_str(&format!(
        "impl fmt::Debug for {} {{\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{\n",
        operation.type_name()
    ));
    text.push_str(&format!("f.debug_struct({})\n", literal(&operation.type_name())));
    for param in operation.params.iter().filter(|param| !param.member.required) {
        text.push_str(&format!(".field({}, &Presence(self.{}.is_some()))\n", literal(&param.member.name), rust_name(param)));
    }
    text.push_str(".finish_non_exhaustive()\n}\n}\n\n");
}

fn run(text: &mut String, ir: &Ir, operation: &Operation, signatures: &Signatures) {
    let output = match &operation.answer {
        Answer::Nothing => "()".to_owned(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("Vec<{name}>"),
    };
    text.push_str(&format!("impl Operation for {} {{\ntype Output = {output};\n\n", operation.type_name()));
    text.push_str(&format!("const META: &'static OperationMeta = &meta::{};\n\n", shouty(&operation.id)));
    text.push_str("fn check(&self, limits: bool) -> Result<(), Error> {\n");
    checks(text, operation);
    text.push_str("Ok(())\n}\n\n");
    asked::emit(text, ir, operation);
    text.push_str(
        "async fn run(self, context: CallContext) -> Result<crate::runtime::ResponseValue<Self::Output>, runtime::Error<()>> {\n",
    );
    text.push_str(&format!("let client = http::{}::Client::for_call(context);\n", operation.service));
    text.push_str(&format!("let answer = client.{}({}).await?;\n", operation.id, arguments(operation, signatures)));
    text.push_str(match (&operation.answer, basis(ir, operation)) {
        (Answer::List(_), None) => "Ok(answer.map(runtime::ListBody::into_items))\n",
        (Answer::List(_), Some(_)) => "let mut answer = answer.map(runtime::ListBody::into_items);\n",
        (_, None) => "Ok(answer)\n",
        (_, Some(_)) => "let mut answer = answer;\n",
    });
    if let Some(basis) = basis(ir, operation) {
        text.push_str(&format!("answer.value_mut().set_basis(Basis::{basis});\nOk(answer)\n"));
    }
    text.push_str("}\n}\n\n");
}

fn basis(ir: &Ir, operation: &Operation) -> Option<&'static str> {
    let (Answer::Model(name) | Answer::List(name)) = &operation.answer else { return None };
    ir.model(name).filter(|model| model.has_basis)?;
    Some(match operation.basis? {
        Basis::PerServing => "PerServing",
        Basis::Per100 => "Per100",
        Basis::Unknown => "Unknown",
    })
}

/// The parameters in the order of progenitor's method.
fn arguments(operation: &Operation, signatures: &Signatures) -> String {
    let names = signatures.get(&operation.id).map(Vec::as_slice).unwrap_or_default();
    let argument =
        |name: &String| match operation.params.iter().find(|param| param.place != Place::Body && rust::name(&param.member.name) == *name) {
            Some(param) if param.member.required => format!("&self.{}", rust_name(param)),
            Some(param) => format!("self.{}.as_ref()", rust_name(param)),
            // What is no parameter is the body: the parameters themselves, written as such.
            None => "&self".to_owned(),
        };
    names.iter().map(argument).collect::<Vec<_>>().join(", ")
}

/// A number that JSON cannot write is never sent; the interface's limits are checked unless the client was told not to.
fn checks(text: &mut String, operation: &Operation) {
    for param in &operation.params {
        let field = rust_name(param);
        let wire = literal(&param.member.wire);
        let mut check = |name: &str, more: &str| {
            let call = |value: &str| format!("check::{name}({wire}, {value}{more})?;\n");
            text.push_str(&if param.member.required {
                call(&format!("&self.{field}"))
            } else {
                format!("if let Some(value) = &self.{field} {{ {} }}\n", call("value"))
            });
        };
        if param.member.ty == Type::Number {
            check("finite", "");
        }
        if let Some(minimum) = param.minimum {
            check("at_least", &format!(", {}, limits", number(minimum, &param.member.ty)));
        }
        if let Some(maximum) = param.maximum {
            check("at_most", &format!(", {}, limits", number(maximum, &param.member.ty)));
        }
        if let Some(least) = param.min_items {
            check("min_items", &format!(", {least}, limits"));
        }
        if let Some(most) = param.max_bytes {
            check("max_bytes", &format!(", {most}, limits"));
        }
        if !param.accepts.is_empty() {
            check("accepts", &format!(", Self::{}, limits", media_types(param)));
        }
    }
}

/// A bound as a literal of the parameter's type.
fn number(bound: f64, ty: &Type) -> String {
    if *ty == Type::Integer { format!("{bound:.0}") } else { format!("{bound:?}") }
}
