//! Cases that differ only in some values, written once.

use std::collections::BTreeSet;

use anyhow::{Context, bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Case;

/// Start of a placeholder, which ends with `}`.
const OPEN: &str = "${";

/// A case with `variants`: several cases that differ only in some values. It has the fields of a case. `${name}` in a text or in a
/// name is replaced by the value `name` of the variant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Template {
    /// The cases, at least two. Each has its `id`, usually its `title`, and a value for every placeholder. It may also have fields that
    /// the template lacks.
    pub variants: Vec<Map<String, Value>>,
    /// The shared fields.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl Template {
    /// Returns one case per variant.
    ///
    /// # Errors
    ///
    /// If there are fewer than two variants, or a variant lacks an id or a value, has an unused value, repeats a field of the template or has
    /// a placeholder in a field of its own.
    pub fn expand(self) -> anyhow::Result<Vec<Case>> {
        ensure!(self.variants.len() > 1, "`variants` must have at least two items");
        let shared = Value::Object(self.fields);
        let variants = self.variants.into_iter().enumerate();
        variants
            .map(|(at, variant)| {
                let id = variant.get("id").and_then(Value::as_str).with_context(|| format!("variants[{at}] must have an `id`"))?.to_owned();
                expand(&shared, variant).context(id)
            })
            .collect()
    }
}

fn expand(shared: &Value, variant: Map<String, Value>) -> anyhow::Result<Case> {
    let mut used = BTreeSet::new();
    let mut case = Replacement { values: &variant, used: &mut used }.value(shared)?;
    for (name, value) in variant.into_iter().filter(|(name, _)| !used.contains(name)) {
        ensure!(!has_placeholder(&value), "`{name}` has a placeholder; only those of the template are replaced");
        ensure!(case.get(&name).is_none(), "the template has the field `{name}`: remove it from the template or use a placeholder");
        case[name] = value;
    }
    // An unused value is an unknown field.
    Ok(serde_json::from_value(case)?)
}

/// Whether a text or a name in a value has a placeholder.
fn has_placeholder(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(OPEN),
        Value::Array(items) => items.iter().any(has_placeholder),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains(OPEN) || has_placeholder(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Replaces the placeholders of a template by the values of a variant.
struct Replacement<'a> {
    values: &'a Map<String, Value>,
    /// Names of the values in use.
    used: &'a mut BTreeSet<String>,
}

impl Replacement<'_> {
    fn value(&mut self, value: &Value) -> anyhow::Result<Value> {
        Ok(match value {
            Value::String(text) => match text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix('}')) {
                Some(name) if !name.contains(['$', '}']) => self.lookup(name)?.clone(),
                _ => Value::String(self.text(text)?),
            },
            Value::Array(items) => Value::Array(items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?),
            Value::Object(fields) => {
                let replaced = fields.iter().map(|(name, value)| Ok((self.text(name)?, self.value(value)?)));
                let object = replaced.collect::<anyhow::Result<Map<_, _>>>()?;
                ensure!(object.len() == fields.len(), "two names of an object are equal after their placeholders are replaced");
                Value::Object(object)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        })
    }

    fn text(&mut self, text: &str) -> anyhow::Result<String> {
        let mut parts = text.split(OPEN);
        let mut replaced = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').with_context(|| format!("`{OPEN}` without `}}`"))?;
            let Value::String(value) = self.lookup(name)? else { bail!("`{name}` must be a text, because it is a part of a text") };
            replaced.push_str(value);
            replaced.push_str(rest);
        }
        Ok(replaced)
    }

    fn lookup(&mut self, name: &str) -> anyhow::Result<&Value> {
        let value = self.values.get(name).with_context(|| format!("no value for the placeholder `{OPEN}{name}}}`"))?;
        self.used.insert(name.to_owned());
        Ok(value)
    }
}

/// An item of a file of cases.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only the schema is used")]
pub(crate) enum CaseOrTemplate {
    /// One case.
    Case(Box<Case>),
    /// Several cases that differ only in some values.
    Template(Template),
}
