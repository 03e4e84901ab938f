//! The synthetic answers that the client crate ships, for bindings that offer them as records too.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

use crate::ir::Sample;

/// Where they are; `cargo xtask samples` writes them.
const FILE: &str = "crates/vitalwire/src/mock/samples.json";

/// The answers by the ids of their operations.
///
/// # Errors
/// Where the file cannot be read.
pub fn samples(root: &Path) -> anyhow::Result<BTreeMap<String, Sample>> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    serde_json::from_str(&text).with_context(|| format!("parsing {FILE}"))
}
