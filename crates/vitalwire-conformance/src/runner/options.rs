//! Settings and options of a case.

use serde_json::{Map, Value};
use vitalwire::client::{CallOptions, ClientBuilder};

use super::arguments::CaseError;
use super::generated::settings as generated;
use crate::case::Options;

/// Applies the settings of a plan.
///
/// # Errors
/// If the plan has a setting that no runner knows.
pub fn settings(values: &Map<String, Value>, builder: ClientBuilder) -> Result<ClientBuilder, CaseError> {
    match values.keys().find(|name| !generated::SETTINGS.contains(&name.as_str())) {
        Some(name) => Err(CaseError::new(format!("a client has no setting `{name}`"))),
        None => Ok(generated::settings(values, builder)),
    }
}

/// Returns the options of a case. The runner itself cancels, closes and multiplies calls.
#[must_use]
pub fn options(options: &Options) -> CallOptions {
    match serde_json::to_value(options) {
        Ok(Value::Object(values)) => generated::options(&values, CallOptions::new()),
        _ => CallOptions::new(),
    }
}
