//! Which conformance cases hold to which statement.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// Where the cases are.
const CASES: &str = "tests/conformance/cases";

/// What of a case is read here; the whole format is `vitalwire-conformance`'s.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    statements: Vec<String>,
}

/// The cases.
#[derive(Debug, Default)]
pub(super) struct Cases {
    /// Their ids by the statement they hold to.
    pub(super) held: BTreeMap<String, Vec<String>>,
    /// Those that cite none.
    pub(super) free: Vec<String>,
}

/// Reads them.
pub(super) fn read(root: &Path) -> anyhow::Result<Cases> {
    let mut found = Cases::default();
    for area in std::fs::read_dir(root.join(CASES)).with_context(|| format!("reading {CASES}"))? {
        for file in std::fs::read_dir(area?.path())? {
            let file = file?;
            let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(file.path())?)
                .with_context(|| format!("reading the cases of {}", file.file_name().display()))?;
            for case in cases {
                if case.statements.is_empty() {
                    found.free.push(case.id.clone());
                }
                for statement in case.statements {
                    found.held.entry(statement).or_default().push(case.id.clone());
                }
            }
        }
    }
    found.held.values_mut().for_each(|ids| ids.sort());
    found.free.sort();
    Ok(found)
}
