//! Reads which languages have a schema or operation: `x-vitalwire-faces`.

use serde_json::Value;

use super::spot::Spot;
use super::{Answer, Ir, Type};
use crate::ir::faces::{APPS, Face};
use crate::spec::Findings;

/// Returns the stated languages, or all if none are stated. The lint reports unknown names.
pub(super) fn of(stated: &Value) -> Vec<Face> {
    match stated.get("x-vitalwire-faces").and_then(Value::as_array) {
        None => Face::ALL.to_vec(),
        Some(names) => Face::ALL.into_iter().filter(|face| names.iter().any(|name| name == face.name())).collect(),
    }
}

/// Checks that every language has all types that it uses, and that Swift and Kotlin have the same. `at` returns the place of a schema.
pub(super) fn check<'a>(ir: &Ir, at: impl Fn(&str) -> Spot<'a>, findings: &mut Findings) {
    let sets = ir.open_sets.iter().map(|set| (&set.name, &set.faces));
    let stated = ir.models.iter().map(|model| (&model.name, &model.faces)).chain(sets);
    for (name, faces) in stated {
        if !faces.contains(&Face::Rust) {
            let text = "is not in rust, on which all others stand";
            findings.push(at(name).then("x-vitalwire-faces").finding("faces", text));
        }
        if faces.contains(&APPS[0]) != faces.contains(&APPS[1]) {
            let text = "is in one of swift and kotlin, which share a wrapper";
            findings.push(at(name).then("x-vitalwire-faces").finding("faces", text).hint("name both or none"));
        }
    }
    // Skip one of Swift and Kotlin: they have the same types, or a finding was reported above.
    for face in Face::ALL.into_iter().filter(|face| *face != APPS[1]) {
        let own = ir.of(face);
        for model in &own.models {
            for member in &model.members {
                if let Some(absent) = absent(ir, &own, &member.ty) {
                    let text = format!("is of `{absent}`, which {} does not have", face.name());
                    findings.push(at(&model.name).then("properties").then(&member.wire).finding("faces", text));
                }
            }
        }
        for operation in &own.operations {
            let answer = match &operation.answer {
                Answer::Model(name) | Answer::List(name) => Some(Type::Model(name.clone())),
                Answer::Nothing => None,
            };
            for ty in operation.params.iter().map(|param| &param.member.ty).chain(&answer) {
                if let Some(absent) = absent(ir, &own, ty) {
                    let text = format!("is used by `{}` in {}, which does not have it", operation.id, face.name());
                    findings.push(at(&absent).finding("faces", text));
                }
            }
        }
    }
}

/// Returns the name of a type that the language lacks.
fn absent(ir: &Ir, own: &Ir, ty: &Type) -> Option<String> {
    match ty {
        Type::List(item) => absent(ir, own, item),
        Type::Model(name) if ir.model(name).is_some() && own.model(name).is_none() => Some(name.clone()),
        Type::Open(name) if ir.open_set(name).is_some() && own.open_set(name).is_none() => Some(name.clone()),
        _ => None,
    }
}
