//! Conformance cases by statement.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// Folder of the cases.
const CASES: &str = "tests/conformance/cases";

/// The fields of a case that are read here. `vitalwire-conformance` has the whole format.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    statements: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Cases {
    /// Ids of cases by the statement they test.
    pub(super) by_statement: BTreeMap<String, Vec<String>>,
    pub(super) without_statement: Vec<String>,
}

pub(super) fn read(root: &Path) -> anyhow::Result<Cases> {
    let mut found = Cases::default();
    for area in std::fs::read_dir(root.join(CASES)).with_context(|| format!("reading {CASES}"))? {
        for file in std::fs::read_dir(area?.path())? {
            let file = file?;
            let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(file.path())?)
                .with_context(|| format!("reading the cases of {}", file.file_name().display()))?;
            for case in cases {
                if case.statements.is_empty() {
                    found.without_statement.push(case.id.clone());
                }
                for statement in case.statements {
                    found.by_statement.entry(statement).or_default().push(case.id.clone());
                }
            }
        }
    }
    found.by_statement.values_mut().for_each(|ids| ids.sort());
    found.without_statement.sort();
    Ok(found)
}
