//! Calls from a case's arguments, by the constructors and setters that users write, and the table of them.

use super::{outcome, plain};
use crate::emit::c::{at_start, call};
use crate::ir::{Answer, Ir, Operation, Param, Type};
use crate::lang::c as names;
use crate::lang::rust::literal;
use crate::lang::snake;

/// The declarations of all calls.
pub(super) fn header(ir: &Ir) -> String {
    let mut text = String::from("// From an operation's id and a case's arguments to a call.\n\n");
    text.push_str("#ifndef GENERATED_CALLS_H\n#define GENERATED_CALLS_H\n\n#include \"../given.h\"\n\n");
    text.push_str("extern const struct operation operations[];\nextern const size_t operation_count;\n\n");
    for operation in &ir.operations {
        text.push_str(&format!("{};\n", signature(operation)));
    }
    text.push_str("\n#endif\n");
    text
}

/// The table of operations.
pub(super) fn table(ir: &Ir) -> String {
    let mut text = String::from("#include \"../calls.h\"\n\nconst struct operation operations[] = {\n");
    for operation in &ir.operations {
        let names: String = operation.params.iter().map(|param| format!("{}, ", literal(&param.member.wire))).collect();
        text.push_str(&format!("  {{{}, {}, (const char *const[]){{{names}NULL}}}},\n", literal(&operation.id), function(operation)));
    }
    text.push_str("};\n\nconst size_t operation_count = sizeof operations / sizeof *operations;\n");
    text
}

/// The calls of one resource.
pub(super) fn group(ir: &Ir, group: &str) -> String {
    let mut text = String::from("#include <stdlib.h>\n\n#include \"../calls.h\"\n#include \"../outcomes.h\"\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        one(&mut text, operation);
    }
    text
}

fn function(operation: &Operation) -> String {
    format!("call_{}", operation.id)
}

fn signature(operation: &Operation) -> String {
    format!("vitalwire_code {}(struct turn *turn, struct json *out, vitalwire_error **error)", function(operation))
}

fn one(text: &mut String, operation: &Operation) {
    text.push_str(&format!("\n{} {{\n", signature(operation)));
    let bytes: Vec<&Param> = operation.params.iter().filter(|param| param.member.ty == Type::Bytes).collect();
    for param in &bytes {
        text.push_str(&format!("  struct bytes {} = given_bytes(turn, {}, ALONE);\n", bytes_of(param), literal(&param.member.wire)));
    }
    let object = names::params(operation);
    let required: Vec<String> =
        operation.params.iter().filter(|param| at_start(param)).map(|param| read(param, &param.member.ty, "ALONE")).collect();
    text.push_str(&format!("  {object} *params = {object}_new({});\n", required.join(", ")));
    for param in operation.params.iter().filter(|param| !at_start(param)) {
        set(text, &object, param);
    }
    // A mistake in the case is told without a call.
    text.push_str("  vitalwire_code code = VITALWIRE_OK;\n");
    let before = format!("{}(turn->client, params, turn->options, turn->cancel", call(operation));
    let answer = match &operation.answer {
        Answer::Nothing => None,
        Answer::Model(name) => Some((names::object(name), outcome(name))),
        Answer::List(item) => Some((names::list(item), format!("{}_list", outcome(item)))),
    };
    match answer {
        None => text.push_str(&format!("  if (turn->mistake[0] == '\\0')\n    code = {before}, error);\n  if (code == VITALWIRE_OK) json_null(out);\n")),
        Some((of, outcome)) => text.push_str(&format!(
            "  {of} *answer = NULL;\n  if (turn->mistake[0] == '\\0')\n    code = {before}, &answer, error);\n  if (answer != NULL) {outcome}(out, answer);\n  {of}_free(answer);\n"
        )),
    }
    text.push_str(&format!("  {object}_free(params);\n"));
    for param in &bytes {
        text.push_str(&format!("  free({}.data);\n", bytes_of(param)));
    }
    text.push_str("  return code;\n}\n");
}

fn set(text: &mut String, object: &str, param: &Param) {
    let (name, wire) = (snake(&param.member.name), literal(&param.member.wire));
    let has = format!("  if (given_has(turn, {wire}))\n    {object}");
    text.push_str(&match &param.member.ty {
        Type::List(item) => {
            // An optional list is given even where it has no items.
            let given = if param.member.required { String::new() } else { format!("{has}_clear_{name}(params);\n") };
            let item = read(param, item, "i");
            format!("{given}  for (size_t i = 0; i < given_count(turn, {wire}); i++)\n    {object}_add_{name}(params, {item});\n")
        }
        ty => format!("{has}_set_{name}(params, {});\n", read(param, ty, "ALONE")),
    });
}

/// How an argument is read from the case.
fn read(param: &Param, ty: &Type, item: &str) -> String {
    if *ty == Type::Bytes {
        let name = bytes_of(param);
        return format!("{name}.data, {name}.length");
    }
    let kind = plain(ty).map_or("text", |(kind, _)| kind);
    format!("given_{kind}(turn, {}, {item})", literal(&param.member.wire))
}

/// The variable of a parameter's bytes.
fn bytes_of(param: &Param) -> String {
    format!("{}_bytes", snake(&param.member.name))
}
