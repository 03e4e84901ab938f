//! Programs of the documentation site. Runs each of them against a sandbox and compares what it prints, and type-checks the parts of an
//! application that need Apple's frameworks.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::future_api::swift_files;
use crate::folder;
use crate::process::execute;
use crate::steps::{Count, Sandbox, faults};
use crate::swift::layout::FOLDER;
use crate::swift::test_build::Package;

/// Folder of the programs in the package: a folder for each, its output beside it, and the files that programs upload.
const PROGRAMS: &str = "Examples/Guide";
const UPLOADS: [&str; 2] = ["lunch.png", "report.pdf"];
/// Options of the sandbox. The default seed gives the data that readers see, and with this date the year 2025 is complete.
const SANDBOX: [&str; 2] = ["--today", "2026-01-05"];

/// The program that meets a fault of the sandbox at its first attempt.
const FAULT: (&str, &str) = ("Production", "status; status=503; operation=get_user_info");

/// Folders of an application's sources, of the module whose view it shows, and of the stand-ins for frameworks that both import.
const APPLE_APP: &str = "Examples/Nights.swiftpm/Sources";
const CONSENT: (&str, &str) = ("VitalwireConsent", "Sources/VitalwireConsent");
const STAND_INS: &str = "Tests/AppleStandIns";
/// A caller that compiles only if no part is left out because a framework is missing.
const CALLER: &str = "let parts: [Any.Type] = [KeychainToken.self, ConnectionsView.self, NightsApp.self]\n";

/// Head of the request that an application sends to its server, and the session that identifies its user.
const TOKEN_REQUEST: &str = "POST /token ";
const SESSION: &str = "authorization: bearer a-session-of-person-1";

/// Runs the programs and type-checks the parts. Each program is a test, and the parts are one.
///
/// # Errors
/// If the sandbox cannot be started or a stand-in does not compile.
pub(super) fn check(root: &Path, package: &Package) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for wrong in [run_programs(root, package, &mut count)?, type_check(root, package)?] {
        wrong.iter().for_each(|problem| crate::print_line(problem));
        count += Count::from_check(wrong.is_empty());
    }
    Ok(count)
}

