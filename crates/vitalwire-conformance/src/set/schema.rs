//! The JSON schema of a file of cases, for editors and for those who write cases.

use schemars::generate::SchemaSettings;

use crate::case::Case;

/// The file, in the folder of the cases.
pub const FILE: &str = "case.schema.json";

/// The schema's text.
///
/// # Errors
///
/// Never: the schema is a JSON value.
pub fn text() -> anyhow::Result<String> {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Vec<Case>>();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
