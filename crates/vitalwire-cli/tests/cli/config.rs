//! Settings: the order of their sources, tokens from files and commands, and errors in the configuration file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::vitalwire;
use crate::scripted::{Reply, ScriptedServer};

pub(crate) const USER: &str = r#"{"application_user_id":"u"}"#;

/// Creates a folder with a configuration file that only its owner can read.
pub(crate) fn write_config(text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("config.toml");
    write(&path, text);
    (folder, path)
}

/// Writes a file that only its owner can read.
pub(crate) fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    restrict(path, 0o600);
}

#[cfg(unix)]
pub(crate) fn restrict(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
}

#[cfg(not(unix))]
pub(crate) fn restrict(_: &Path, _: u32) {}

pub(crate) fn user(path: &Path, change: impl FnOnce(&mut Command)) -> Output {
    let mut command = vitalwire();
    command.arg("user").env("VITALWIRE_CONFIG", path).env("VITALWIRE_MAX_RETRIES", "0");
    change(&mut command);
    command.output().expect("it starts")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn options_come_before_variables_before_the_file() {
    for (option, variable, asked) in [(true, true, 0), (false, true, 1), (false, false, 2)] {
        let servers = [ScriptedServer::json(USER), ScriptedServer::json(USER), ScriptedServer::json(USER)];
        let (folder, path) = write_config(&format!("base_url = \"{}\"\ntoken_file = \"t\"\n", servers[2].url));
        write(&folder.path().join("t"), "of-the-file");
        let output = user(&path, |command| {
            if option {
                command.args(["--base-url", &servers[0].url]);
            }
            if variable {
                // A token of the environment is sent only to the origin of its base URL.
                let url = if option { format!("{}/other", servers[0].url) } else { servers[1].url.clone() };
                command.env("VITALWIRE_BASE_URL", url).env("VITALWIRE_TOKEN", "of-the-variable");
            }
        });
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let counts = servers.each_ref().map(|server| server.requests().len());
        assert_eq!(counts, [0, 1, 2].map(|at| usize::from(at == asked)));
        let request = servers[asked].only_request();
        assert_eq!((request.line.as_str(), request.body.as_str()), ("GET /v3/userinfo", ""));
        assert_eq!(request.token(), if variable { "of-the-variable" } else { "of-the-file" });
    }
}

/// A base URL copied from a documentation page, with the version prefix of all paths.
#[test]
fn a_base_url_that_ends_in_a_version_is_rejected() {
    let (_folder, path) = write_config("");
    let server = ScriptedServer::start(|_, _| Reply::problem(404, "{}"));
    let call = |arguments: &[&str], name: &str, end: &str| {
        let mut command = server.command(arguments);
        let output = command.env("VITALWIRE_CONFIG", &path).env(name, format!("{}{end}", server.url)).output().expect("it starts");
        assert_eq!(output.stdout.len(), 0, "{output:?}");
        stderr(&output)
    };
    for end in ["/v3", "/v3/"] {
        let stderr = call(&["user"], "VITALWIRE_BASE_URL", end);
        assert!(stderr.contains("configuration: the base URL must not end in /v3"), "{stderr}");
    }
    let stderr = call(&["benefits", "1", "2", "3"], "VITALWIRE_CARE_BASE_URL", "/public/v1");
    assert!(stderr.contains("the care base URL must not end in /public/v1"), "{stderr}");
    assert!(server.requests().is_empty());
    call(&["user"], "VITALWIRE_BASE_URL", "/v30");
    assert_eq!(server.only_request().line, "GET /v30/v3/userinfo");
}

#[cfg(unix)]
#[test]
fn a_token_comes_from_a_file_or_a_command() {
    let server = ScriptedServer::json(USER);
    let (folder, path) = write_config(&format!(
        "base_url = \"{}\"\ntoken_file = \"key.txt\"\n[profile.made]\ntoken_command = [\"printf\", \"of-the-%s\\n\", \"command\"]\n",
        server.url
    ));
    // The line end that editors add is not part of the token.
    write(&folder.path().join("key.txt"), "beside-the-file\n");
    assert!(user(&path, |_| {}).status.success());
    let made = user(&path, |command| {
        command.args(["--profile", "made"]);
    });
    assert!(made.status.success(), "{made:?}");
    let tokens: Vec<String> = server.requests().iter().map(|request| request.token().to_owned()).collect();
    assert_eq!(tokens, ["beside-the-file", "of-the-command"]);
}

#[test]
fn a_byte_order_mark_is_not_part_of_a_setting_or_token() {
    let server = ScriptedServer::json(USER);
    let (folder, path) = write_config(&format!("\u{feff}base_url = \"{}\"\ntoken_file = \"key.txt\"\n", server.url));
    write(&folder.path().join("key.txt"), "\u{feff}beside-the-file\r\n");
    assert!(user(&path, |_| {}).status.success());
    let by_variable = user(&path, |command| {
        command.env("VITALWIRE_TOKEN", "\u{feff}of-the-variable\n");
    });
    assert!(by_variable.status.success(), "{by_variable:?}");
    let tokens: Vec<String> = server.requests().iter().map(|request| request.token().to_owned()).collect();
    assert_eq!(tokens, ["beside-the-file", "of-the-variable"]);
}

#[test]
fn a_token_with_additional_text_is_rejected_and_not_printed() {
    let server = ScriptedServer::json(USER);
    let (folder, path) = write_config(&format!("base_url = \"{}\"\ntoken_file = \"key.txt\"\n", server.url));
    for (token, why) in [
        ("\"CANARY\"\n", "the token is in quotes; remove them"),
        ("Bearer CANARY\n", "the token begins with `Bearer `; remove that"),
        ("CANARY CANARY", "the token must not contain white space"),
        ("CANARY\u{fc}", "the token must be ASCII"),
    ] {
        write(&folder.path().join("key.txt"), token);
        let by_file = user(&path, |_| {});
        let by_variable = user(&path, |command| {
            command.env("VITALWIRE_TOKEN", token);
        });
        for output in [by_file, by_variable] {
            let stderr = stderr(&output);
            assert!(!output.status.success() && stderr.contains(why) && !stderr.contains("CANARY"), "{stderr}");
        }
    }
    assert!(server.requests().is_empty());
}

/// A `vitalwire` command in a token command uses the profile of this command, not the default profile.
#[cfg(unix)]
#[test]
fn a_token_command_gets_the_configuration_file_and_the_profile_in_use() {
    let server = ScriptedServer::json(USER);
    let print = r#"token_command = ["sh", "-c", "echo \"$VITALWIRE_CONFIG|${VITALWIRE_PROFILE-unset}\""]"#;
    let settings = format!("base_url = \"{}\"\n{print}\n", server.url);
    let (folder, path) = write_config(&format!("{settings}[profile.staging]\n{settings}[profile.production]\n{settings}"));
    let path = path.canonicalize().expect("a path").display().to_string();
    let last_token = |change: &dyn Fn(&mut Command)| {
        let mut command = vitalwire();
        command.arg("user").current_dir(folder.path());
        change(&mut command);
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        server.requests().last().expect("a request").token().to_owned()
    };
    // A relative path would name another file in another folder.
    let by_option = last_token(&|command| {
        command.args(["--config", "config.toml", "--profile", "staging"]).env("VITALWIRE_PROFILE", "production");
        command.env("VITALWIRE_CONFIG", "/nowhere/config.toml");
    });
    assert_eq!(by_option, format!("{path}|staging"));
    let by_variable = last_token(&|command| {
        command.env("VITALWIRE_CONFIG", "config.toml").env("VITALWIRE_PROFILE", "production");
    });
    assert_eq!(by_variable, format!("{path}|production"));
    let without_profile = last_token(&|command| {
        command.env("VITALWIRE_CONFIG", &path).env("VITALWIRE_PROFILE", "");
    });
    assert_eq!(without_profile, format!("{path}|unset"));
    write(&folder.path().join("config.toml"), &format!("default_profile = \"staging\"\n{settings}[profile.staging]\n{settings}"));
    let by_file = last_token(&|command| {
        command.args(["--config", "config.toml"]);
    });
    assert_eq!(by_file, format!("{path}|staging"));
}

#[cfg(unix)]
#[test]
fn a_token_command_runs_again_after_its_token_is_rejected() {
    let server = ScriptedServer::start(|_, request| match request.token() {
        "second" => Reply::json(USER),
        _ => Reply::problem(401, "{}"),
    });
    let (folder, path) = write_config("");
    let seen = folder.path().join("seen");
    let script = "if [ -e \"$0\" ]; then echo second; else touch \"$0\"; echo first; fi";
    let (script, seen) = (script.replace('"', "\\\""), seen.display());
    write(&path, &format!("base_url = \"{}\"\ntoken_command = [\"sh\", \"-c\", \"{script}\", \"{seen}\"]\n", server.url));
    let output = user(&path, |_| {});
    assert!(output.status.success(), "{output:?}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_missing_token_is_reported_without_the_content_that_was_read() {
    for (token, why) in [
        ("token_command = [\"sh\", \"-c\", \"echo CANARY; exit 3\"]", "the token command failed (exit status: 3)"),
        ("token_command = [\"sh\", \"-c\", \"true CANARY\"]", "the token command printed no token"),
        ("token_command = [\"/nowhere/program\"]", "the token command /nowhere/program cannot be started: "),
        ("token_command = [\"no-such-program\", \"CANARY\"]", "needs a path with /, such as ./NAME"),
        ("token_command = [\"eyJ.CANARY.x\"]", "the token command (name not shown: it may be a secret) cannot be started: "),
        ("token_command = []", "the token command is empty"),
        ("token_file = \"none.txt\"", "none.txt cannot be read: "),
    ] {
        // A missing file or program is a configuration error, as everywhere.
        let is_missing = token.starts_with("token_file") || why.contains("cannot be started") || why.contains("./NAME");
        let (code, kind) = if is_missing { (10, "configuration") } else { (11, "authentication") };
        let server = ScriptedServer::json(USER);
        let (_folder, path) = write_config(&format!("base_url = \"{}\"\n{token}\n", server.url));
        let output = user(&path, |_| {});
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let (first, hint) = stderr.split_once("\nhint: ").unwrap_or_else(|| panic!("{stderr}"));
        assert!(first.starts_with(&format!("vitalwire: {kind}: ")) && first.contains(why), "{stderr}");
        assert!(hint.contains("the configuration file") && hint.lines().count() == 1, "{stderr}");
        assert!(!stderr.contains("CANARY") && server.requests().is_empty(), "{stderr}");
    }
}

#[test]
fn a_profile_with_its_own_service_does_not_inherit_the_token() {
    let (main, other) = (ScriptedServer::json(USER), ScriptedServer::json(USER));
    let (folder, path) = write_config(&format!(
        "base_url = \"{}\"\ntoken_file = \"t\"\n[profile.other]\nbase_url = \"{}\"\n[profile.slow]\ntimeout = 120\n",
        main.url, other.url
    ));
    write(&folder.path().join("t"), "of-the-main-service");
    let rejected = user(&path, |command| {
        command.args(["--profile", "other"]);
    });
    assert_eq!(rejected.status.code(), Some(10));
    assert!(stderr(&rejected).contains("no token is set") && other.requests().is_empty());
    // A variable takes precedence over the profile, so the command warns.
    let replaced = user(&path, |command| {
        command.args(["--profile", "other"]).env("VITALWIRE_BASE_URL", &main.url).env("VITALWIRE_TOKEN", "t");
    });
    assert!(replaced.status.success() && stderr(&replaced).contains("VITALWIRE_BASE_URL takes precedence"), "{replaced:?}");
    assert_eq!((main.requests().len(), other.requests().len()), (1, 0));
    // This profile uses the same service, so the token above it applies.
    let slow = user(&path, |command| {
        command.env("VITALWIRE_PROFILE", "slow");
    });
    assert!(slow.status.success() && main.requests().len() == 2, "{slow:?}");
    assert_eq!(main.requests()[1].token(), "of-the-main-service");
}

#[cfg(target_os = "linux")]
#[test]
fn the_default_file_and_the_default_profile_are_used() {
    let server = ScriptedServer::json(USER);
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
    assert!(stderr(&unknown).contains("no profile `c`; known profiles are a, b"), "{unknown:?}");
}

#[test]
fn configuration_errors_state_the_file_and_the_line() {
    for (text, line, part) in [
        ("base_url = \"https://h.example\"\ntimout = 3\n", 2, "unknown setting `timout`; did you mean `timeout`?"),
        ("token = \"CANARY\n", 1, "must be TOML"),
        ("[profile.x]\ntoken = \"CANARY\"\ntoken_file = \"CANARY\"\n", 3, "remove one of them"),
    ] {
        let (_folder, path) = write_config(text);
        let output = user(&path, |_| {});
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(10));
        assert!(stderr.starts_with(&format!("vitalwire: configuration: {}, line {line}: ", path.display())), "{stderr}");
        assert!(stderr.contains(part) && !stderr.contains("CANARY"), "{stderr}");
    }
    // The error for a value that the client rejects names its line too.
    for (text, key) in [("\n\ntimeout = \"CANARY\"\n", "timeout"), ("\n\nproxy = \"CANARY://\"\n", "proxy")] {
        let (_folder, path) = write_config(text);
        let output = user(&path, |_| {});
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(10));
        let hint = format!("hint: the value comes from `{key}` in line 3 of {}", path.display());
        assert!(stderr.contains(&hint) && !stderr.contains("CANARY"), "{stderr}");
    }
    assert_eq!(user(Path::new("/nowhere/config.toml"), |_| {}).status.code(), Some(10));
}

