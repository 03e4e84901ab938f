//! Finds the most complete sample of each model in the synthetic responses, as an expression of a language. Creates samples for models in
//! no response.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::ir::{Answer, Ir, Member, Model, Operation, Type};

/// Syntax of the expressions that access a sample.
pub(crate) struct Spelling {
    /// Accesses the response of an operation.
    pub(crate) answer: fn(&Operation) -> String,
    /// Accesses an item of a list.
    pub(crate) item: fn(usize) -> String,
    /// Accesses a field of a record.
    pub(crate) member: fn(&Model, &Member) -> String,
}

/// Origin of a sample.
pub(crate) enum Source {
    /// In a response: the expression that accesses it.
    Answer(String),
    /// In no response: a created value.
    MadeUp(Value),
}

/// Maximum nesting depth of created samples.
const MAX_DEPTH: usize = 4;

/// Returns the type of an operation's response.
pub(crate) fn answered(operation: &Operation) -> Option<Type> {
    match &operation.answer {
        Answer::Nothing => None,
        Answer::Model(name) => Some(Type::Model(name.clone())),
        Answer::List(name) => Some(Type::List(Box::new(Type::Model(name.clone())))),
    }
}

/// Returns a sample of every model, in the order of the models.
pub(crate) fn fullest<'a>(ir: &'a Ir, spelling: &Spelling) -> Vec<(&'a Model, Source)> {
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
    let mut source = |model: &Model| match found.remove(&model.name) {
        Some((_, way)) => Source::Answer(way),
        None => Source::MadeUp(made_up(ir, model, 0)),
    };
    models.map(|model| (model, source(model))).collect()
}

/// Creates a sample with all fields.
fn made_up(ir: &Ir, model: &Model, depth: usize) -> Value {
    match model.name.as_str() {
        "ProblemDetails" => problem(),
        "ProblemItem" => problem()["errors"][0].take(),
        _ => Value::Object(model.members.iter().map(|member| (member.wire.clone(), value(ir, &member.ty, depth + 1))).collect()),
    }
}

/// Returns problem details of a validation error, with the fields of the engine's models.
fn problem() -> Value {
    json!({
        "type": "https://health.example/problems/invalid",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "validation failed",
        "instance": "https://health.example/v3/queries/sleeps/synthetic",
        "errors": [{"location": "query.include_stages", "message": "expected a boolean", "value": "synthetic"}],
    })
}

/// Creates a value of a type. Text values say that they are synthetic.
fn value(ir: &Ir, ty: &Type, depth: usize) -> Value {
    let first = |keys: &str| {
        let set = ir.open_sets.iter().find(|set| set.name == *keys);
        set.and_then(|set| set.values.first()).map_or_else(|| "synthetic".to_owned(), |value| value.wire.clone())
    };
    let map = |keys: Option<&str>, value: Value| keys.map_or_else(|| json!({}), |keys| json!({ first(keys): value }));
    match ty {
        Type::Text | Type::Json => json!("synthetic"),
        Type::Id => json!("00000000-0000-4000-8000-000000000000"),
        Type::Boolean => json!(true),
        Type::Integer => json!(1),
        Type::Number => json!(1.0),
        Type::Timestamp => json!("2025-01-31T08:00:00Z"),
        Type::Date => json!("2025-01-31"),
        Type::Bytes => json!("c3ludGhldGlj"),
        Type::Open(name) => json!(first(name)),
        Type::Numbers(name) => map(ir.number_maps.iter().find(|map| map.name == *name).map(|map| map.keys.as_str()), json!(1.0)),
        Type::Series(name) => map(ir.series_maps.iter().find(|map| map.name == *name).map(|map| map.keys.as_str()), json!([1.0])),
        // Models can be recursive.
        Type::List(_) if depth > MAX_DEPTH => json!([]),
        Type::Model(_) if depth > MAX_DEPTH => json!({}),
        Type::List(item) => json!([value(ir, item, depth)]),
        Type::Model(name) => ir.model(name).map_or_else(|| json!({}), |model| made_up(ir, model, depth)),
    }
}

/// Visits every record in a value, with its model name, value and access expression.
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
