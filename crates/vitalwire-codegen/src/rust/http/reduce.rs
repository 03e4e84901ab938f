//! Reduces the specification for progenitor: operations only, with every type replaced.

use serde_json::{Map, Value, json};

use crate::ir::{Ir, Operation, ParamLocation, ResponseType, Service, Type};

/// Extension that identifies a converted schema. progenitor compares extensions when it matches schemas.
pub(super) const KEY: &str = "x-codegen-key";

pub(super) struct ReducedSpecification {
    pub(super) document: Value,
    /// Pairs of component and Rust type.
    pub(super) replacements: Vec<(String, String)>,
    /// Pairs of key and Rust type.
    pub(super) conversions: Vec<(String, String)>,
}

pub(super) fn reduce(ir: &Ir, service: &Service) -> ReducedSpecification {
    let mut reduced = ReducedSpecification { document: Value::Null, replacements: Vec::new(), conversions: Vec::new() };
    let mut paths: Map<String, Value> = Map::new();
    for operation in ir.operations.iter().filter(|operation| operation.service == service.name) {
        let item = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        item[operation.http.to_lowercase()] = reduced.operation(operation);
    }
    let schemas: Map<String, Value> = reduced.replacements.iter().map(|(name, _)| (name.clone(), json!({"type": "object"}))).collect();
    reduced.document = json!({
        "openapi": "3.0.3",
        "info": {"title": format!("the {} service", service.name), "version": service.version},
        "paths": paths,
        "components": {"schemas": schemas},
    });
    reduced
}

impl ReducedSpecification {
    fn operation(&mut self, operation: &Operation) -> Value {
        let mut parameters = Vec::new();
        for param in operation.params.iter().filter(|param| param.place != ParamLocation::Body) {
            let place = match param.place {
                ParamLocation::Path => "path",
                ParamLocation::Header => "header",
                ParamLocation::Query | ParamLocation::Body => "query",
            };
            let schema = self.converted_schema(&rust_path(&param.member.ty));
            parameters.push(json!({"name": param.member.wire, "in": place, "required": param.member.required, "schema": schema}));
        }
        let response = match &operation.response {
            ResponseType::Nothing => json!({"description": ""}),
            ResponseType::Model(name) => {
                let schema = self.replaced_schema(name, format!("crate::generated::models::{name}"));
                json!({"description": "", "content": {"application/json": {"schema": schema}}})
            }
            ResponseType::List(name) => {
                // A list response may be null, which counts as an empty list.
                let schema =
                    self.converted_schema(&format!("vitalwire_runtime::value::decode::NullableList<crate::generated::models::{name}>"));
                json!({"description": "", "content": {"application/json": {"schema": schema}}})
            }
        };
        let responses: Map<String, Value> = operation.success.iter().map(|status| (status.to_string(), response.clone())).collect();
        let mut reduced = json!({
            "operationId": operation.id,
            "summary": format!("`{}.{}`", operation.group, operation.method),
            "parameters": parameters,
            "responses": responses,
        });
        if let Some(body) = &operation.body {
            let schema = self.replaced_schema(body, format!("crate::generated::operations::{}", operation.type_name()));
            reduced["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        }
        reduced
    }

    fn replaced_schema(&mut self, name: &str, path: String) -> Value {
        if !self.replacements.iter().any(|(known, _)| known == name) {
            self.replacements.push((name.to_owned(), path));
        }
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    fn converted_schema(&mut self, path: &str) -> Value {
        if !self.conversions.iter().any(|(known, _)| known == path) {
            self.conversions.push((path.to_owned(), path.to_owned()));
        }
        json!({"type": "string", KEY: path})
    }
}

fn rust_path(ty: &Type) -> String {
    match ty {
        Type::Boolean => "bool".into(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "vitalwire_runtime::value::Timestamp".into(),
        Type::Date => "vitalwire_runtime::value::Date".into(),
        Type::Id => "vitalwire_runtime::value::Id".into(),
        Type::Open(name) => format!("crate::generated::open_sets::{name}"),
        Type::List(item) => format!("::std::vec::Vec<{}>", rust_path(item)),
        Type::Text | Type::Bytes | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "::std::string::String".into(),
    }
}
