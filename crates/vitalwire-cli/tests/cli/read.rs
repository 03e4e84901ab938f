//! Screens of the commands that read. The files in `screens` contain the output in 80 columns, reviewed against the interface.
//! `VITALWIRE_BLESS=1` updates them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::{RunningSandbox, run, vitalwire};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;
use vitalwire::open_sets::NutrientName;
use vitalwire::value::OpenSet;

const SANDBOX_OPTIONS: [&str; 5] = ["--sandbox", "--seed", "7", "--today", "2025-11-21"];

/// Number of nutrients in the interface when the files were reviewed. A new nutrient adds a line if the sandbox has a value for it.
const NUTRIENTS: usize = 33;

fn screen(columns: usize, arguments: &[&str]) -> String {
    let output =
        vitalwire().args(SANDBOX_OPTIONS).args(arguments).env("COLUMNS", columns.to_string()).output().expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn compare(name: &str, arguments: &[&str]) {
    let text = screen(80, arguments);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/screens").join(name).with_extension("txt");
    if std::env::var_os("VITALWIRE_BLESS").is_some() {
        std::fs::write(&file, &text).expect("the file is written");
    }
    let expected = std::fs::read_to_string(&file).expect("a reviewed file").replace("\r\n", "\n");
    if NutrientName::KNOWN.len() > NUTRIENTS {
        assert!(has_lines(&text, &expected), "{name}: {text}");
    } else {
        assert!(text == expected, "{name} differs; if it should, run the test with VITALWIRE_BLESS=1\n{text}\ninstead of\n{expected}");
    }
    for columns in [40, 60, 80, 120] {
        let text = screen(columns, arguments);
        for line in text.lines() {
            assert!(!line.ends_with(' ') && !line.contains('\u{1b}'), "{line:?}");
            assert!(line.width() <= columns, "{columns}: {line}");
        }
        // A long title takes two lines.
        assert!(text.lines().take(2).any(|line| line.ends_with(" synthetic data")), "{text}");
        let mut command = vitalwire();
        command.args(SANDBOX_OPTIONS).args(arguments).env("COLUMNS", columns.to_string()).env("LC_ALL", "C");
        let ascii = String::from_utf8(command.output().expect("the program starts").stdout).expect("UTF-8");
        assert!(ascii.is_ascii(), "{ascii}");
        let lengths = |text: &str| text.lines().map(UnicodeWidthStr::width).collect::<Vec<_>>();
        assert!(arguments.contains(&"upload") || text.contains("°C") || lengths(&ascii) == lengths(&text), "{ascii}");
    }
}

/// Whether a screen contains the lines of another in the same order, apart from column widths.
fn has_lines(screen: &str, of: &str) -> bool {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut lines = screen.lines().map(words);
    of.lines().map(words).all(|expected| lines.any(|line| line == expected))
}

#[test]
fn the_user_is_shown() {
    compare("user", &["user"]);
    compare("properties", &["properties"]);
}

#[test]
fn the_last_night_is_shown() {
    compare("sleep", &["sleep"]);
}

#[test]
fn statistics_are_shown() {
    let daily = "steps,distance_cycling,calories_burned_total,heartrate,hrv_rmssd,sleep_duration_total,sleep_skin_temperature_deviation";
    compare("stats-daily", &["stats", "daily", "--types", daily]);
    compare("stats-interval", &["stats", "interval", "--types", "steps,distance_total,heartrate_resting,hrv_sdnn"]);
}

/// By default, every statistic with a value has a line.
#[test]
fn every_statistic_with_a_value_is_shown() {
    for command in ["daily", "interval"] {
        let run = |format: &[&str]| {
            let output = vitalwire().args(SANDBOX_OPTIONS).args(["stats", command]).args(format).output().expect("the program starts");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let response: Value = serde_json::from_str(&run(&["--format", "json"])).expect("JSON");
        let buckets = response["statistics"].as_array().expect("a list").iter();
        let valued: BTreeSet<&String> = buckets.flat_map(|bucket| bucket["values"].as_object().expect("an object").keys()).collect();
        let shown = run(&[]);
        let lines = shown.lines().filter(|line| line.chars().any(|char| "▁▂▃▄▅▆▇█".contains(char))).count();
        assert!(lines > 10 && lines == valued.len(), "{shown}");
    }
}

#[test]
fn meals_reports_and_benefits_are_shown() {
    compare("nutrition-list", &["nutrition", "list", "--from", "2025-11-20T00:00:00Z"]);
    compare("labs-list", &["labs", "list"]);
    compare("benefits", &["benefits", "clinic-1", "patient-1", "policy-1"]);
    let one = |what: &str| {
        let list: Value = serde_json::from_str(&screen(80, &[what, "list", "--format", "json"])).expect("JSON");
        list[0]["record_id"].as_str().expect("an id").to_owned()
    };
    let (meal, report) = (one("nutrition"), one("labs"));
    compare("nutrition-get", &["nutrition", "get", &meal]);
    compare("labs-get", &["labs", "get", &report]);
    assert_eq!(screen(80, &["nutrition", "delete", &meal, "--format", "json"]), "");
}

#[test]
fn uploads_are_shown() {
    compare("nutrition-upload", &["nutrition", "upload"]);
    compare("nutrition-upload-wait", &["nutrition", "upload", "--wait", "--details", "--fields", "energy_kcal,protein_g,salt_g"]);
    compare("labs-upload-wait", &["labs", "upload", "--wait"]);
}

#[test]
fn integrations_are_shown() {
    compare("integrations-list", &["integrations", "list"]);
    let list = screen(80, &["integrations", "list"]);
    assert!(["garmin", "oura", "dexcom"].iter().all(|provider| list.contains(provider)), "{list}");
    assert!(screen(80, &["integrations", "delete", "oura"]).contains("Disconnected oura."));
}

#[test]
fn json_is_the_response_as_received() {
    let response: Value = serde_json::from_str(&screen(80, &["--format", "json", "stats", "daily", "--types", "steps"])).expect("JSON");
    let days = response["statistics"].as_array().expect("a list");
    assert_eq!((days.len(), response["from_date"].as_str(), response["to_date"].as_str()), (14, Some("2025-11-07"), Some("2025-11-20")));
    let steps: Vec<f64> = days.iter().map(|day| day["values"]["steps"].as_f64().expect("steps")).collect();
    // The table shows the same numbers.
    let text = screen(80, &["stats", "daily", "--types", "steps"]);
    let line = text.lines().find(|line| line.trim_start().starts_with("steps")).expect("a line of steps").replace(',', "");
    let least = steps.iter().copied().fold(f64::INFINITY, f64::min).to_string();
    assert!(line.contains(&format!(" {least} ")) && line.ends_with(&format!(" {}", steps[13])), "{line}");
}

/// Colours do not change the text, and NO_COLOR disables them.
#[test]
fn colours_do_not_change_the_text() {
    for arguments in [&["sleep"][..], &["stats", "daily"], &["nutrition", "list"], &["labs", "list"], &["user"]] {
        let plain = screen(80, arguments);
        let colored = vitalwire().args(SANDBOX_OPTIONS).args(arguments).args(["--color", "always"]).output().expect("the program starts");
        let colored = String::from_utf8(colored.stdout).expect("UTF-8");
        assert!(colored.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
        let mut command = vitalwire();
        command.args(SANDBOX_OPTIONS).args(arguments).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
        let rejected = command.output().expect("the program starts").stdout;
        assert!(!rejected.contains(&0x1b), "{arguments:?}");
    }
}

/// Calls a served sandbox like any service, with environment variables or options.
#[test]
fn variables_or_options_select_the_service() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let by_environment = vitalwire()
        .arg("user")
        .env("VITALWIRE_BASE_URL", served.field("base_url"))
        .env("VITALWIRE_TOKEN", served.field("token"))
        .env("VITALWIRE_PROXY", "none")
        .output()
        .expect("the program starts");
    let text = String::from_utf8(by_environment.stdout).expect("UTF-8");
    assert!(text.contains("person-1") && !text.contains("synthetic"), "{text}");
    let night = vitalwire()
        .args(["sleep", &served.field("sleep_id"), "--base-url", &served.field("base_url"), "--format", "json"])
        .env("VITALWIRE_BASE_URL", format!("{}/elsewhere", served.field("base_url")))
        .env("VITALWIRE_TOKEN", served.field("token"))
        .env("VITALWIRE_PROXY", "none")
        .output()
        .expect("the program starts");
    let night: Value = serde_json::from_slice(&night.stdout).expect("JSON");
    assert_eq!(night["sleep_date"], "2025-11-21");
}

#[test]
fn errors_have_exit_codes_and_contain_no_private_data() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let base = served.field("base_url");
    let unknown = "00000000-0000-4000-8000-000000000000";
    let token = served.field("token");
    for (base, token, arguments, code, kind) in [
        ("", "", &["user"][..], 10, "configuration"),
        (base.as_str(), "", &["user"], 10, "configuration"),
        (&base, "not-a-token", &["user"], 11, "authentication"),
        (&base, &token, &["sleep", unknown], 12, "not_found"),
        (&base, &token, &["sleep", ".."], 10, "invalid_argument"),
        (&base, &token, &["stats", "daily", "--types", "canary_type"], 12, "invalid_request"),
        ("http://127.0.0.1:1", &token, &["user"], 14, "transport"),
    ] {
        let mut command = vitalwire();
        command.args(arguments).env("VITALWIRE_BASE_URL", base).env("VITALWIRE_TOKEN", token).env("VITALWIRE_PROXY", "none");
        let output = command.env("VITALWIRE_MAX_RETRIES", "0").output().expect("the program starts");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.starts_with(&format!("vitalwire: {kind}: ")) && output.stdout.is_empty(), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("hint: ") || line.starts_with("  query.")), "{text}");
        assert!(
            !text.contains(unknown) && text.contains("hint: unknown to this program: `canary_type`") == arguments.contains(&"canary_type"),
            "{text}"
        );
        assert!(token.is_empty() || !text.contains(token), "{text}");
    }
}

