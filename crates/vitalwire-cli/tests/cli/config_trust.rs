//! The configuration file's token is sent only to the origin of the base URL that the file sets, and its command runs only if nobody else
//! can change the file.

use std::fs;
use std::process::Command;

use crate::common::{run, vitalwire};
use crate::config::{USER, restrict, stderr, user, write, write_config};
use crate::scripted::ScriptedServer;

const BENEFITS: [&str; 4] = ["benefits", "1", "2", "3"];

/// A way to select another base URL.
#[derive(Clone, Copy, Debug)]
enum Select {
    Option,
    Variable,
}

impl Select {
    fn apply(self, command: &mut Command, setting: &str, url: &str) {
        match self {
            Self::Option => command.arg(format!("--{}", setting.replace('_', "-"))).arg(url),
            Self::Variable => command.env(format!("VITALWIRE_{}", setting.to_ascii_uppercase()), url),
        };
    }
}

/// Every source of a token, above all profiles and in one, for both services.
#[test]
fn a_token_of_the_file_is_not_sent_to_another_origin() {
    let (own, other) = (ScriptedServer::json(USER), ScriptedServer::json(USER));
    for profile in ["", "[profile.p]\n"] {
        for (service, arguments) in [("", &["user"][..]), ("care_", &BENEFITS)] {
            for source in ["token = \"CANARY\"", "token_file = \"t\"", "token_command = [\"sh\", \"-c\", \"touch executed; echo CANARY\"]"]
            {
                for select in [Select::Option, Select::Variable] {
                    let (folder, path) = write_config(&format!("{profile}{service}base_url = \"{}\"\n{service}{source}\n", own.url));
                    write(&folder.path().join("t"), "CANARY");
                    let mut command = vitalwire();
                    command.args(arguments).env("VITALWIRE_CONFIG", &path).current_dir(folder.path());
                    if !profile.is_empty() {
                        command.args(["--profile", "p"]);
                    }
                    select.apply(&mut command, &format!("{service}base_url"), &other.url);
                    let output = command.output().expect("it starts");
                    let (case, stderr) = (format!("{profile:?} {service}{source} {select:?}"), stderr(&output));
                    assert_eq!(output.status.code(), Some(10), "{case}: {stderr}");
                    let selector = match select {
                        Select::Option => format!("--{service}base_url").replace('_', "-"),
                        Select::Variable => format!("VITALWIRE_{service}BASE_URL").to_ascii_uppercase(),
                    };
                    let rule = format!(
                        "configuration: the token of the configuration file is sent only to the origin of its {service}base_url, but {selector} selects another origin\n"
                    );
                    assert!(stderr.contains(&rule), "{case}: {stderr}");
                    let remedy =
                        format!("hint: set VITALWIRE_{}TOKEN for the other service, or add a profile", service.to_ascii_uppercase());
                    assert!(stderr.contains(&remedy) && !stderr.contains("CANARY") && !stderr.contains("127.0.0.1"), "{case}: {stderr}");
                    assert!(!folder.path().join("executed").exists(), "{case}: the command was executed");
                }
            }
        }
    }
    assert!(own.requests().is_empty() && other.requests().is_empty());
}

/// Nothing beside the token says which service it is for.
#[test]
fn a_token_of_the_file_without_a_base_url_is_sent_to_the_selected_service() {
    let server = ScriptedServer::json(USER);
    let (folder, path) = write_config("token_file = \"t\"\n");
    write(&folder.path().join("t"), "of-the-file");
    for select in [Select::Option, Select::Variable] {
        assert!(user(&path, |command| select.apply(command, "base_url", &server.url)).status.success());
    }
    assert!(server.requests().iter().all(|request| request.token() == "of-the-file"));
}