/// Runs every program, and returns the problems of outputs without a program.
fn run_programs(root: &Path, package: &Package, count: &mut Count) -> anyhow::Result<Vec<String>> {
    let programs = root.join(FOLDER).join(PROGRAMS);
    let (names, outputs) = names(&programs)?;
    let work = package.sibling_folder("guide");
    folder::remove(&work)?;
    fs::create_dir_all(&work)?;
    for file in UPLOADS {
        fs::copy(programs.join(file), work.join(file)).with_context(|| format!("copying {file}"))?;
    }
    let sandbox = Sandbox::start_with(root, &SANDBOX)?;
    let ready = |name: &str| sandbox.ready()[name].as_str().with_context(|| format!("the sandbox's ready line has no {name}"));
    let server = serve_tokens(ready("token")?)?;
    for name in &names {
        if name == FAULT.0 {
            faults::post(ready("base_url")?, "/_sandbox/faults", &json!({ "fault": FAULT.1 }))?;
        }
        let mut program = package.with_libraries();
        program.arg(package.program(name)).current_dir(&work).stdin(Stdio::null());
        program.envs(sandbox.environment()).env("TOKEN_URL", &server).env("NO_PROXY", "127.0.0.1");
        let output = program.output().with_context(|| format!("starting {name}"))?;
        let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let file = programs.join(format!("{name}.out"));
        if output.status.success() && std::env::var_os("VITALWIRE_BLESS").is_some() {
            fs::write(&file, printed.as_bytes())?;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        let passed = output.status.success() && !expected.is_empty() && printed == expected;
        if !passed {
            crate::print_line(&format!("{name} must print {}, but printed:\n{printed}{errors}", file.display()));
        }
        *count += Count::from_check(passed);
    }
    count_check(count, check_year(package, &sandbox, &work))?;
    count_check(count, check_missing_numbers(package, &sandbox, &work))?;
    sandbox.stop()?;
    Ok(outputs.into_iter().filter(|name| !names.contains(name)).map(|name| format!("{name}.out belongs to no program")).collect())
}

/// Counts a check, and prints its problem, if any.
fn count_check(count: &mut Count, problem: anyhow::Result<Option<String>>) -> anyhow::Result<()> {
    let problem = problem?;
    problem.iter().for_each(|problem| crate::print_line(problem));
    *count += Count::from_check(problem.is_none());
    Ok(())
}

/// Runs the program `Year` in a folder of its own, with a failing part. The first run must exit with code 1, and a run of another user must
/// be rejected. The next run must read the rest, so that all files equal those of the uninterrupted run in `complete`. Returns the problem.
fn check_year(package: &Package, sandbox: &Sandbox, complete: &Path) -> anyhow::Result<Option<String>> {
    let work = package.sibling_folder("guide-year");
    folder::remove(&work)?;
    fs::create_dir_all(&work)?;
    let run = |token: Option<&str>| {
        let mut program = package.with_libraries();
        program.arg(package.program("Year")).current_dir(&work).stdin(Stdio::null()).envs(sandbox.environment());
        if let Some(token) = token {
            program.env("VITALWIRE_TOKEN", token);
        }
        program.env("NO_PROXY", "127.0.0.1").output().map(|output| output.status.code())
    };
    let base = sandbox.ready()["base_url"].as_str().unwrap_or_default();
    // The fifth request is that of the fifth part, because four are in flight.
    for fault in ["delay; delay_ms=1; times=4", "status; status=500"] {
        faults::post(base, "/_sandbox/faults", &json!({ "fault": format!("{fault}; operation=daily_statistics") }))?;
    }
    let failed = run(None)?;
    let (written, other) = (year_files(&work)?, faults::exchange_token(sandbox.ready(), "person-2")?);
    let codes = [failed, run(Some(&other))?];
    let kept = year_files(&work)? == written && written.iter().any(|(name, ..)| name == "2025.resume");
    let codes = [codes[0], codes[1], run(None)?];
    let files = year_files(&work)?;
    let rows = files.iter().map(|(_, _, text)| text.lines().count() - 1).sum::<usize>();
    let is_private = files.iter().all(|(_, mode, _)| mode & 0o777 == 0o600);
    let passed = codes == [Some(1), Some(1), Some(0)] && kept && is_private && rows == 365 && files == year_files(complete)?;
    Ok((!passed).then(|| format!("Year after a failed part: exit codes {codes:?}, kept {kept}, private {is_private}, {rows} rows")))
}

/// Returns name, mode and text of the files that the program `Year` has written.
fn year_files(folder: &Path) -> anyhow::Result<Vec<(String, u32, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if name.starts_with("2025") {
            files.push((name, fs::metadata(&path)?.permissions().mode(), fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Runs programs while the service sends null for optional fields. They must not show 0. Returns the problem.
fn check_missing_numbers(package: &Package, sandbox: &Sandbox, work: &Path) -> anyhow::Result<Option<String>> {
    let base = sandbox.ready()["base_url"].as_str().unwrap_or_default();
    for operation in ["get_sleep", "get_nutrition_record", "get_lab_report"] {
        faults::post(base, "/_sandbox/faults", &json!({ "fault": format!("nulls; what=members; times=always; operation={operation}") }))?;
    }
    let mut printed = String::new();
    for name in ["FirstNight", "Upload"] {
        let mut program = package.with_libraries();
        program.arg(package.program(name)).current_dir(work).stdin(Stdio::null()).envs(sandbox.environment()).env("NO_PROXY", "127.0.0.1");
        printed += &String::from_utf8_lossy(&program.output()?.stdout);
    }
    let expected = ["unknown unknown\n", "a meal unknown energy\n", "a test unknown"];
    let passed = expected.iter().all(|text| printed.contains(text)) && !printed.contains(" 0");
    Ok((!passed).then(|| format!("FirstNight and Upload must show missing numbers as unknown, but printed:\n{printed}")))
}

/// Returns the names of the programs and of the outputs in a folder.
fn names(programs: &Path) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let (mut names, mut outputs) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(programs).with_context(|| format!("reading {}", programs.display()))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            names.push(name);
        } else if path.extension().is_some_and(|extension| extension == "out") {
            outputs.push(name);
        }
    }
    ensure!(!names.is_empty(), "{PROGRAMS} has no programs");
    // Uploads of one program must not depend on the order of a folder's entries.
    names.sort();
    Ok((names, outputs))
}

/// Serves the token of an application's user until this process ends. Returns the URL.
fn serve_tokens(token: &str) -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/token", listener.local_addr()?);
    let body = json!({ "access_token": token, "expires_in": 3600 }).to_string();
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // A client that has gone needs no response.
            let _ = respond(connection, &body);
        }
    });
    Ok(url)
}