#[cfg(unix)]
#[test]
fn tokens_in_plain_text_and_unsafe_permissions_cause_warnings() {
    let server = ScriptedServer::json(USER);
    let (folder, path) = write_config(&format!("base_url = \"{}\"\ntoken = \"CANARY\"\n", server.url));
    let warned = |mode: u32| {
        restrict(&path, mode);
        let output = user(&path, |_| {});
        let stderr = stderr(&output);
        assert!(output.status.success() && !stderr.contains("CANARY"), "{stderr}");
        assert!(stderr.lines().all(|line| line.starts_with("vitalwire: warning: ")), "{stderr}");
        stderr
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

    let (certificate, key) = vitalwire_testkit::Authority::new().client("client.example");
    let file = folder.path().join("client.pem");
    write(&file, &(certificate + &key));
    write(&path, &format!("base_url = \"{}\"\ntoken_file = \"t\"\nclient_certificate_file = \"client.pem\"\n", server.url));
    restrict(&token, 0o600);
    restrict(&file, 0o600);
    assert!(warned(0o600).is_empty());
    restrict(&file, 0o604);
    assert!(warned(0o600).contains("other users of this machine can read the private key file"));
}

#[test]
fn certificates_of_the_configuration_are_checked_and_never_quoted() {
    let authority = vitalwire_testkit::Authority::new();
    let (folder, path) = write_config("");
    write(&folder.path().join("CANARY.pem"), &authority.pem());
    for (settings, expected) in [
        ("pinned_keys = \"CANARY\"", "a pin must begin with `sha256/`"),
        ("only_custom_certificates = \"CANARY\"", "must be true or false"),
        ("only_custom_certificates = true", "set ca_certificate or ca_file"),
        ("client_certificate_file = \"CANARY.pem\"", "must contain the private key of the certificate"),
    ] {
        write(&path, &format!("base_url = \"https://h.example\"\ntoken = \"t\"\n{settings}\n"));
        restrict(&path, 0o600);
        let output = user(&path, |_| {});
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(10), "{stderr}");
        assert!(stderr.contains(expected) && !stderr.contains("CANARY"), "{settings}: {stderr}");
    }
}

