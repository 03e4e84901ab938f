//! The help texts, and their examples, which are all run.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{RunningSandbox, run, vitalwire};

const BODY: &str = r#"[{"application_user_id":"person-1","event_type":"steps"}]"#;
const KEY: &str = "webhook-key-2025";

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the lines below a title in a help text.
fn section<'a>(help: &'a str, title: &str) -> Vec<&'a str> {
    help.lines().skip_while(|line| *line != title).skip(1).take_while(|line| !line.is_empty()).map(str::trim).collect()
}

/// Returns the words of every command.
fn commands(path: Vec<String>) -> Vec<Vec<String>> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let help = text(&[&words[..], &["-h"]].concat());
    // Continuation lines of a description are indented further.
    let names = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names =
        names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let below = names.flat_map(|name| commands([&path[..], &[name.to_owned()]].concat()));
    let below: Vec<_> = below.collect();
    std::iter::once(path).chain(below).collect()
}

/// Creates the files that the examples name.
fn prepare(folder: &Path) {
    let mut encoder = png::Encoder::new(std::fs::File::create(folder.join("lunch.png")).expect("a file"), 64, 64);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = (0..64 * 64 * 3).map(|at: u32| (at % 251) as u8).collect();
    encoder.write_header().expect("a header").write_image_data(&pixels).expect("a picture");
    std::fs::write(folder.join("report.pdf"), pdf(&["Glucose 92 mg/dL 70 - 99"])).expect("a file");
    std::fs::write(folder.join("body.json"), BODY).expect("a file");
    std::fs::write(folder.join("key.txt"), KEY).expect("a file");
    std::fs::create_dir(folder.join("man1")).expect("a folder");
}

/// Creates a PDF of one page with these lines.
fn pdf(lines: &[&str]) -> String {
    let shown: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
    let content = format!("BT /F1 12 Tf 14 TL 72 720 Td {shown}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", text.len()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = text.len();
    format!("{text}{table}trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1)
}

#[test]
fn every_example_of_the_help_runs() {
    // The examples use dates relative to the clock of this machine.
    let served = RunningSandbox::start(&["--seed", "7"]);
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let users = format!("user,token\nperson-1,{}\n", served.field("token"));
    let mut file = vitalwire::private_files::create_options().write(true).open(folder.path().join("users.csv")).expect("a file");
    std::io::Write::write_all(&mut file, users.as_bytes()).expect("written");
    let program = Path::new(env!("CARGO_BIN_EXE_vitalwire"));
    let path = format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").expect("a path"));
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        for (name, value) in vitalwire().get_envs().filter_map(|(name, value)| Some((name, value?))) {
            command.env(name, value);
        }
        command.args(["-c", &format!("exec {line}")]).current_dir(folder.path()).env("PATH", &path);
        command.env("VITALWIRE_BASE_URL", served.field("base_url")).env("VITALWIRE_TOKEN", served.field("token"));
        command.env("VITALWIRE_CARE_BASE_URL", served.field("care_base_url")).env("VITALWIRE_CARE_TOKEN", served.field("care_token"));
        command.env("APPLICATION_KEY", served.field("application_key"));
        ["KEY", "NEW", "OLD"].iter().for_each(|name| {
            command.env(name, KEY);
        });
        command.stdin(Stdio::null());
        command
    };
    let ids = |list: &str| -> Vec<String> {
        let output = shell(&format!("vitalwire {list} list --format json")).output().expect("it starts");
        let records: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        records.as_array().expect("a list").iter().map(|record| record["record_id"].as_str().expect("an id").to_owned()).collect()
    };
    // Each example gets its own record, because one example deletes it.
    let (mut meals, mut reports) = (ids("nutrition").into_iter(), ids("labs").into_iter().cycle());
    let mut run_of = 0;
    for command in commands(Vec::new()) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = text(&[&words[..], &["--help"]].concat());
        assert!(help.is_ascii(), "a terminal may show ASCII only: {help}");
        for example in section(&help, "Examples:") {
            let id = match command.first().map(String::as_str) {
                _ if !example.contains(" ID") => String::new(),
                Some("sleep") => served.field("sleep_id"),
                Some("labs") => reports.next().expect("a report"),
                _ => meals.next().expect("a meal"),
            };
            let line = example.replace(" ID", &format!(" {id}")).replace("SIGNATURE", &vitalwire::webhook::sign(BODY, KEY));
            let line = line.replace(" 1001 ", &format!(" {} ", served.ready["application_id"]));
            // The port of an example may be in use.
            let line = line.replace("127.0.0.1:8080", "127.0.0.1:0").replace("127.0.0.1:8081", "127.0.0.1:0");
            if ["sandbox", "record"].contains(&words.first().copied().unwrap_or_default()) {
                let mut child = shell(&line).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
                let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
                assert!(lines.any(|line| line.starts_with("export VITALWIRE_CARE_BASE_URL=http://127.0.0.1:")), "{line}");
                child.kill().expect("it runs");
                child.wait().expect("it ends");
            } else {
                let output = shell(&line).output().expect("it starts");
                assert!(output.status.success(), "{line}: {output:?}");
                assert!(!String::from_utf8_lossy(&output.stderr).contains("warning"), "{line}: {output:?}");
            }
            run_of += 1;
        }
    }
    assert!(run_of >= 60, "{run_of}");
}

