//! Reads the synthetic responses that the client crate ships, for wrappers that offer them as records.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

use crate::ir::Sample;

/// File of the responses, written by `cargo xtask samples`.
const FILE: &str = "crates/vitalwire/src/mock/samples.json";

/// Returns the responses by operation id.
///
/// # Errors
/// If the file cannot be read.
pub fn samples(root: &Path) -> anyhow::Result<BTreeMap<String, Sample>> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    serde_json::from_str(&text).with_context(|| format!("parsing {FILE}"))
}