#[test]
fn a_token_of_the_file_is_sent_to_another_path_of_its_origin() {
    let server = ScriptedServer::json(USER);
    let (_folder, path) = write_config(&format!("base_url = \"{}/a\"\ntoken = \"of-the-file\"\n", server.url));
    for select in [Select::Option, Select::Variable] {
        let output = user(&path, |command| select.apply(command, "base_url", &format!("{}/b/", server.url.replace("http", "HTTP"))));
        assert!(output.status.success(), "{select:?}: {output:?}");
    }
    // The default port may be written or not. Nobody listens there.
    let (_folder, path) = write_config("base_url = \"https://127.0.0.7\"\ntoken = \"of-the-file\"\n");
    let output = user(&path, |command| Select::Option.apply(command, "base_url", "https://127.0.0.7:443/x"));
    assert_eq!(output.status.code(), Some(14), "{output:?}");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.token() == "of-the-file" && request.line == "GET /b/v3/userinfo"), "{requests:?}");
}

#[test]
fn a_token_of_the_environment_goes_to_its_base_url() {
    let (own, other) = (ScriptedServer::json(USER), ScriptedServer::json(USER));
    let call = |base_url: Option<&str>, option: &str| {
        let mut command = vitalwire();
        command.args(["user", "--base-url", option]).env("VITALWIRE_TOKEN", "CANARY").env("VITALWIRE_MAX_RETRIES", "0");
        base_url.map(|url| command.env("VITALWIRE_BASE_URL", url));
        command.output().expect("it starts")
    };
    let rejected = call(Some(&own.url), &other.url);
    let stderr = stderr(&rejected);
    assert_eq!(rejected.status.code(), Some(10));
    assert!(
        stderr.contains("VITALWIRE_TOKEN is sent only to the origin of VITALWIRE_BASE_URL, but --base-url selects another origin"),
        "{stderr}"
    );
    assert!(stderr.contains("hint: unset VITALWIRE_BASE_URL") && !stderr.contains("CANARY"), "{stderr}");
    assert!(own.requests().is_empty() && other.requests().is_empty());
    // Without a base URL of its own, the token is for the one of the option.
    assert!(call(None, &other.url).status.success());
    assert!(call(Some(&own.url), &format!("{}/x", own.url)).status.success());
    assert_eq!((own.requests().len(), other.requests().len()), (1, 1));
}

