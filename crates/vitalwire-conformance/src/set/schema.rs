//! The JSON schema of a file of cases, for editors and authors.

use schemars::generate::SchemaSettings;

use crate::case::Case;

/// Name of the schema file in the folder of the cases.
pub const FILE: &str = "case.schema.json";

/// Returns the schema as text.
///
/// # Errors
///
/// Never, because the schema is a JSON value.
pub fn text() -> anyhow::Result<String> {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Vec<Case>>();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
