//! Shell completions: the scripts, and the candidates that they request.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{run, vitalwire};

/// Returns the candidates for the last of these words, as bash requests them.
fn candidates(words: &[&str]) -> Vec<String> {
    let mut command = vitalwire();
    command.env("VITALWIRE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    let output = command.arg("--").args(words).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").split(['\u{b}', '\n']).map(str::to_owned).collect()
}

#[test]
fn commands_options_and_names_are_completed() {
    assert_eq!(candidates(&["vitalwire", "nutr"]), ["nutrition"]);
    assert_eq!(candidates(&["vitalwire", "help", "integr"]), ["integrations"]);
    assert_eq!(candidates(&["vitalwire", "stats", "daily", "--split"]), ["--split-days"]);
    assert_eq!(candidates(&["vitalwire", "labs", "list", "--care-base"]), ["--care-base-url"]);
    assert!(candidates(&["vitalwire", "integrations", "init-url", "samsung"]).contains(&"samsung_health_data".to_owned()));
}

#[test]
fn names_after_a_comma_are_completed() {
    let types = candidates(&["vitalwire", "stats", "daily", "--types", "steps,heartrate_m"]);
    assert_eq!(types, ["steps,heartrate_max", "steps,heartrate_min"]);
    let fields = candidates(&["vitalwire", "nutrition", "upload", "--fields", "energy_kcal,protein_g,vitamin_a"]);
    assert_eq!(fields, ["energy_kcal,protein_g,vitamin_a_rae_mcg"]);
}

#[cfg(feature = "tables")]
#[test]
fn tables_of_cohorts_are_completed() {
    let tables = candidates(&["vitalwire", "cohort", "export", "--tables", "daily,sleep"]);
    assert_eq!(tables, ["daily,sleeps", "daily,sleep_stages"]);
}

#[test]
fn dates_and_profiles_are_completed() {
    let today = jiff::Zoned::now().date().to_string();
    for options in [&["sleep", "--date"][..], &["stats", "daily", "--from"], &["stats", "interval", "--to"], &["labs", "list", "--from"]] {
        let dates = candidates(&[&["vitalwire"], options, &[""]].concat());
        assert!(dates.starts_with(&["today", "yesterday", "-7d", "-30d"].map(str::to_owned)), "{options:?}: {dates:?}");
        assert!(dates.contains(&today), "{options:?}: {dates:?}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "[profile.home]\n[profile.staging]\n").expect("a file");
    let file = file.to_str().expect("text");
    assert_eq!(candidates(&["vitalwire", "--config", file, "--profile", ""]), ["home", "staging"]);
    assert_eq!(candidates(&["vitalwire", "--config", file, "user", "--profile", "s"]), ["staging"]);
    // A file that cannot be read has no profiles. It is not an error here.
    assert_eq!(candidates(&["vitalwire", "--config", "no/such/file", "--profile", ""]), [""]);
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        assert!(script.contains("VITALWIRE_COMPLETE") && script.contains("vitalwire"), "{shell}: {script}");
    }
    let unknown = vitalwire().env("VITALWIRE_COMPLETE", "dance").args(["--", "vitalwire"]).output().expect("it starts");
    assert!(!unknown.status.success() && unknown.stdout.is_empty(), "{unknown:?}");
}

/// Runs the bash script with bash, if it is installed.
#[test]
fn bash_completes_with_its_script() {
    let program = Path::new(env!("CARGO_BIN_EXE_vitalwire"));
    let path = format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let lines = r#"eval "$(vitalwire completions bash)"
COMP_WORDS=(vitalwire stats daily --types steps,hrv_r) COMP_CWORD=4 COMP_TYPE=9
_clap_complete_vitalwire vitalwire steps,hrv_r --types
echo "${COMPREPLY[@]}""#;
    let bash = Command::new("bash").args(["--norc", "-c", lines]).env("PATH", path).stdin(Stdio::null()).output();
    let Ok(output) = bash else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "steps,hrv_rmssd\n", "{output:?}");
}
