//! The JSON schema of a file of cases, for editors and authors.

use schemars::generate::SchemaSettings;

use crate::case::Case;

/// Returns the schema as text. Members are sorted: without that, their order would depend on the features of other crates in the build.
///
/// # Errors
///
/// Never, because the schema is a JSON value.
pub fn text() -> anyhow::Result<String> {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Vec<Case>>().to_value();
    schema.sort_all_objects();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
