//! The package's public API in its symbol graph. Checks that every public symbol is documented, our own, and named in Swift style.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::redaction;
use super::symbol_graph::{graphs, path};
use crate::process::execute;
use crate::steps::Count;
use crate::swift::products::products;
use crate::swift::test_build::Package;

/// Words of the lower layers, which no name may contain.
const LOWER_LAYER_WORDS: [&str; 5] = ["Ffi", "Rust", "uniffi", "Native", "Params"];
/// Prefix of mangled names of the lower module.
const LOWER_MODULE: &str = "s:12VitalwireFFI";

/// Checks the modules that applications import, and the output of their types. Prints the findings. Each check is a test. DocC checks the
/// links in their documentation.
///
/// # Errors
/// If the compiler writes no symbol graph.
pub(super) fn check(root: &Path, package: &Package) -> anyhow::Result<Count> {
    execute(&mut package.command("package", &["dump-symbol-graph", "--minimum-access-level", "public", "--skip-synthesized-members"]))?;
    let modules = products(root)?;
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    let graphs = graphs(&package.symbol_graphs()?, &modules)?;
    let mut count = Count::default();
    let mut record = |what: &str, findings: BTreeSet<String>| {
        findings.iter().for_each(|finding| crate::print_line(&format!("{what}: {finding}")));
        count += Count::from_check(findings.is_empty());
    };
    for module in modules.iter().copied() {
        let (mut symbols, mut findings) = (0, BTreeSet::new());
        for graph in graphs.iter().filter(|graph| graph.module == module) {
            let public = graph.value["symbols"].as_array().with_context(|| format!("the symbol graph of {module} has no symbols"))?;
            symbols += public.len();
            findings.extend(public.iter().flat_map(|symbol| check_symbol(symbol, graph.extended_module.as_deref(), &modules)));
        }
        ensure!(symbols > 0, "{module} has no public symbols");
        crate::print_line(&format!("{module}: {symbols} public symbols, {} findings", findings.len()));
        record(module, findings);
    }
    record("redaction", redaction::findings(&graphs));
    Ok(count)
}

/// Whether an extension of another module's type applies only to our types, such as a method on lists of our records.
fn is_for_ours(symbol: &Value, ours: &[&str]) -> bool {
    let constraints = symbol["swiftExtension"]["constraints"].as_array().into_iter().flatten();
    let mut types = constraints.filter_map(|constraint| constraint["rhsPrecise"].as_str());
    types.any(|id| ours.iter().any(|module| id.starts_with(&format!("s:{}{module}", module.len()))))
}

/// Returns the findings about a symbol of a module. The symbol may extend another module's type.
fn check_symbol(symbol: &Value, of: Option<&str>, ours: &[&str]) -> Vec<String> {
    let path = path(symbol);
    let name = path.join(".");
    let mut wrong = Vec::new();
    if let Some(other) = of.filter(|of| !ours.contains(of) && !is_for_ours(symbol, ours)) {
        wrong.push(format!("{name} extends a type of {other}"));
    }
    let fragments = symbol["declarationFragments"].as_array().into_iter().flatten();
    let foreign = fragments.filter(|part| part["preciseIdentifier"].as_str().is_some_and(|id| id.starts_with(LOWER_MODULE)));
    wrong.extend(foreign.map(|part| format!("{name} uses {} of the lower module", part["spelling"].as_str().unwrap_or_default())));
    if LOWER_LAYER_WORDS.iter().any(|word| name.contains(word)) {
        wrong.push(format!("{name} contains a name of a lower layer"));
    }
    if path.iter().any(|part| is_snake_case(part)) {
        wrong.push(format!("{name} must be in camel case"));
    }
    let lines = symbol["docComment"]["lines"].as_array().into_iter().flatten();
    let text = lines.filter_map(|line| line["text"].as_str()).collect::<Vec<_>>().join("\n");
    if text.trim().is_empty() {
        wrong.push(format!("{name} has no documentation"));
    }
    let text = without_url_names(&text);
    let words = text.split(|char: char| !(char.is_alphanumeric() || char == '_')).filter(|word| is_snake_case(word));
    wrong.extend(words.map(|word| format!("the documentation of {name} contains the wire name `{word}`")));
    wrong
}

/// Removes names in a URL, which are the same in every language: placeholders in braces, and query parameters before `=`.
fn without_url_names(text: &str) -> String {
    let parts = text.split('{').enumerate();
    let text: String = parts.map(|(at, part)| if at == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) }).collect();
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    text.split_inclusive('=').map(|part| part.strip_suffix('=').map_or(part, |before| before.trim_end_matches(is_name))).collect()
}

fn is_snake_case(word: &str) -> bool {
    let word = word.trim_matches('_');
    word.contains('_') && word.chars().all(|char| char == '_' || char.is_ascii_lowercase() || char.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check_symbol;

    fn symbol(name: &str, docs: Option<&str>, identifier: &str) -> Value {
        let mut symbol = json!({
            "pathComponents": ["SleepRecord", name],
            "declarationFragments": [{ "spelling": "Part", "preciseIdentifier": identifier }],
        });
        if let Some(docs) = docs {
            symbol["docComment"] = json!({ "lines": [{ "text": docs }] });
        }
        symbol
    }

    fn findings(name: &str, docs: Option<&str>, identifier: &str) -> Vec<String> {
        check_symbol(&symbol(name, docs, identifier), None, &["Vitalwire"])
    }

    #[test]
    fn a_documented_symbol_in_swift_style_has_no_findings() {
        assert_eq!(findings("sleepDate", Some("The day."), "s:9Vitalwire12CalendarDateV"), Vec::<String>::new());
        assert_eq!(findings("redirectURL", Some("It may hold `{user_id}`."), "s:Sb"), Vec::<String>::new());
        assert_eq!(findings("redirectURL", Some("Query: `user_id=`, `provider_slug=`."), "s:Sb"), Vec::<String>::new());
    }

    #[test]
    fn every_problem_of_a_symbol_is_found() {
        assert_eq!(findings("sleepDate", None, "s:Sb"), ["SleepRecord.sleepDate has no documentation"]);
        assert_eq!(
            findings("sleepDate", Some("The day, `sleep_date`."), "s:Sb"),
            ["the documentation of SleepRecord.sleepDate contains the wire name `sleep_date`"]
        );
        assert_eq!(findings("sleep_date", Some("The day."), "s:Sb"), ["SleepRecord.sleep_date must be in camel case"]);
        assert_eq!(findings("RustBuffer", Some("Bytes."), "s:Sb"), ["SleepRecord.RustBuffer contains a name of a lower layer"]);
        assert_eq!(
            findings("sleepDate", Some("The day."), "s:12VitalwireFFI12CalendarDateV"),
            ["SleepRecord.sleepDate uses Part of the lower module"]
        );
    }

    #[test]
    fn an_extension_of_another_modules_type_is_found() {
        let symbol = symbol("later", Some("Later."), "s:Sb");
        assert_eq!(check_symbol(&symbol, Some("Swift"), &["Vitalwire"]), ["SleepRecord.later extends a type of Swift"]);
        assert_eq!(check_symbol(&symbol, Some("Vitalwire"), &["Vitalwire"]), Vec::<String>::new());
        let mut of_records = symbol;
        of_records["swiftExtension"] = json!({ "constraints": [{ "lhs": "Element", "rhsPrecise": "s:9Vitalwire9LabReportV" }] });
        assert_eq!(check_symbol(&of_records, Some("Swift"), &["Vitalwire"]), Vec::<String>::new());
    }
}
