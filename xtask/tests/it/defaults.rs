//! Compares the tables of defaults in the READMEs with the core's source.

use std::path::Path;

use vitalwire_codegen::ir::features::{SETTINGS, ValueType};
use vitalwire_codegen::naming::camel;

const READMES: [&str; 5] = [
    "crates/vitalwire/README.md",
    "bindings/python/README.md",
    "bindings/swift/README.md",
    "bindings/kotlin/README.md",
    "bindings/c/README.md",
];

/// The engine's defaults.
const DEFAULTS: &str = "vitalwire-runtime/src/defaults.rs";

/// Limits: name in the tables, file below `crates/` that states it, text before its value, and unit.
const LIMITS: [(&str, &str, &str, &str); 11] = [
    ("connect timeout", DEFAULTS, " CONNECT_TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("attempt timeout", DEFAULTS, " ATTEMPT_TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("total timeout of a call, retries included", DEFAULTS, " TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("attempt timeout of an upload", DEFAULTS, " UPLOAD_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("total timeout of an upload, retries included", DEFAULTS, " UPLOAD_TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("timeout of waiting for an analysis", "vitalwire-runtime/src/wait/mod.rs", "DEFAULT_TIMEOUT: Duration = Duration::from_secs(", "s"),
    ("retries after the first attempt", DEFAULTS, " MAX_RETRIES: u32 = ", ""),
    ("retries of all calls together while none succeeds; 10 successes return at least one", DEFAULTS, " RETRY_BUDGET: u32 = ", ""),
    ("concurrent attempts; further calls wait", DEFAULTS, " MAX_CONNECTIONS: usize = ", ""),
    ("size of a response", DEFAULTS, " MAX_RESPONSE_BYTES: u64 = ", "MiB"),
    ("size of a file that an upload reads", "vitalwire/src/upload/mod.rs", "MAX_READ: usize = ", "MiB"),
];

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// Returns the number that follows a text in a source file of the core. Sizes are written there as `64 << 20`.
fn value(file: &str, before: &str, unit: &str) -> String {
    let source = read(&format!("crates/{file}"));
    // Take the first number, because the type may precede the value.
    let found = source.match_indices(before).find_map(|(at, _)| {
        let rest = source.get(at + before.len()..)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        assert!(unit != "MiB" || digits.is_empty() || rest.starts_with(&format!("{digits} << 20")), "{file}: {before}");
        (!digits.is_empty()).then_some(digits)
    });
    let number = found.unwrap_or_else(|| panic!("{file} has no number after `{before}`"));
    format!("{number} {unit}").trim_end().to_owned()
}

#[test]
fn every_table_states_the_defaults_of_the_core() {
    let expected: Vec<(String, String)> =
        LIMITS.iter().map(|(limit, file, before, unit)| ((*limit).to_owned(), value(file, before, unit))).collect();
    for readme in READMES {
        let text = read(readme);
        let table = text.split("## Defaults\n").nth(1).unwrap_or_else(|| panic!("{readme} has no section `Defaults`"));
        let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'));
        let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let found: Vec<(String, String)> = rows.map(|row| (cells(row)[1].clone(), cells(row)[2].clone())).collect();
        assert_eq!(found, expected, "{readme}");
    }
}

/// Checks the row of the tables that states how many successes return a retry. A success after a retry returns a whole retry.
#[test]
fn the_retry_budget_works_as_the_tables_state() {
    assert_eq!(
        (
            value("vitalwire-runtime/src/transport/retry.rs", "RETRY_COST: u32 = ", ""),
            value("vitalwire-runtime/src/transport/retry.rs", "SUCCESS_GAIN: u32 = ", "")
        ),
        ("10".into(), "1".into())
    );
}

/// Client settings of the IR: row in the tables, and name.
const ROWS: [(usize, &str); 9] = [
    (0, "connect_timeout"),
    (1, "attempt_timeout"),
    (2, "timeout"),
    (3, "upload_attempt_timeout"),
    (4, "upload_timeout"),
    (6, "max_retries"),
    (7, "retry_budget"),
    (8, "max_connections"),
    (9, "max_response_bytes"),
];

/// Returns a setting's name in the language of a README.
fn name_in(readme: &str, name: &str, value_type: ValueType) -> String {
    match readme.split('/').nth(1) {
        Some("c") => format!("vitalwire_client_builder_set_{name}{}", if matches!(value_type, ValueType::Duration) { "_ms" } else { "" }),
        Some("swift") => swift_path(name),
        Some("kotlin") => camel(name),
        // The budget is part of the retry policy.
        Some("vitalwire") if name == "retry_budget" => "RetryPolicy::budget".to_owned(),
        _ => name.to_owned(),
    }
}

/// Returns the name of a setting with its group in Swift's `ClientOptions`.
fn swift_path(name: &str) -> String {
    let path = match name {
        "connect_timeout" => "timeouts.connect",
        "attempt_timeout" => "timeouts.attempt",
        "timeout" => "timeouts.call",
        "upload_attempt_timeout" => "timeouts.uploadAttempt",
        "upload_timeout" => "timeouts.upload",
        "max_retries" => "retry.maxRetries",
        "retry_budget" => "retry.budget",
        "max_connections" => "network.maxConnections",
        _ => return camel(name),
    };
    path.to_owned()
}

#[test]
fn the_tables_name_settings_as_in_each_language() {
    for (row, name) in ROWS {
        let setting = SETTINGS.iter().find(|setting| setting.name == name).unwrap_or_else(|| panic!("no setting {name}"));
        let (limit, file, before, unit) = LIMITS[row];
        let value = value(file, before, unit);
        for readme in READMES {
            let text = read(readme);
            let line = format!("| {limit} | {value} | `{}` |", name_in(readme, name, setting.value_type));
            assert!(text.lines().any(|found| found == line), "{readme}: {line}");
        }
    }
}

#[test]
fn the_variables_of_the_command_line_have_the_same_defaults() {
    let numbers = |text: &str| {
        let words = text.split(|character: char| !character.is_ascii_alphanumeric()).map(str::to_owned);
        words.filter(|word| word.parse::<u64>().is_ok() || word == "true" || word == "false").collect::<Vec<_>>()
    };
    let page = read("docs/site/command-line.md");
    let mut compared = 0;
    for setting in SETTINGS {
        let start = format!("| `VITALWIRE_{}` |", setting.name.to_uppercase());
        let Some(line) = page.lines().find(|line| line.starts_with(&start)) else { continue };
        let (Some(default), Some((_, stated))) = (setting.default, line.split_once("Defaults to ")) else { continue };
        let default = if default == "64 MiB" { (64 << 20).to_string() } else { default.to_owned() };
        assert_eq!(numbers(stated), numbers(&default), "{line}");
        compared += 1;
    }
    assert!(compared >= 9, "only {compared} variables were compared");
}
