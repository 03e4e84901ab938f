//! What our own overlays claim of a service: such an action says how sure it is.

use serde_json::{Map, Value};

/// What we only believe of the service. Every action there is a claim.
const SUPPLEMENT: &str = "openapi/overlays/10-supplement.";

/// Our annotations. Most say what the clients are to do; those with one of [`CLAIMS`] rely on something.
const CLIENT: &str = "openapi/overlays/20-client.";

/// Extensions that say something of a service.
const CLAIMS: [&str; 7] = [
    "x-vitalwire-accepts",
    "x-vitalwire-aliases",
    "x-vitalwire-basis",
    "x-vitalwire-fixed-texts",
    "x-vitalwire-max-bytes",
    "x-vitalwire-max-request-bytes",
    "x-vitalwire-sensitivity",
];

/// Whether an action of ours claims something without a mark.
pub(super) fn is_unmarked(file: &str, action: &Map<String, Value>) -> bool {
    let claims = file.starts_with(SUPPLEMENT) || file.starts_with(CLIENT) && action.get("update").is_some_and(claims);
    claims && !action.contains_key("x-mark") && !action.contains_key("x-reason")
}

fn claims(update: &Value) -> bool {
    match update {
        // That a change can be sent twice is a claim; that a read can, or that an upload must not be, is none.
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| CLAIMS.contains(&name.as_str()) || name == "x-vitalwire-retry" && value == "idempotent" || claims(value)),
        Value::Array(items) => items.iter().any(claims),
        _ => false,
    }
}
