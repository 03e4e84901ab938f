//! Conformance cases by statement.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::folder;

/// Folder of the cases.
const CASES: &str = "tests/conformance/cases";

/// The fields of a case or template that are read here. `vitalwire-conformance` has the whole format.
#[derive(Debug, Deserialize)]
struct Case {
    #[serde(default)]
    id: String,
    #[serde(default)]
    statements: Vec<String>,
    /// Cases that share the other fields, each with an id. Their statements are here or in the template.
    #[serde(default)]
    variants: Vec<Self>,
}

impl Case {
    /// Returns the cases of a template, or the case itself.
    fn expand(self) -> Vec<Self> {
        if self.variants.is_empty() {
            return vec![self];
        }
        let with_statements = |variant: Self| {
            if variant.statements.is_empty() { Self { statements: self.statements.clone(), ..variant } } else { variant }
        };
        self.variants.into_iter().map(with_statements).collect()
    }
}

#[derive(Debug, Default)]
pub(super) struct Cases {
    /// Ids of cases by the statement they test.
    pub(super) by_statement: BTreeMap<String, Vec<String>>,
    pub(super) without_statement: Vec<String>,
}

pub(super) fn read(root: &Path) -> anyhow::Result<Cases> {
    let mut found = Cases::default();
    for (name, text) in folder::contents(&root.join(CASES))? {
        let cases: Vec<Case> = serde_json::from_slice(&text).with_context(|| format!("reading the cases of {name}"))?;
        for case in cases.into_iter().flat_map(Case::expand) {
            if case.statements.is_empty() {
                found.without_statement.push(case.id.clone());
            }
            for statement in case.statements {
                found.by_statement.entry(statement).or_default().push(case.id.clone());
            }
        }
    }
    found.by_statement.values_mut().for_each(|ids| ids.sort());
    found.without_statement.sort();
    Ok(found)
}
