//! Settings: options before variables before the configuration file; tokens from files and commands; what is wrong in the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::vitalwire;
use crate::scripted::{Reply, Scripted};

const USER: &str = r#"{"application_user_id":"u"}"#;

/// A folder with a configuration file that its owner alone can read.
fn configured(text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("config.toml");
    write(&path, text);
    (folder, path)
}

/// A file that its owner alone can read.
fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    restrict(path, 0o600);
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) {}

fn user(path: &Path, change: impl FnOnce(&mut Command)) -> Output {
    let mut command = vitalwire();
    command.arg("user").env("VITALWIRE_CONFIG", path).env("VITALWIRE_MAX_RETRIES", "0");
    change(&mut command);
    command.output().expect("it starts")
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn options_come_before_variables_before_the_file() {
    for (option, variable, asked) in [(true, true, 0), (false, true, 1), (false, false, 2)] {
        let servers = [Scripted::json(USER), Scripted::json(USER), Scripted::json(USER)];
        let (folder, path) = configured(&format!("base_url = \"{}\"\ntoken_file = \"t\"\n", servers[2].url));
        write(&folder.path().join("t"), "of-the-file");
        let output = user(&path, |command| {
            if option {
                command.args(["--base-url", &servers[0].url]);
            }
            if variable {
                command.env("VITALWIRE_BASE_URL", &servers[1].url).env("VITALWIRE_TOKEN", "of-the-variable");
            }
        });
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let counts = servers.each_ref().map(|server| server.requests().len());
        assert_eq!(counts, [0, 1, 2].map(|at| usize::from(at == asked)));
        let request = servers[asked].only();
        assert_eq!((request.line.as_str(), request.body.as_str()), ("GET /v3/userinfo", ""));
        assert_eq!(request.bearer(), if variable { "of-the-variable" } else { "of-the-file" });
    }
}

/// A base URL copied from a documentation page, with the version prefix of all paths.
#[test]
fn a_base_url_that_ends_in_a_version_is_refused() {
    let (_folder, path) = configured("");
    let server = Scripted::start(|_, _| Reply::problem(404, "{}"));
    let call = |arguments: &[&str], name: &str, end: &str| {
        let mut command = server.caller(arguments);
        let output = command.env("VITALWIRE_CONFIG", &path).env(name, format!("{}{end}", server.url)).output().expect("it starts");
        assert_eq!(output.stdout.len(), 0, "{output:?}");
        told(&output)
    };
    for end in ["/v3", "/v3/"] {
        let told = call(&["user"], "VITALWIRE_BASE_URL", end);
        assert!(told.contains("configuration: the base URL must not end in /v3"), "{told}");
    }
    let told = call(&["benefits", "1", "2", "3"], "VITALWIRE_CARE_BASE_URL", "/public/v1");
    assert!(told.contains("the care base URL must not end in /public/v1"), "{told}");
    assert!(server.requests().is_empty());
    call(&["user"], "VITALWIRE_BASE_URL", "/v30");
    assert_eq!(server.only().line, "GET /v30/v3/userinfo");
}

#[cfg(unix)]
#[test]
fn a_token_comes_from_a_file_or_a_command() {
    let server = Scripted::json(USER);
    let (folder, path) = configured(&format!(
        "base_url = \"{}\"\ntoken_file = \"key.txt\"\n[profile.made]\ntoken_command = [\"printf\", \"of-the-%s\\n\", \"command\"]\n",
        server.url
    ));
    // The line end that editors add is no part of it.
    write(&folder.path().join("key.txt"), "beside-the-file\n");
    assert!(user(&path, |_| {}).status.success());
    let made = user(&path, |command| {
        command.args(["--profile", "made"]);
    });
    assert!(made.status.success(), "{made:?}");
    let tokens: Vec<String> = server.requests().iter().map(|request| request.bearer().to_owned()).collect();
    assert_eq!(tokens, ["beside-the-file", "of-the-command"]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_setting_or_token() {
    let server = Scripted::json(USER);
    let (folder, path) = configured(&format!("\u{feff}base_url = \"{}\"\ntoken_file = \"key.txt\"\n", server.url));
    write(&folder.path().join("key.txt"), "\u{feff}beside-the-file\r\n");
    assert!(user(&path, |_| {}).status.success());
    let by_variable = user(&path, |command| {
        command.env("VITALWIRE_TOKEN", "\u{feff}of-the-variable\n");
    });
    assert!(by_variable.status.success(), "{by_variable:?}");
    let tokens: Vec<String> = server.requests().iter().map(|request| request.bearer().to_owned()).collect();
    assert_eq!(tokens, ["beside-the-file", "of-the-variable"]);
}

#[test]
fn a_token_that_was_copied_with_too_much_is_refused_and_not_shown() {
    let server = Scripted::json(USER);
    let (folder, path) = configured(&format!("base_url = \"{}\"\ntoken_file = \"key.txt\"\n", server.url));
    for (token, why) in [
        ("\"CANARY\"\n", "the token is in quotes; remove them"),
        ("Bearer CANARY\n", "the token begins with `Bearer `; remove that"),
        ("CANARY CANARY", "the token contains white space"),
        ("CANARY\u{fc}", "the token contains a character that is not ASCII"),
    ] {
        write(&folder.path().join("key.txt"), token);
        let by_file = user(&path, |_| {});
        let by_variable = user(&path, |command| {
            command.env("VITALWIRE_TOKEN", token);
        });
        for output in [by_file, by_variable] {
            let told = told(&output);
            assert!(!output.status.success() && told.contains(why) && !told.contains("CANARY"), "{told}");
        }
    }
    assert!(server.requests().is_empty());
}

#[cfg(unix)]
#[test]
fn a_command_is_asked_again_when_its_token_is_refused() {
    let server = Scripted::start(|_, request| match request.bearer() {
        "second" => Reply::json(USER),
        _ => Reply::problem(401, "{}"),
    });
    let (folder, path) = configured("");
    let seen = folder.path().join("seen");
    let script = "if [ -e \"$0\" ]; then echo second; else touch \"$0\"; echo first; fi";
    let (script, seen) = (script.replace('"', "\\\""), seen.display());
    write(&path, &format!("base_url = \"{}\"\ntoken_command = [\"sh\", \"-c\", \"{script}\", \"{seen}\"]\n", server.url));
    let output = user(&path, |_| {});
    assert!(output.status.success(), "{output:?}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_token_that_cannot_be_had_is_told_without_what_was_read() {
    for (token, why) in [
        ("token_command = [\"sh\", \"-c\", \"echo CANARY; exit 3\"]", "the token command failed (exit status: 3)"),
        ("token_command = [\"sh\", \"-c\", \"true CANARY\"]", "the token command printed no token"),
        ("token_command = [\"/nowhere/program\"]", "the token command does not start: "),
        ("token_command = []", "the token command is empty"),
        ("token_file = \"none.txt\"", "none.txt cannot be read: "),
    ] {
        // A missing file is a matter of the configuration, as everywhere.
        let (code, kind) = if token.starts_with("token_file") { (10, "configuration") } else { (11, "authentication") };
        let server = Scripted::json(USER);
        let (_folder, path) = configured(&format!("base_url = \"{}\"\n{token}\n", server.url));
        let output = user(&path, |_| {});
        let told = told(&output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        let (first, hint) = told.split_once("\nhint: the configuration file names ").unwrap_or_else(|| panic!("{told}"));
        assert!(first.starts_with(&format!("vitalwire: {kind}: ")) && first.contains(why) && hint.lines().count() == 1, "{told}");
        assert!(!told.contains("CANARY") && server.requests().is_empty(), "{told}");
    }
}

#[test]
fn a_profile_with_a_service_of_its_own_takes_no_token_from_above() {
    let (main, other) = (Scripted::json(USER), Scripted::json(USER));
    let (folder, path) = configured(&format!(
        "base_url = \"{}\"\ntoken_file = \"t\"\n[profile.other]\nbase_url = \"{}\"\n[profile.slow]\ntimeout = 120\n",
        main.url, other.url
    ));
    write(&folder.path().join("t"), "of-the-main-service");
    let refused = user(&path, |command| {
        command.args(["--profile", "other"]);
    });
    assert_eq!(refused.status.code(), Some(10));
    assert!(told(&refused).contains("no token is set") && other.requests().is_empty());
    // The same service: its token is as good.
    let slow = user(&path, |command| {
        command.env("VITALWIRE_PROFILE", "slow");
    });
    assert!(slow.status.success() && main.only().bearer() == "of-the-main-service", "{slow:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_usual_place_is_looked_at_and_a_default_profile_used() {
    let server = Scripted::json(USER);
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("vitalwire")).expect("a folder");
    let text =
        format!("default_profile = \"b\"\n[profile.a]\nbase_url = \"http://127.0.0.1:1\"\n[profile.b]\nbase_url = \"{}\"\n", server.url);
    write(&folder.path().join("vitalwire/config.toml"), &text);
    let run = |profile: &[&str]| {
        let mut command = vitalwire();
        command.arg("user").args(profile).env("XDG_CONFIG_HOME", folder.path()).env("VITALWIRE_TOKEN", "t");
        command.env("VITALWIRE_MAX_RETRIES", "0").output().expect("it starts")
    };
    assert!(run(&[]).status.success());
    assert_eq!(server.requests().len(), 1);
    assert_eq!(run(&["--profile", "a"]).status.code(), Some(14));
    let unknown = run(&["--profile", "c"]);
    assert_eq!(unknown.status.code(), Some(10));
    assert!(told(&unknown).contains("no profile `c`; there are a, b"), "{unknown:?}");
}

#[test]
fn mistakes_name_the_file_and_the_line() {
    for (text, line, part) in [
        ("base_url = \"https://h.example\"\ntimout = 3\n", 2, "unknown setting `timout`; did you mean `timeout`?"),
        ("token = \"CANARY\n", 1, "not TOML"),
        ("[profile.x]\ntoken = \"CANARY\"\ntoken_file = \"CANARY\"\n", 3, "one must go"),
    ] {
        let (_folder, path) = configured(text);
        let output = user(&path, |_| {});
        let told = told(&output);
        assert_eq!(output.status.code(), Some(10));
        assert!(told.starts_with(&format!("vitalwire: configuration: {}, line {line}: ", path.display())), "{told}");
        assert!(told.contains(part) && !told.contains("CANARY"), "{told}");
    }
    // A value that the client refuses is traced to its line as well.
    for (text, key) in [("\n\ntimeout = \"CANARY\"\n", "timeout"), ("\n\nproxy = \"CANARY://\"\n", "proxy")] {
        let (_folder, path) = configured(text);
        let output = user(&path, |_| {});
        let told = told(&output);
        assert_eq!(output.status.code(), Some(10));
        let hint = format!("hint: the value is that of `{key}` in line 3 of {}", path.display());
        assert!(told.contains(&hint) && !told.contains("CANARY"), "{told}");
    }
    assert_eq!(user(Path::new("/nowhere/config.toml"), |_| {}).status.code(), Some(10));
}

#[cfg(unix)]
#[test]
fn a_token_in_plain_text_and_files_of_others_are_warned_of() {
    let server = Scripted::json(USER);
    let (folder, path) = configured(&format!("base_url = \"{}\"\ntoken = \"CANARY\"\n", server.url));
    let warned = |mode: u32| {
        restrict(&path, mode);
        let output = user(&path, |_| {});
        let told = told(&output);
        assert!(output.status.success() && !told.contains("CANARY"), "{told}");
        assert!(told.lines().all(|line| line.starts_with("vitalwire: warning: ")), "{told}");
        told
    };
    let (private, readable, writable) = (warned(0o600), warned(0o644), warned(0o622));
    assert!(private.contains("plain text") && !private.contains("other users") && private.lines().count() == 1, "{private}");
    assert!(readable.contains("which other users of this machine can read") && readable.lines().count() == 1, "{readable}");
    assert!(writable.contains("can write") && writable.lines().count() == 2, "{writable}");

    let token = folder.path().join("t");
    write(&token, "CANARY");
    write(&path, &format!("base_url = \"{}\"\ntoken_file = \"t\"\n", server.url));
    assert!(warned(0o644).is_empty());
    restrict(&token, 0o640);
    assert!(warned(0o600).contains("can read the token file"));
}

#[test]
fn a_sandbox_reads_no_settings() {
    let (_folder, path) = configured("this is no TOML");
    let output = user(&path, |command| {
        command.arg("--sandbox");
    });
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    for option in ["--base-url", "--config", "--profile"] {
        let both = vitalwire().args(["--sandbox", option, "https://h.example", "user"]).output().expect("it starts");
        assert_eq!(both.status.code(), Some(2), "one or the other");
    }
}