fn respond(mut connection: TcpStream, body: &str) -> std::io::Result<()> {
    let (mut request, mut bytes) = (String::new(), [0; 4096]);
    while !request.contains("\r\n\r\n") {
        let read = connection.read(&mut bytes)?;
        if read == 0 {
            return Ok(());
        }
        request.push_str(&String::from_utf8_lossy(bytes.get(..read).unwrap_or_default()));
    }
    let (status, body) = token_response(&request, body);
    let length = body.len();
    write!(connection, "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// Returns status and body of the response to a request: a token only for a user who is signed in.
fn token_response<'a>(request: &str, body: &'a str) -> (&'static str, &'a str) {
    let is_signed_in = request.to_ascii_lowercase().lines().any(|line| line == SESSION);
    if request.starts_with(TOKEN_REQUEST) && is_signed_in { ("200 OK", body) } else { ("401 Unauthorized", "{}") }
}

/// Compiles the stand-ins, and type-checks the parts of an application with them. Returns what is wrong.
fn type_check(root: &Path, package: &Package) -> anyhow::Result<Vec<String>> {
    let modules = package.sibling_folder("stand-ins");
    folder::remove(&modules)?;
    fs::create_dir_all(&modules)?;
    for source in swift_files(&root.join(FOLDER).join(STAND_INS))? {
        let name = source.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        // The files are in the order of their imports.
        let mut compile = package.compiler(&[&modules]);
        compile.args(["-emit-module", "-parse-as-library", "-module-name", name, "-emit-module-path"]);
        execute(compile.arg(modules.join(format!("{name}.swiftmodule"))).arg(&source)).context("a stand-in for a framework")?;
    }
    let caller = modules.join("Caller.swift");
    fs::write(&caller, CALLER)?;
    let check = |folder: &str, arguments: &[&str]| {
        let mut compile = package.compiler(&[&modules]);
        compile.args(["-parse-as-library", "-warnings-as-errors"]).args(arguments).args(swift_files(&root.join(FOLDER).join(folder))?);
        Ok::<_, anyhow::Error>(execute(&mut compile).err().map(|error| format!("{folder}: {error:#}")))
    };
    let (module, folder) = CONSENT;
    let built = modules.join(format!("{module}.swiftmodule")).display().to_string();
    if let Some(problem) = check(folder, &["-module-name", module, "-emit-module", "-emit-module-path", &built])? {
        return Ok(vec![problem]);
    }
    Ok(check(APPLE_APP, &["-typecheck", &caller.display().to_string()])?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_folders_and_outputs_are_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("Year")).unwrap();
        fs::write(folder.path().join("Month.out"), "").unwrap();
        fs::write(folder.path().join("lunch.png"), "").unwrap();
        assert_eq!(names(folder.path()).unwrap(), (vec!["Year".to_owned()], vec!["Month".to_owned()]));
    }

    #[test]
    fn only_a_signed_in_user_gets_a_token() {
        let head = |session: &str| format!("POST /token HTTP/1.1\r\nAuthorization: {session}\r\n\r\n");
        assert_eq!(token_response(&head("Bearer a-session-of-person-1"), "t").0, "200 OK");
        assert_eq!(token_response(&head("Bearer another"), "t").0, "401 Unauthorized");
        assert_eq!(token_response("GET /token HTTP/1.1\r\nauthorization: Bearer a-session-of-person-1\r\n\r\n", "t").0, "401 Unauthorized");
    }
}