#[test]
fn an_error_is_explained_as_json() {
    let explained = |arguments: &[&str]| {
        let output = run(&[&["explain"], arguments].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        output.stdout
    };
    let value: Value = serde_json::from_slice(&explained(&["NotFoundError", "--format", "json"])).expect("JSON");
    for (name, expected) in [
        ("code", json!(1201)),
        ("error", json!("not_found")),
        ("status", json!("404")),
        ("is_transient", json!(false)),
        ("exit_code", json!(12)),
    ] {
        assert_eq!(value[name], expected, "{value}");
    }
    assert!(["meaning", "remedy"].iter().all(|name| value[name].as_str().is_some_and(|text| text.ends_with('.'))), "{value}");
    let all: Value = serde_json::from_slice(&explained(&["--format", "json"])).expect("JSON");
    assert_eq!(all.as_array().map(Vec::len), Some(vitalwire::ErrorKind::ALL.len() + 1));
    // Whether a failure of the service is transient depends on its status.
    assert_eq!(
        all.as_array().and_then(|all| all.iter().find(|kind| kind["code"] == 1302)).map(|kind| &kind["is_transient"]),
        Some(&Value::Null)
    );
    assert_eq!(explained(&["1201", "--format", "table"]), explained(&["not_found"]));
    // Only the package for Kotlin and Java has this kind, so this program never exits with it.
    let library: Value = serde_json::from_slice(&explained(&["VitalwireException.Library", "--format", "json"])).expect("JSON");
    assert_eq!((&library["code"], &library["exit_code"]), (&json!(1902), &Value::Null));
}

#[test]
fn contradicting_options_are_rejected() {
    for arguments in [
        &["sleep", "x", "--date", "today"][..],
        &["--seed", "7", "user"],
        &["--sandbox", "--base-url", "http://127.0.0.1:1", "user"],
        &["--sandbox", "user", "--care-base-url", "http://127.0.0.1:1"],
        &["demo", "--format", "json"],
        &["explain", "1201", "--format", "csv"],
        &["sandbox", "--base-url", "http://127.0.0.1:1"],
        &["--sandbox", "stats"],
        &["--sandbox", "stats", "daily", "--from", "tomorrow"],
        &["--sandbox", "user", "--format", "xml"],
        &["user", "--token", "x"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}
