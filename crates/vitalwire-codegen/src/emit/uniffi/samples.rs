//! Where the fullest record of each type is among the synthetic answers, as a language reads it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::ir::{Answer, Ir, Member, Model, Operation, Type};

/// How a language writes the way to a record.
pub(super) struct Spelling {
    /// An operation's answer.
    pub(super) answer: fn(&Operation) -> String,
    /// An item of a list.
    pub(super) item: fn(usize) -> String,
    /// A member of a record.
    pub(super) member: fn(&Model, &Member) -> String,
}

/// The type of what an operation answers.
pub(super) fn answered(operation: &Operation) -> Option<Type> {
    match &operation.answer {
        Answer::Nothing => None,
        Answer::Model(name) => Some(Type::Model(name.clone())),
        Answer::List(name) => Some(Type::List(Box::new(Type::Model(name.clone())))),
    }
}

/// The records that have a sample, in the order of the models: name, and the way to it.
pub(super) fn fullest<'a>(ir: &'a Ir, spelling: &Spelling) -> Vec<(&'a str, String)> {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for operation in &ir.operations {
        let (Some(ty), Some(sample)) = (answered(operation), ir.samples.get(&operation.id)) else { continue };
        each(ir, spelling, &ty, &sample.body, (spelling.answer)(operation), &mut |model, value, way| {
            let size = value.to_string().len();
            let empty = value.as_object().is_some_and(Map::is_empty);
            if !empty && found.get(model).is_none_or(|(known, _)| *known < size) {
                found.insert(model.to_owned(), (size, way.to_owned()));
            }
        });
    }
    let models = ir.models.iter().filter(|model| !model.request);
    models.filter_map(|model| Some((model.name.as_str(), found.remove(&model.name)?.1))).collect()
}

/// Tells of every record in a value: its type, itself, and the way to it.
fn each(ir: &Ir, spelling: &Spelling, ty: &Type, value: &Value, way: String, told: &mut impl FnMut(&str, &Value, &str)) {
    match (ty, value) {
        (Type::List(item), Value::Array(items)) => {
            for (at, value) in items.iter().enumerate() {
                each(ir, spelling, item, value, way.clone() + &(spelling.item)(at), told);
            }
        }
        (Type::Model(name), Value::Object(members)) => {
            told(name, value, &way);
            let Some(model) = ir.model(name) else { return };
            for member in &model.members {
                let Some(value) = members.get(&member.wire) else { continue };
                each(ir, spelling, &member.ty, value, way.clone() + &(spelling.member)(model, member), told);
            }
        }
        _ => {}
    }
}
