//! Finds the most complete sample of each model in the synthetic responses, as an expression of a language. Creates samples for models in
//! no response.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::ir::{Ir, Member, Model, Operation, ResponseType, Type};

/// Syntax of the expressions that access a sample.
pub(crate) struct AccessSyntax {
    /// Accesses the response of an operation.
    pub(crate) response: fn(&Operation) -> String,
    /// Accesses an item of a list.
    pub(crate) item: fn(usize) -> String,
    /// Accesses a field of a record.
    pub(crate) member: fn(&Model, &Member) -> String,
}

/// Maximum nesting depth of created samples.
const MAX_DEPTH: usize = 4;

pub(crate) fn response_type(operation: &Operation) -> Option<Type> {
    match &operation.response {
        ResponseType::Nothing => None,
        ResponseType::Model(name) => Some(Type::Model(name.clone())),
        ResponseType::List(name) => Some(Type::List(Box::new(Type::Model(name.clone())))),
    }
}

/// Returns a sample of every model, in the order of the models: the expression that accesses it in a response, or else a created value.
pub(crate) fn most_complete<'a>(ir: &'a Ir, syntax: &AccessSyntax) -> Vec<(&'a Model, Result<String, Value>)> {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for operation in &ir.operations {
        let (Some(ty), Some(sample)) = (response_type(operation), ir.samples.get(&operation.id)) else { continue };
        visit_records(ir, syntax, &ty, &sample.body, (syntax.response)(operation), &mut |model, value, path| {
            let size = value.to_string().len();
            let empty = value.as_object().is_some_and(Map::is_empty);
            if !empty && found.get(model).is_none_or(|(known, _)| *known < size) {
                found.insert(model.to_owned(), (size, path.to_owned()));
            }
        });
    }
    let models = ir.received_models();
    let mut source = |model: &Model| found.remove(&model.name).map(|(_, path)| path).ok_or_else(|| create_record(ir, model, 0));
    models.map(|model| (model, source(model))).collect()
}

/// Creates a sample with all fields.
fn create_record(ir: &Ir, model: &Model, depth: usize) -> Value {
    match model.name.as_str() {
        "ProblemDetails" => problem(),
        "ProblemItem" => problem()["errors"][0].take(),
        _ => Value::Object(model.members.iter().map(|member| (member.wire.clone(), create_value(ir, &member.ty, depth + 1))).collect()),
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
fn create_value(ir: &Ir, ty: &Type, depth: usize) -> Value {
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
        Type::List(item) => json!([create_value(ir, item, depth)]),
        Type::Model(name) => ir.model(name).map_or_else(|| json!({}), |model| create_record(ir, model, depth)),
    }
}

/// Visits every record in a value, with its model name, value and access expression.
fn visit_records(ir: &Ir, syntax: &AccessSyntax, ty: &Type, value: &Value, path: String, visit: &mut impl FnMut(&str, &Value, &str)) {
    match (ty, value) {
        (Type::List(item), Value::Array(items)) => {
            for (at, value) in items.iter().enumerate() {
                visit_records(ir, syntax, item, value, path.clone() + &(syntax.item)(at), visit);
            }
        }
        (Type::Model(name), Value::Object(members)) => {
            visit(name, value, &path);
            let Some(model) = ir.model(name) else { return };
            for member in &model.members {
                let Some(value) = members.get(&member.wire) else { continue };
                visit_records(ir, syntax, &member.ty, value, path.clone() + &(syntax.member)(model, member), visit);
            }
        }
        _ => {}
    }
}
