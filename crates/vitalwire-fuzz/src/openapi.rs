//! Names, paths and schemas from the specifications.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// The specifications in this workspace.
pub static OPENAPI: LazyLock<Openapi> = LazyLock::new(Openapi::load);

/// Both specifications, combined.
pub struct Openapi {
    /// Schema components by name.
    pub schemas: Map<String, Value>,
    /// All field names and enum values.
    pub names: BTreeSet<String>,
    /// Path templates.
    pub paths: Vec<String>,
    /// Schemas of fields by name.
    by_name: BTreeMap<String, Vec<Value>>,
}

impl Openapi {
    fn load() -> Self {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = own.ancestors().nth(2).unwrap_or(own);
        let sources = vitalwire_spec::load(root, &[]).unwrap_or_else(|findings| panic!("the specifications cannot be loaded: {findings}"));
        let mut all = Self { schemas: Map::new(), names: BTreeSet::new(), paths: Vec::new(), by_name: BTreeMap::new() };
        for spec in &sources.specs {
            if let Some(schemas) = spec.document.pointer("/components/schemas").and_then(Value::as_object) {
                all.schemas.extend(schemas.clone());
            }
            all.declare(&spec.document);
            let paths = spec.document.get("paths").and_then(Value::as_object);
            all.paths.extend(paths.into_iter().flat_map(Map::keys).cloned());
        }
        all
    }

    fn declare(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, schema) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
                    self.names.insert(name.clone());
                    self.by_name.entry(name.clone()).or_default().push(schema.clone());
                }
                for name in members.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
                    self.names.insert(name.to_owned());
                }
                members.values().for_each(|member| self.declare(member));
            }
            Value::Array(items) => items.iter().for_each(|item| self.declare(item)),
            _ => {}
        }
    }

    /// Resolves a schema if it is a reference.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
        name.and_then(|name| self.schemas.get(name)).unwrap_or(schema)
    }

    /// Returns the schemas of fields with this name.
    #[must_use]
    pub fn schemas_of_field(&self, name: &str) -> &[Value] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}
