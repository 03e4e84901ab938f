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

/// Shells pass words as they were typed: zsh all of them, fish the last one.
#[test]
fn quotes_of_words_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my config.toml");
    std::fs::write(&path, "[profile.'a b']\n[profile.home]\n").expect("a file");
    let path = path.to_str().expect("text");
    let quoted = format!("'{path}'");
    for (shell, config, word, expected) in [
        ("zsh", quoted.as_str(), "'a", "a b"),
        ("zsh", &quoted, "\"a b\"", "a b"),
        ("zsh", &path.replace(' ', "\\ "), "a\\ ", "a b"),
        ("fish", path, "'a", "a b\n"),
        ("fish", path, "a\\ b", "a b\n"),
    ] {
        let mut command = vitalwire();
        command.env("VITALWIRE_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", "4");
        let output = command.args(["--", "vitalwire", "--config", config, "--profile", word]).output().expect("it starts");
        assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), expected, "{shell} {config} {word}");
    }
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

/// Completes a line with bash and its script, if bash is installed. `words` are as bash splits the line. Returns one candidate per line.
fn bash_completes(folder: &Path, words: &str, word: &str) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_vitalwire"));
    let path = format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let lines = format!(
        r#"eval "$(vitalwire completions bash)"
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) COMP_TYPE=9
_clap_complete_vitalwire vitalwire {word} ""
printf '%s\n' "${{COMPREPLY[@]}}""#
    );
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &lines]).env("PATH", path).env("HOME", folder).current_dir(folder).stdin(Stdio::null());
    let output = bash.output().ok()?;
    assert!(output.stderr.is_empty(), "{words}: {output:?}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn bash_completes_with_its_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(types) = bash_completes(folder.path(), "vitalwire stats daily --types steps,hrv_r", "steps,hrv_r") else { return };
    assert_eq!(types, "steps,hrv_rmssd\n");
}

/// Candidates are whole words, whatever characters they contain. Nothing is run or expanded.
#[test]
fn bash_candidates_are_quoted() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["file1", "file2"] {
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    std::fs::create_dir(folder.path().join("my files")).expect("a folder");
    let profiles = r#"[profile."*"]
[profile."a b"]
[profile."a'c"]
[profile."$(touch X)"]
[profile."`touch X`"]
[profile.home]
"#;
    std::fs::write(folder.path().join("my files/c.toml"), profiles).expect("a file");
    std::fs::write(folder.path().join("c.toml"), profiles).expect("a file");
    let all = "'*'\n'a b'\n'a'\\''c'\n'$(touch X)'\n'`touch X`'\nhome\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for (words, word, expected) in [
        ("vitalwire --config c.toml --profile ''", "''", all),
        ("vitalwire --config = c.toml --profile ''", "''", all),
        ("vitalwire --config=c.toml --profile ''", "''", all),
        (r#"vitalwire --config "'my files/c.toml'" --profile ''"#, "''", all),
        (r#"vitalwire --config '"my files/c.toml"' --profile ''"#, "''", all),
        (r"vitalwire --config 'my\ files/c.toml' --profile ''", "''", all),
        (r#"vitalwire --config = "'my files/c.toml'" user --profile ''"#, "''", all),
        (r"vitalwire --config '~/c.toml' --profile ''", "''", all),
        ("vitalwire --config c.toml --profile a", "a", "'a b'\n'a'\\''c'\n"),
        ("vitalwire --config c.toml --profile = h", "h", "home\n"),
        ("vitalwire --config c.toml user --profile = ''", "''", all),
        // After an opening quote, which bash keeps.
        (r#"vitalwire --config c.toml --profile "'a""#, "a", "a b\na'\\''c\n"),
        (r#"vitalwire --config c.toml --profile '"$'"#, "'$'", "\\$(touch X)\n"),
        (r"vitalwire --config c.toml --profile 'a\ '", r"'a\ '", "'a b'\n"),
    ] {
        let Some(candidates) = bash_completes(folder.path(), words, word) else { return };
        assert_eq!(sorted(&candidates), sorted(expected), "{words}");
    }
    assert!(!folder.path().join("X").exists());
}

/// A name from the configuration file must neither steer the terminal nor run a command.
#[test]
fn profiles_that_cannot_be_quoted_are_no_candidates() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.toml");
    let profiles = "[profile.\"a\\u001b[2Jb\"]\n[profile.\"a\\nb\"]\n[profile.\"a\\u202eb\"]\n[profile.\"a\\tb\"]\n[profile.\"a$(touch X)\"]\n[profile.\"a;b\"]\n[profile.a1]\n";
    std::fs::write(&path, profiles).expect("a file");
    let path = path.to_str().expect("text");
    for (shell, expected) in [
        ("bash", &["'a$(touch X)'", "a1", "'a;b'"][..]),
        ("zsh", &["a$(touch X)", "a1", "a;b"]),
        ("fish", &["a$(touch X)", "a1", "a;b"]),
        ("elvish", &["a$(touch X)", "a1", "a;b"]),
        ("powershell", &["a1"]),
    ] {
        let mut command = vitalwire();
        command.env("VITALWIRE_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", "4").env("_CLAP_IFS", "\n");
        let output = command.args(["--", "vitalwire", "--config", path, "--profile", "a"]).output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\t')).collect();
        lines.sort_by_key(|line| line.trim_matches('\'').to_owned());
        assert_eq!(lines, expected, "{shell}");
    }
}