#[test]
fn the_help_command_prints_the_same_as_the_option() {
    for command in [&[][..], &["sleep"], &["stats", "daily"], &["webhook", "verify"]] {
        assert_eq!(text(&[&["help"], command].concat()), text(&[command, &["--help"]].concat()), "{command:?}");
    }
    assert_eq!(text(&["stats", "help", "daily"]), text(&["stats", "daily", "--help"]));
    assert_eq!(run(&["help", "dance"]).status.code(), Some(2));
}

/// The help and the manual page of the program list variables and files.
#[test]
fn variables_files_and_exit_codes_are_listed() {
    let help = text(&["--help"]);
    // Manual pages escape each dash with a backslash.
    let page = text(&["man"]).replace('\\', "");
    for name in ["VITALWIRE_ALLOW_PLAIN_HTTP", "VITALWIRE_CONFIG", "NO_PROXY", "COLUMNS", "vitalwire/config.toml", "rate_limited"] {
        assert!(help.contains(name) && page.contains(name), "{name}");
    }
    for title in ["EXAMPLES", "ENVIRONMENT", "FILES", "\"EXIT STATUS\""] {
        assert!(page.contains(&format!(".SH {title}\n")), "{title}: {page}");
    }
    let page = text(&["man"]);
    assert!(page.contains("VITALWIRE_TIMEOUT") && !page.contains("VITALWIRE_TIMOUT"));
}

#[test]
fn a_misspelled_variable_is_named() {
    let output = vitalwire().args(["user"]).env("VITALWIRE_TIMOUT", "CANARY").output().expect("it starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.starts_with("vitalwire: warning: unknown variable VITALWIRE_TIMOUT; did you mean VITALWIRE_TIMEOUT?\n"), "{stderr}");
    assert!(!stderr.contains("CANARY"), "{stderr}");
}

/// A terminal has 24 to 50 lines, and the commands stand at the top.
#[test]
fn the_short_help_of_every_command_fits_one_screen() {
    for path in commands(Vec::new()) {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let [short, long] = ["-h", "--help"].map(|option| text(&[&words[..], &[option]].concat()));
        assert!(short.lines().count() <= 50, "{path:?}: {} lines", short.lines().count());
        assert!(long.contains("--care-base-url") && !short.contains("--care-base-url"), "{path:?}");
    }
    assert!(text(&["--help"]).contains("VITALWIRE_MAX_RETRIES") && !text(&["-h"]).contains("VITALWIRE_MAX_RETRIES"));
}

#[test]
fn contradicting_options_show_the_usage_of_their_command() {
    let output = run(&["stats", "daily", "--types", "steps", "--resume"]);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.code() == Some(2) && error.contains("Usage: vitalwire stats daily "), "{error}");
}
