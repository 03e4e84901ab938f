//! Tests the redaction of values. Checks that every public type defines the output of `print`, `dump` and the debugger itself, or is known
//! to have no personal data. This includes new records and results.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::symbol_graph::{Graph, path};

/// Protocols of types that hide their values. `String(reflecting:)` uses the description, unless the type has another one.
const HIDING: [&str; 2] = ["Swift.CustomReflectable", "Swift.CustomStringConvertible"];
/// Kinds of types in a symbol graph.
const TYPES: [&str; 4] = ["swift.struct", "swift.enum", "swift.class", "swift.actor"];
/// Types that may keep Swift's default description, each with the reason.
const VISIBLE_TYPES: [(&str, &str); 37] = [
    ("ArrayStyle", "a setting"),
    ("Call", "the name of an operation"),
    ("ChangeType", "a name"),
    ("ClientOptions.Certificates", "settings, and public certificates"),
    ("ClientOptions.Retry", "settings"),
    ("ClientOptions.Timeouts", "settings"),
    ("ClientOptions.Trust", "settings, and public certificates"),
    ("ColumnTable.Column.Kind", "a kind of values"),
    ("ConsentFailure", "a name"),
    ("ConsentPhase", "a step, and a provider, which hides its value"),
    ("ConsentProvider", "a provider, which hides its value, and a state"),
    ("ConsentProvider.Status", "a name"),
    ("ConsentTexts", "texts of the application"),
    ("ErrorKind", "its name is its description"),
    ("FailedPart", "an index, and an error, which hides its values"),
    ("Failure", "a kind, and a response, which hides its values"),
    ("MockResponses", "an object of the library"),
    ("NightSearch.Iterator", "calls in flight"),
    ("PartLength", "a setting"),
    ("Picture", "no values"),
    ("RangeParts", "calls in flight, and parts, which hide their values"),
    ("RangeProgress", "numbers of parts and items"),
    ("RecordKind", "a kind of records"),
    ("RefreshReason", "a name"),
    ("Sandbox.NotStarted", "a fixed sentence, a status, a setting"),
    ("SandboxTrait", "settings"),
    ("SharedSandboxTrait", "settings"),
    ("StateError", "a reason and a fixed sentence"),
    ("StateError.Reason", "a name"),
    ("SyncProgress", "numbers of days"),
    ("WaitCall", "a call that has not started"),
    ("WaitCall.Iterator", "a call in flight"),
    ("WaitCall.State", "progress or a record, which hide their values"),
    ("WaitInterval", "a setting"),
    ("WaitOptions", "a setting"),
    ("WebhookKind", "a name"),
    ("Webhooks", "no values"),
];

/// Types that need the test scoping of `Testing`, which Swift before 6.1 lacks.
const SCOPED: &str = "SandboxTrait";

/// Returns types that show their values, and stale names in the list of exceptions.
pub(super) fn findings(graphs: &[Graph]) -> BTreeSet<String> {
    let mut types = BTreeMap::new();
    for symbol in graphs.iter().flat_map(|graph| entries(&graph.value, "symbols")) {
        if symbol["kind"]["identifier"].as_str().is_some_and(|kind| TYPES.contains(&kind)) {
            types.insert(symbol["identifier"]["precise"].as_str().unwrap_or_default(), (path(symbol).join("."), HIDING.to_vec()));
        }
    }
    for relation in
        graphs.iter().flat_map(|graph| entries(&graph.value, "relationships")).filter(|relation| relation["kind"] == "conformsTo")
    {
        if let Some((_, missing)) = relation["source"].as_str().and_then(|source| types.get_mut(source)) {
            missing.retain(|name| relation["targetFallback"] != **name);
        }
    }
    let showing: BTreeMap<_, _> = types.into_values().filter(|(_, missing)| !missing.is_empty()).collect();
    let wrong = showing
        .iter()
        .filter(|(name, _)| !may_show(name))
        .map(|(name, missing)| format!("{name} must conform to {}", missing.join(" and ")));
    let stale = VISIBLE_TYPES.iter().filter(|(name, _)| !showing.contains_key(*name) && !name.ends_with(SCOPED));
    let stale = stale.map(|(name, _)| format!("{name} hides its values: remove it from VISIBLE_TYPES"));
    wrong.chain(stale).collect()
}

fn entries<'a>(graph: &'a Value, of: &str) -> impl Iterator<Item = &'a Value> {
    graph[of].as_array().into_iter().flatten()
}

/// Whether a type has no personal data: it is listed, or is a resource or names parts of a response.
fn may_show(name: &str) -> bool {
    let is_resource = name.strip_prefix("VitalwireClient.").is_some_and(|name| !name.contains('.'));
    is_resource || name.ends_with("Include") || VISIBLE_TYPES.iter().any(|(listed, _)| *listed == name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Graph, SCOPED, VISIBLE_TYPES, findings};

    fn graph(name: &[&str], conforms: &[&str]) -> Graph {
        let relations: Vec<_> = conforms.iter().map(|to| json!({ "kind": "conformsTo", "source": "id", "targetFallback": to })).collect();
        let symbol = json!({ "kind": { "identifier": "swift.struct" }, "identifier": { "precise": "id" }, "pathComponents": name });
        Graph { module: "Vitalwire".to_owned(), extended_module: None, value: json!({ "symbols": [symbol], "relationships": relations }) }
    }

    /// Returns the findings about one type, without findings about the list of exceptions.
    fn type_findings(name: &[&str], conforms: &[&str]) -> Vec<String> {
        findings(&[graph(name, conforms)]).into_iter().filter(|finding| !finding.contains("VISIBLE_TYPES")).collect()
    }

    #[test]
    fn a_type_that_shows_its_values_is_found() {
        let hiding = ["Swift.CustomReflectable", "Swift.CustomStringConvertible", "Swift.Hashable"];
        assert_eq!(type_findings(&["SleepRecord"], &hiding), Vec::<String>::new());
        assert_eq!(type_findings(&["SleepRecord"], &hiding[1..]), ["SleepRecord must conform to Swift.CustomReflectable"]);
        assert_eq!(
            type_findings(&["RangePart"], &[]),
            ["RangePart must conform to Swift.CustomReflectable and Swift.CustomStringConvertible"]
        );
        for name in [&["VitalwireClient", "Sleeps"][..], &["VitalwireClient", "Sleeps", "GetInclude"], &["ErrorKind"]] {
            assert_eq!(type_findings(name, &[]), Vec::<String>::new());
        }
    }

    #[test]
    fn a_listed_type_that_does_not_exist_is_found() {
        let scoped = VISIBLE_TYPES.iter().filter(|(name, _)| name.ends_with(SCOPED)).count();
        assert_eq!(findings(&[graph(&["ErrorKind"], &[])]).len(), VISIBLE_TYPES.len() - 1 - scoped);
    }
}
