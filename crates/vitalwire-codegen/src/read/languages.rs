//! Reads which languages have a schema or operation: `x-vitalwire-languages`.

use serde_json::Value;

use super::location::Location;
use super::{Ir, Type};
use crate::ir::features::{Language, MOBILE};
use crate::spec::Findings;

/// Returns the stated languages, or all if none are stated. The lint reports unknown names.
pub(super) fn read(stated: &Value) -> Vec<Language> {
    match stated.get("x-vitalwire-languages").and_then(Value::as_array) {
        None => Language::ALL.to_vec(),
        Some(names) => Language::ALL.into_iter().filter(|language| names.iter().any(|name| name == language.name())).collect(),
    }
}

/// Checks that every language has all types that it uses, and that Swift and Kotlin have the same. `at` returns the place of a schema.
pub(super) fn check<'a>(ir: &Ir, at: impl Fn(&str) -> Location<'a>, findings: &mut Findings) {
    let sets = ir.open_sets.iter().map(|set| (&set.name, &set.languages));
    let stated = ir.models.iter().map(|model| (&model.name, &model.languages)).chain(sets);
    for (name, languages) in stated {
        if !languages.contains(&Language::Rust) {
            let text = "must include rust, which all other languages use";
            findings.push(at(name).join("x-vitalwire-languages").finding("languages", text));
        }
        if languages.contains(&MOBILE[0]) != languages.contains(&MOBILE[1]) {
            let text = "must include both swift and kotlin or neither, because they share a wrapper";
            findings.push(at(name).join("x-vitalwire-languages").finding("languages", text).hint("name both or none"));
        }
    }
    // Skip one of Swift and Kotlin: they have the same types, or a finding was reported above.
    for language in Language::ALL.into_iter().filter(|language| *language != MOBILE[1]) {
        let own = ir.for_language(language);
        for model in &own.models {
            for member in &model.members {
                if let Some(missing) = missing_type(ir, &own, &member.ty) {
                    let text = format!("has the type `{missing}`, which {} does not have", language.name());
                    findings.push(at(&model.name).join("properties").join(&member.wire).finding("languages", text));
                }
            }
        }
        for operation in &own.operations {
            let response = operation.response.record().map(|name| Type::Model(name.to_owned()));
            for ty in operation.params.iter().map(|param| &param.member.ty).chain(&response) {
                if let Some(missing) = missing_type(ir, &own, ty) {
                    let text = format!("is used by `{}` in {}, which does not have it", operation.id, language.name());
                    findings.push(at(&missing).finding("languages", text));
                }
            }
        }
    }
}

/// Returns the name of a type that the language lacks.
fn missing_type(ir: &Ir, own: &Ir, ty: &Type) -> Option<String> {
    match ty.item() {
        Type::Model(name) if ir.model(name).is_some() && own.model(name).is_none() => Some(name.clone()),
        Type::Open(name) if ir.open_set(name).is_some() && own.open_set(name).is_none() => Some(name.clone()),
        _ => None,
    }
}