/// The token exchange sends no token.
#[test]
fn a_token_of_another_service_is_no_error_if_it_is_not_needed() {
    let (own, other) = (ScriptedServer::json(USER), ScriptedServer::json(r#"{"access_token":"new"}"#));
    let (_folder, path) = write_config(&format!("base_url = \"{}\"\ntoken = \"CANARY\"\n", own.url));
    let mut command = vitalwire();
    command.args(["token", "1", "u", "--key-env", "APP_KEY", "--base-url", &other.url]);
    let output = command.env("APP_KEY", "0123456789abcdef").env("VITALWIRE_CONFIG", &path).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(other.only_request().token(), "");
    // A sandbox has tokens of its own.
    assert!(run(&["--sandbox", "user"]).status.success());
}

#[cfg(unix)]
mod permissions {
    use std::os::unix::fs::{PermissionsExt as _, chown, lchown, symlink};
    use std::path::Path;

    use super::*;

    /// A user that exists nowhere.
    const SOMEBODY_ELSE: u32 = 65_533;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
    }

    type Change<'a> = &'a dyn Fn(&Path);

    /// Everything through which somebody else can change the file `open/own/config.toml`.
    const CHANGES: [(&str, Change<'static>); 7] = [
        ("a file that all can write", &|root| restrict(&root.join("open/own/config.toml"), 0o602)),
        ("a file that its group can write", &|root| restrict(&root.join("open/own/config.toml"), 0o660)),
        ("a folder that all can write", &|root| set_mode(&root.join("open/own"), 0o777)),
        ("a folder above it", &|root| set_mode(&root.join("open"), 0o770)),
        ("a link in a folder that all can write", &|root| {
            fs::rename(root.join("open"), root.join("hidden")).expect("a folder");
            fs::create_dir_all(root.join("open/own")).expect("a folder");
            symlink(root.join("hidden/own/config.toml"), root.join("open/own/config.toml")).expect("a link");
            set_mode(&root.join("open"), 0o777);
        }),
        ("the folder of a link's target", &|root| {
            fs::rename(root.join("open"), root.join("hidden")).expect("a folder");
            fs::create_dir_all(root.join("open/own")).expect("a folder");
            symlink(root.join("hidden/own/config.toml"), root.join("open/own/config.toml")).expect("a link");
            set_mode(&root.join("hidden"), 0o777);
        }),
        ("a link on the way to another link", &|root| {
            fs::rename(root.join("open/own/config.toml"), root.join("real.toml")).expect("a file");
            fs::create_dir(root.join("middle")).expect("a folder");
            symlink(root.join("real.toml"), root.join("middle/link")).expect("a link");
            symlink("../../middle/link", root.join("open/own/config.toml")).expect("a link");
            set_mode(&root.join("middle"), 0o777);
        }),
    ];

    /// Calls with a configuration file that names a command, or none.
    fn call(change: Change<'_>, server: &ScriptedServer, with_command: bool) -> (std::process::Output, bool) {
        let root = tempfile::TempDir::new().expect("a folder");
        let folder = root.path().join("open/own");
        fs::create_dir_all(&folder).expect("a folder");
        set_mode(&root.path().join("open"), 0o755);
        set_mode(&folder, 0o755);
        let executed = root.path().join("executed");
        let command = format!("[profile.unused]\ntoken_command = [\"touch\", \"{}\"]\n", executed.display());
        let token = if with_command { &command } else { "" };
        write(&folder.join("config.toml"), &format!("base_url = \"{}\"\n{token}", server.url));
        change(root.path());
        let output = user(&folder.join("config.toml"), |command| {
            command.env("VITALWIRE_TOKEN", "CANARY");
        });
        (output, executed.exists())
    }

    #[test]
    fn a_file_that_others_can_change_must_not_name_a_command() {
        let server = ScriptedServer::json(USER);
        let with_owner: (&str, Change<'_>) = ("another owner", &|root| {
            chown(root.join("open/own/config.toml"), Some(SOMEBODY_ELSE), None).expect("another owner");
        });
        let folder_owner: (&str, Change<'_>) = ("another owner of the folder", &|root| {
            chown(root.join("open"), Some(SOMEBODY_ELSE), None).expect("another owner");
        });
        let link_owner: (&str, Change<'_>) = ("another owner of a link in a folder with the sticky bit", &|root| {
            fs::rename(root.join("open"), root.join("hidden")).expect("a folder");
            fs::create_dir_all(root.join("open/own")).expect("a folder");
            symlink(root.join("hidden/own/config.toml"), root.join("open/own/config.toml")).expect("a link");
            lchown(root.join("open/own/config.toml"), Some(SOMEBODY_ELSE), None).expect("another owner");
            set_mode(&root.join("open/own"), 0o1777);
        });
        // Only root can change the owner of a file.
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
        for (name, change) in CHANGES.into_iter().chain([with_owner, folder_owner, link_owner].into_iter().filter(|_| is_root)) {
            let (output, executed) = call(change, &server, true);
            let stderr = stderr(&output);
            assert_eq!(output.status.code(), Some(10), "{name}: {stderr}");
            let rule = "names a program to execute, but other users of this machine can write or replace ";
            assert!(stderr.contains(rule) && stderr.contains(": run chmod go-w on "), "{name}: {stderr}");
            assert!(!executed && server.requests().is_empty(), "{name}");
        }
        for (name, change) in CHANGES {
            let before = server.requests().len();
            let (output, _) = call(change, &server, false);
            let stderr = stderr(&output);
            assert!(output.status.success() && server.requests().len() == before + 1, "{name}: {stderr}");
            assert!(
                stderr.contains("warning: other users of this machine can write ")
                    && stderr.contains("redirect tokens and health data to themselves: run chmod go-w on "),
                "{name}: {stderr}"
            );
            assert_eq!(stderr.lines().count(), 1, "{name}: {stderr}");
        }
    }

    #[test]
    fn a_file_below_a_folder_with_the_sticky_bit_is_accepted() {
        let server = ScriptedServer::json(USER);
        let (output, _) = call(&|root| set_mode(&root.join("open"), 0o1777), &server, true);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }

    #[test]
    fn a_program_that_others_can_change_is_not_executed() {
        // The program, its folder, and the folder of a link to it.
        let changes: [(&str, &str); 3] = [("open/tool", "open/tool"), ("open", "open/tool"), ("links", "links/tool")];
        for (changed, program) in changes {
            let server = ScriptedServer::json(USER);
            let root = tempfile::TempDir::new().expect("a folder");
            let executed = root.path().join("executed");
            for folder in ["own", "open", "links"] {
                fs::create_dir(root.path().join(folder)).expect("a folder");
                set_mode(&root.path().join(folder), 0o755);
            }
            write(&root.path().join("open/tool"), &format!("#!/bin/sh\ntouch {}\necho token\n", executed.display()));
            set_mode(&root.path().join("open/tool"), 0o755);
            std::os::unix::fs::symlink(root.path().join("open/tool"), root.path().join("links/tool")).expect("a link");
            let config = root.path().join("own/config.toml");
            write(&config, &format!("base_url = \"{}\"\ntoken_command = [\"../{program}\"]\n", server.url));
            assert!(user(&config, |_| {}).status.success(), "{changed}");
            fs::remove_file(&executed).expect("it was executed");
            set_mode(&root.path().join(changed), 0o777);
            let output = user(&config, |_| {});
            let stderr = stderr(&output);
            assert_eq!(output.status.code(), Some(10), "{changed}: {stderr}");
            assert!(stderr.contains("other users of this machine can write the token command "), "{changed}: {stderr}");
            assert!(stderr.contains("run chmod go-w on ") && !executed.exists() && server.requests().len() == 1, "{changed}: {stderr}");
        }
    }

    #[test]
    fn a_command_runs_in_the_folder_of_the_file_and_gets_no_token() {
        let server = ScriptedServer::json(USER);
        let script = "#!/bin/sh\necho \"good${VITALWIRE_TOKEN-}${VITALWIRE_CARE_TOKEN-}\"\n";
        let (folder, path) = write_config(&format!(
            "base_url = \"{}\"\ntoken_command = [\"./tok.sh\"]\n[profile.up]\ntoken_command = [\"../{{}}/tok.sh\"]\n[profile.bare]\ntoken_command = [\"printf\", \"bare\"]\n[profile.argument]\ntoken_command = [\"sh\", \"tok.sh\"]\n",
            server.url
        ));
        let name = folder.path().file_name().expect("a name").to_str().expect("text");
        write(&path, &fs::read_to_string(&path).expect("text").replace("{}", name));
        let hostile = tempfile::TempDir::new().expect("a folder");
        for (folder, text) in [(folder.path(), script), (hostile.path(), "#!/bin/sh\necho hostile\n")] {
            write(&folder.join("tok.sh"), text);
            restrict(&folder.join("tok.sh"), 0o700);
        }
        let profiles = [(None, false), (Some("up"), false), (Some("bare"), false), (Some("argument"), false)];
        for (profile, relative) in profiles.into_iter().chain([(None, true), (Some("up"), true), (Some("argument"), true)]) {
            let output = user(&path, |command| {
                command.current_dir(if relative { folder.path() } else { hostile.path() }).env("VITALWIRE_CARE_TOKEN", "care");
                profile.map(|name| command.args(["--profile", name]));
                if relative {
                    command.env("VITALWIRE_CONFIG", "config.toml");
                }
            });
            assert!(output.status.success(), "{profile:?}: {output:?}");
        }
        let tokens: Vec<String> = server.requests().iter().map(|request| request.token().to_owned()).collect();
        assert_eq!(tokens, ["good", "good", "bare", "good", "good", "good", "good"]);
    }
}
