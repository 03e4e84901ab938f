//! Checks that actions of our overlays that make claims about a service state how certain they are.

use serde_json::{Map, Value};

/// Prefix of overlays about undocumented behaviour of the service. Every action in them is a claim.
const SUPPLEMENT: &str = "openapi/overlays/10-supplement.";

/// Prefix of overlays with our annotations. Most of them control the clients; those in [`CLAIMS`] depend on the service's behaviour.
const CLIENT: &str = "openapi/overlays/20-client.";

/// Extensions that make a claim about a service.
const CLAIMS: [&str; 7] = [
    "x-vitalwire-accepts",
    "x-vitalwire-aliases",
    "x-vitalwire-basis",
    "x-vitalwire-fixed-texts",
    "x-vitalwire-max-bytes",
    "x-vitalwire-max-request-bytes",
    "x-vitalwire-sensitivity",
];

/// Whether an action in our overlays makes a claim without a mark and a reason.
pub(super) fn is_unmarked(file: &str, action: &Map<String, Value>) -> bool {
    let is_claim = file.starts_with(SUPPLEMENT) || file.starts_with(CLIENT) && action.get("update").is_some_and(has_claim);
    is_claim && !action.contains_key("x-mark") && !action.contains_key("x-reason")
}

fn has_claim(update: &Value) -> bool {
    match update {
        // Idempotency is a claim about the service. Retrying a read, or not retrying an upload, relies on no claim.
        Value::Object(members) => members.iter().any(|(name, value)| {
            CLAIMS.contains(&name.as_str()) || name == "x-vitalwire-retry" && value == "idempotent" || has_claim(value)
        }),
        Value::Array(items) => items.iter().any(has_claim),
        _ => false,
    }
}