#[test]
fn the_sandbox_option_ignores_the_configuration() {
    let (_folder, path) = write_config("this is no TOML");
    let output = user(&path, |command| {
        command.arg("--sandbox");
    });
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    for option in ["--base-url", "--config", "--profile"] {
        let both = vitalwire().args(["--sandbox", option, "https://h.example", "user"]).output().expect("it starts");
        assert_eq!(both.status.code(), Some(2), "one or the other");
    }
}

/// Whatever is set and cannot be used is an error, and no other service is called.
#[cfg(target_os = "linux")]
mod not_utf8 {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    /// Variables that only change how the output looks, or that name a folder and need not be UTF-8.
    const NOT_A_TEXT: [&str; 9] =
        ["XDG_CONFIG_HOME", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS"];

    fn os(text: &str) -> OsString {
        OsString::from_vec([text.as_bytes(), b"\xff"].concat())
    }

    /// Returns the names in the list of the program's help.
    fn variables() -> Vec<String> {
        let help = crate::common::run(&["--help"]);
        let help = String::from_utf8(help.stdout).expect("text");
        let list = help.split("Environment variables:\n").nth(1).and_then(|list| list.split("\n\n").next()).expect("the list");
        let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.flat_map(|line| line.trim().split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn a_variable_that_is_not_utf8_is_used_or_named() {
        let server = ScriptedServer::json(USER);
        let mut names = variables();
        assert!(names.len() > 20 && NOT_A_TEXT.iter().all(|name| names.iter().any(|listed| listed == name)), "{names:?}");
        names.retain(|name| !NOT_A_TEXT.contains(&name.as_str()));
        names.extend(["https_proxy", "http_proxy", "all_proxy", "no_proxy"].map(str::to_owned));
        for name in names {
            let mut command = server.command(&["user"]);
            if name.eq_ignore_ascii_case("NO_PROXY") {
                command.env_remove("NO_PROXY").env("HTTP_PROXY", "http://127.0.0.1:1");
            }
            let output = command.env(&name, os("CANARY")).output().expect("it starts");
            let stderr = stderr(&output);
            assert!(!output.status.success() && output.stdout.is_empty(), "{name}: {output:?}");
            let subject = match name.as_str() {
                // The path or the shell is printed instead of the variable.
                "VITALWIRE_CONFIG" | "VITALWIRE_CA_FILE" | "VITALWIRE_CLIENT_CERTIFICATE_FILE" => "cannot be read",
                "VITALWIRE_COMPLETE" => "unknown shell",
                name => name,
            };
            assert!(stderr.contains(subject), "{name}: {stderr}");
            assert!(subject != name || !stderr.contains("CANARY"), "{name}: {stderr}");
        }
        assert!(server.requests().is_empty());
    }

    #[test]
    fn a_configuration_file_in_a_folder_that_is_not_utf8_is_used() {
        let (right, wrong) = (ScriptedServer::json(USER), ScriptedServer::json(USER));
        let scratch = TempDir::new().expect("a folder");
        let folder = scratch.path().join(os("caf"));
        fs::create_dir_all(folder.join("vitalwire")).expect("a folder");
        fs::create_dir_all(scratch.path().join("vitalwire")).expect("a folder");
        let config = |url: &str| format!("base_url = \"{url}\"\ntoken_file = \"t\"\nca_file = \"ca.pem\"\n");
        let authority = vitalwire_testkit::Authority::new();
        for (path, url) in [(folder.join("vitalwire"), &right.url), (scratch.path().join("vitalwire"), &wrong.url)] {
            write(&path.join("config.toml"), &config(url));
            write(&path.join("t"), "of-the-file");
            write(&path.join("ca.pem"), &authority.pem());
        }
        let by_variable = |command: &mut Command| {
            command.env("VITALWIRE_CONFIG", folder.join("vitalwire/config.toml")).env("XDG_CONFIG_HOME", scratch.path());
        };
        let by_option = |command: &mut Command| {
            command.arg("--config").arg(folder.join("vitalwire/config.toml")).env("XDG_CONFIG_HOME", scratch.path());
        };
        let by_default = |command: &mut Command| {
            command.env("XDG_CONFIG_HOME", &folder);
        };
        let changes: [&dyn Fn(&mut Command); 3] = [&by_variable, &by_option, &by_default];
        for (at, change) in changes.into_iter().enumerate() {
            let mut command = vitalwire();
            command.arg("user");
            change(&mut command);
            let output = command.output().expect("it starts");
            assert!(output.status.success(), "{at}: {output:?}");
        }
        assert_eq!((right.requests().len(), wrong.requests().len()), (3, 0));
        assert!(right.requests().iter().all(|request| request.token() == "of-the-file"));
    }
}

/// A default file that the user has, but that cannot be read.
#[cfg(target_os = "linux")]
#[test]
fn an_unusable_default_file_is_not_passed_over() {
    use std::os::unix::fs::symlink;
    type Case<'a> = (&'a dyn Fn(&Path), bool);
    let server = ScriptedServer::json(USER);
    let prepare: [Case; 5] = [
        (&|_| {}, true),
        // A home folder that is no folder, as of accounts for services.
        (&|home| write(&home.join("vitalwire"), ""), true),
        (&|home| symlink("nowhere", home.join("vitalwire")).expect("a link"), false),
        (
            &|home| {
                fs::create_dir(home.join("vitalwire")).expect("a folder");
                symlink("nowhere.toml", home.join("vitalwire/config.toml")).expect("a link");
            },
            false,
        ),
        (&|home| fs::create_dir_all(home.join("vitalwire/config.toml")).expect("a folder"), false),
    ];
    for (at, (prepare, is_usable)) in prepare.into_iter().enumerate() {
        let home = TempDir::new().expect("a folder");
        prepare(home.path());
        let output = server.command(&["user"]).env("XDG_CONFIG_HOME", home.path()).output().expect("it starts");
        assert_eq!(output.status.code(), Some(if is_usable { 0 } else { 10 }), "{at}: {output:?}");
        assert!(is_usable || stderr(&output).contains("config.toml cannot be read: "), "{at}: {output:?}");
    }
    assert_eq!(server.requests().len(), 2);
}
