//! Compares texts and defaults of the rows with the engine's documentation and `defaults.rs`.

use std::collections::BTreeMap;
use std::path::Path;

use vitalwire_codegen::ir::features::{CALL_OPTIONS, ERROR_FIELDS, ErrorFieldType, SETTINGS};

use super::features::{documented, field_texts};

/// Returns the engine's constants by name, in the form of texts: `10 seconds`, `64 MiB`, `true`.
fn constants() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire-runtime/src/defaults.rs");
    let file = syn::parse_file(&std::fs::read_to_string(path).expect("the engine's defaults")).expect("Rust");
    let constants = file.items.into_iter().filter_map(|item| match item {
        // An unnamed constant is an assertion.
        syn::Item::Const(item) if item.ident != "_" => Some((item.ident.to_string().to_lowercase(), default_text(&item.expr))),
        _ => None,
    });
    constants.collect()
}

fn default_text(value: &syn::Expr) -> String {
    match value {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Bool(flag) => flag.value.to_string(),
            syn::Lit::Int(number) => number.base10_digits().to_owned(),
            syn::Lit::Float(number) => number.base10_parse::<f64>().expect("a number").to_string(),
            _ => panic!("an unsupported type of default"),
        },
        syn::Expr::Binary(shifted) if default_text(&shifted.right) == "20" => format!("{} MiB", default_text(&shifted.left)),
        syn::Expr::Call(call) => {
            let function = quote::ToTokens::to_token_stream(&call.func).to_string();
            let unit = if function.ends_with("from_secs") { "seconds" } else { "milliseconds" };
            assert!(function.ends_with("from_secs") || function.ends_with("from_millis"), "{function}");
            format!("{} {unit}", default_text(&call.args[0]))
        }
        _ => panic!("an unsupported form of default"),
    }
}

#[test]
fn the_rows_state_the_engine_s_defaults() {
    let constants = constants();
    let default = |name: &str| constants.get(name).unwrap_or_else(|| panic!("defaults.rs has no {name}")).clone();
    for row in SETTINGS {
        let expected = match row.name {
            "attempt_timeout" | "timeout" => format!("{}, or {} for uploads", default(row.name), default(&format!("upload_{}", row.name))),
            "upload_attempt_timeout" => format!("the attempt timeout if that is set, otherwise {}", default(row.name)),
            "upload_timeout" => format!("the timeout if that is set, otherwise {}", default(row.name)),
            // Defaults without a constant.
            "proxy" => "the proxy of the environment".to_owned(),
            "array_style" => "repeated keys".to_owned(),
            name if row.default.is_none() => {
                assert!(!constants.contains_key(name), "the row {name} states no default");
                continue;
            }
            name => default(name),
        };
        assert_eq!(row.default, Some(expected.as_str()), "{}", row.name);
    }
    let unused: Vec<&String> = constants.keys().filter(|name| !SETTINGS.iter().any(|row| row.name == *name)).collect();
    assert_eq!(unused, [""; 0], "every default belongs to a setting");
    // The engine derives the defaults of options, so flags are false.
    assert!(CALL_OPTIONS.iter().all(|row| row.default.is_none_or(|default| default == "false")));
}

#[test]
fn the_engine_documents_settings_with_the_texts_of_the_rows() {
    let settings = SETTINGS.iter().map(|row| (row.name, row.text().replace("the {service} service", "a service")));
    compare("ClientBuilder", "client", settings);
    compare("CallOptions", "transport/options.rs", CALL_OPTIONS.iter().map(|row| (row.name, row.text())));
    // A call has methods for the most common options.
    let call = documented("Call<O>", "client/call.rs");
    let common = CALL_OPTIONS.iter().filter(|row| call.contains_key(row.name)).map(|row| (row.name, row.text())).collect::<Vec<_>>();
    assert!(common.len() >= 5, "the options of a call are read");
    compare("Call<O>", "client/call.rs", common);
}

#[test]
fn the_retry_policy_documents_its_fields_with_the_same_texts() {
    let fields = field_texts("RetryPolicy", "transport/retry_policy.rs");
    for (field, setting) in [
        ("max_retries", "max_retries"),
        ("base_delay", "retry_base_delay"),
        ("max_delay", "retry_max_delay"),
        ("retry_after_cap", "retry_after_cap"),
        ("budget", "retry_budget"),
    ] {
        let row = SETTINGS.iter().find(|row| row.name == setting).expect(setting);
        assert!(fields[field].starts_with(&row.text()), "{field}: {}", fields[field]);
    }
}

#[test]
fn the_engine_documents_error_fields_with_the_texts_of_the_rows() {
    let facts = ERROR_FIELDS.iter().filter(|fact| fact.field_type != ErrorFieldType::Record);
    compare("Error", "error", facts.map(|fact| (fact.name, fact.text.to_owned())));
}

/// Files with hand-written documentation of wait options, relative to the repository.
const WAITS: [&str; 7] = [
    "crates/vitalwire-runtime/src/wait/mod.rs",
    "crates/vitalwire-uniffi/src/wait.rs",
    "crates/vitalwire-c/src/waits.rs",
    "bindings/c/include/vitalwire/cpp/waits.hpp",
    "bindings/swift/Sources/Vitalwire/Client/WaitOptions.swift",
    "bindings/kotlin/src/main/kotlin/dev/vitalwire/WaitOptions.kt",
    "crates/vitalwire-codegen/src/python/options.rs",
];

#[test]
fn every_language_states_the_engine_s_defaults_of_waits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let seconds = |path: &str, constant: &str| {
        let text = read(path);
        let (_, rest) = text.split_once(&format!("{constant}: Duration = Duration::from_secs(")).unwrap_or_else(|| panic!("no {constant}"));
        rest.split(')').next().unwrap_or_default().to_owned()
    };
    let timeout = seconds("crates/vitalwire-runtime/src/wait/mod.rs", "DEFAULT_TIMEOUT");
    let [floor, ceiling] = ["FLOOR", "CEILING"].map(|constant| seconds("crates/vitalwire-runtime/src/wait/interval.rs", constant));
    for path in WAITS {
        // A sentence may continue in the next line of a comment.
        let lines = read(path).lines().map(|line| line.trim().trim_start_matches(['/', '*', '!']).trim().to_owned()).collect::<Vec<_>>();
        let text = lines.join(" ");
        // Python states times in seconds.
        let (total, interval) = match path.ends_with("python/options.rs") {
            true => (format!("Defaults to {timeout}."), format!("Defaults to {floor} and {ceiling}.")),
            false => (format!("Defaults to {timeout} seconds."), format!("Defaults to {floor} second, growing to {ceiling} seconds.")),
        };
        assert!(text.contains(&total), "{path}: {total}");
        assert!(text.contains(&interval), "{path}: {interval}");
    }
}

/// Compares the engine's documentation with texts. It may have further sentences.
fn compare(type_name: &str, path: &str, texts: impl IntoIterator<Item = (&'static str, String)>) {
    let documented = documented(type_name, path);
    for (name, text) in texts {
        let engine = documented.get(name).unwrap_or_else(|| panic!("{type_name} has no {name}"));
        assert!(engine.starts_with(&text), "{type_name}::{name} in {path}\nthe engine: {engine}\nthe row:    {text}");
    }
}
