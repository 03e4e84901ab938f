//! `vitalwire sandbox`, which the smoke tests of all languages use.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use vitalwire::value::Date;

use crate::common::{RunningSandbox, run, vitalwire};

const TWO_SECONDS: Duration = Duration::from_secs(2);

#[tokio::test]
async fn the_ready_line_has_everything_for_all_calls() {
    let mut served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    assert_eq!(served.ready["synthetic"], true);
    assert_eq!(served.ready["sleep_date"], "2025-11-21");
    assert_eq!(served.ready["user_ids"], serde_json::json!(["person-1", "person-2", "person-3", "person-4"]));
    assert!(served.field("base_url").starts_with("http://127.0.0.1:"));
    assert_eq!(served.field("control_url"), format!("{}/_sandbox", served.field("base_url")));

    let client = served.client();
    let info = client.user().info().await.expect("user information");
    assert_eq!(info.application_id, served.ready["application_id"].as_i64());
    assert_eq!(info.application_user_id, Some(served.field("user_id")));
    let night = client.sleeps().get(served.field("sleep_id")).include_stages(true).await.expect("a night");
    assert_eq!(night.sleep_date.map(|date| date.to_string()), Some(served.field("sleep_date")));
    assert!(night.stages.iter().len() > 4);
    client.care().benefits("c", "p", "1").await.expect("benefits");

    drop(served.stdin.take());
    let status = served.exit_status().expect("it ends when stdin closes");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn a_study_has_people_gaps_and_effects() {
    let served = RunningSandbox::start(&["--today", "2025-11-21", "--people", "30", "--missing", "0.3", "--effects", "all,travel=off"]);
    let users = served.ready["user_ids"].as_array().expect("users");
    assert_eq!((users.len(), &users[29]), (30, &serde_json::json!("person-30")));
    let client = served.client();
    let (first, last): (Date, Date) = ("2025-08-13".parse().expect("a date"), "2025-11-20".parse().expect("a date"));
    let days = client.statistics().daily((first, last), ["steps"]).await.expect("days").into_inner().statistics;
    // 100 days, of which 30 are missing by expectation.
    assert!((55..=85).contains(&days.len()), "{}", days.len());
    assert!(days.iter().all(|day| day.values.as_ref().and_then(|values| values.steps()).is_some_and(|steps| steps > 0.0)));
    // The introduction lists the first people.
    let shown = introduction(&["--people", "10"]);
    assert!(shown.contains("person-8 (") && shown.contains("and 2 more") && !shown.contains("person-9"), "{shown}");
}

#[test]
fn the_help_lists_every_effect() {
    let output = vitalwire().args(["sandbox", "--help"]).output().expect("the program");
    let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for effect in vitalwire_sandbox::Effect::ALL {
        assert!(text.contains(effect.name()), "{}", effect.name());
    }
}

#[test]
fn settings_of_people_are_checked() {
    for (option, value, reason) in [
        ("--people", "0", "must be a whole number from 1 to 10000"),
        ("--missing", "1", "must be a number from 0 to 0.9"),
        ("--missing", "-1", "must be a number from 0 to 0.9"),
        ("--seed", "abc", "must be a whole number from 0 to 18446744073709551615"),
        ("--seed", "-1", "must be a whole number from 0 to 18446744073709551615"),
        ("--time-scale", "fast", "must be a number from 0 to 1000000"),
        ("--time-scale", "-1", "must be a number from 0 to 1000000"),
        ("--processing", "-1", "must be a number of seconds or `typical`"),
        ("--effects", "gravity", "unknown effect; expected all or one of: steps_on_latency, "),
        ("--delivery", "person-2=soon", "must be USER=late:DAYS, USER=absent or USER=new:DAYS, separated by commas, with 1 to 3650 days"),
        ("--effects", "travel=7", "travel must be a whole number from 1 to 6, or off"),
    ] {
        let output = vitalwire().args(["sandbox", option, value]).output().expect("the program");
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn a_delivery_of_nobody_is_rejected() {
    for user in ["person-5", "anna"] {
        let output = vitalwire().args(["sandbox", "--people", "4", "--delivery", &format!("{user}=absent")]).output().expect("the program");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains("the user of a delivery must be one of the people, such as person-1"), "{text}");
    }
}

#[test]
fn the_request_log_is_empty_at_the_start() {
    let served = RunningSandbox::start(&[]);
    let host = served.field("base_url").trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&host).expect("a connection");
    stream.write_all(format!("GET /_sandbox/requests HTTP/1.0\r\nhost: {host}\r\n\r\n").as_bytes()).expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let (_, body) = response.split_once("\r\n\r\n").expect("a head");
    let log: serde_json::Value = serde_json::from_str(body).expect("JSON");
    assert_eq!((&log["requests"], &log["last"]), (&serde_json::json!([]), &serde_json::json!(0)));
}

#[tokio::test]
async fn without_a_date_last_night_is_complete() {
    let served = RunningSandbox::start(&[]);
    let night = served.client().sleeps().get(served.field("sleep_id")).await.expect("a night");
    assert!(night.end_at_timestamp.is_some());
}

#[tokio::test]
async fn faults_of_the_command_line_apply_to_the_first_calls() {
    let served =
        RunningSandbox::start(&["--today", "2025-11-21", "--fault", "status; status=404; operation=get_user_info", "--fault", "html"]);
    let client = served.client();
    let error = client.user().info().await.expect_err("the first fault");
    assert!(error.is_not_found(), "{error}");
    client.user().info().await.expect_err("a page instead of JSON");
    client.user().info().await.expect("no fault is left");

    let output = run(&["sandbox", "--fault", "earthquake"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("unknown fault; expected one of: delay, status, slow"), "{text}");
}

#[test]
fn input_on_stdin_does_not_stop_the_sandbox() {
    let mut served = RunningSandbox::start(&["--today", "2025-11-21"]);
    let mut stdin = served.stdin.take().expect("a pipe");
    stdin.write_all(&[b'\n'; 10_000]).expect("it is read");
    assert!(served.exit_status_within(Duration::from_millis(300)).is_none());
    drop(stdin);
    assert!(served.exit_status().is_some());
}

#[test]
fn a_slow_client_does_not_delay_the_shutdown() {
    // One success in five tries is enough, because the machine may be busy.
    let in_time = (0..5).any(|_| {
        let mut served = RunningSandbox::start(&["--today", "2025-11-21"]);
        let base = served.field("base_url");
        let mut idle = TcpStream::connect(base.trim_start_matches("http://")).expect("a connection");
        idle.write_all(b"POST /v3/lab_reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").expect("half a request");
        std::thread::sleep(Duration::from_millis(100));
        drop(served.stdin.take());
        let in_time = served.exit_status_within(TWO_SECONDS).is_some();
        assert_eq!(served.exit_status().expect("it exits").code(), Some(0));
        in_time
    });
    assert!(in_time, "it takes more than two seconds");
}

#[test]
fn a_closed_stdin_stops_the_sandbox_at_once() {
    let output = run(&["sandbox", "--ready-json", "--today", "2025-11-21"]);
    assert!(output.status.success());
    let line = String::from_utf8(output.stdout).expect("text");
    assert!(line.ends_with("}\n") && line.lines().count() == 1, "{line}");
}

#[cfg(unix)]
#[test]
fn signals_stop_the_sandbox_gracefully() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut served = RunningSandbox::start(&["--today", "2025-11-21"]);
        let id = served.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("kill is there");
        assert!(sent.success());
        let status = served.exit_status().expect("it ends");
        assert_eq!(status.code(), Some(code), "{signal}");
    }
}

#[test]
fn a_fault_of_nobody_is_rejected() {
    let start = |fault: &str| run(&["sandbox", "--ready-json", "--people", "4", "--fault", fault]);
    assert!(start("status; status=503; user=person-4").status.success());
    let output = start("status; status=503; user=person-99");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(stderr.contains("the user of --fault must be one of the sandbox's people\nhint: their ids are person-1, "), "{stderr}");
}

/// Requests the user without a token and returns the first bytes of the response.
#[cfg(unix)]
fn request_user(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(15))).ok()?;
    stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut response = [0; 12];
    stream.read_exact(&mut response).ok()?;
    String::from_utf8(response.to_vec()).ok()
}

#[cfg(unix)]
#[test]
fn idle_connections_do_not_exhaust_open_files() {
    // The limit of open files is below the limit of connections.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 64 && exec \"$0\" sandbox --ready-json --today 2025-11-21", env!("CARGO_BIN_EXE_vitalwire")]);
    let served = RunningSandbox::start_command(shell);
    let address = served.field("base_url").trim_start_matches("http://").to_owned();
    let silent: Vec<TcpStream> = (0..178).map(|_| TcpStream::connect(&address).expect("it is queued")).collect();
    assert_eq!(request_user(&address).as_deref(), Some("HTTP/1.1 401"));
    drop(silent);
}

#[test]
fn a_warning_about_dropped_uploads_is_printed_once() {
    let mut command = vitalwire();
    command.args(["sandbox", "--ready-json", "--today", "2025-11-21"]).stderr(Stdio::piped());
    let mut served = RunningSandbox::start_command(command);
    let said = served.child.stderr.take().expect("a pipe");
    let mut lines = BufReader::new(said).lines();
    let page = || {
        let base = served.field("base_url");
        let host = base.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(format!("GET / HTTP/1.0\r\nhost: {host}\r\n\r\n").as_bytes()).expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a page");
        text
    };
    assert!(page().contains("kept in memory, about 10000 of each kind"));
    let help = String::from_utf8(run(&["sandbox", "--help"]).stdout).expect("text");
    assert!(
        help.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("Defaults to memory, which holds about 10000 uploads of each kind and drops the oldest first")
    );
    // The limit is checked after every 128 uploads of a kind.
    upload_reports(&served, 10_000 + 2 * 128 + 8);
    let line = lines.next().expect("a line").expect("text");
    assert!(line.starts_with("vitalwire: warning: the oldest uploads are dropped from now on: memory keeps about 10000"), "{line}");
    assert!(page().contains(" of the oldest uploads and changes were removed."));
    upload_reports(&served, 2 * 128);
    drop(served.stdin.take());
    served.exit_status().expect("it ends");
    assert_eq!(lines.map(|line| line.expect("text")).collect::<Vec<_>>(), Vec::<String>::new(), "once");
}

/// Uploads lab reports on one connection with pipelined requests.
fn upload_reports(served: &RunningSandbox, count: usize) {
    let host = served.field("base_url").trim_start_matches("http://").to_owned();
    let body = r#"{"filename":"a.txt","body":"V0JDIDcuMiBLL3VMCg=="}"#;
    let request = |connection: &str| {
        format!(
            "POST /v3/lab_reports HTTP/1.1\r\nhost: {host}\r\nconnection: {connection}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            served.field("token"),
            body.len()
        )
    };
    let requests = request("keep-alive").repeat(count - 1) + &request("close");
    let mut stream = TcpStream::connect(&host).expect("a connection");
    let mut sender = stream.try_clone().expect("its other half");
    let sending = std::thread::spawn(move || sender.write_all(requests.as_bytes()));
    let mut responses = String::new();
    stream.read_to_string(&mut responses).expect("responses");
    sending.join().expect("sent").expect("requests");
    assert_eq!(responses.matches("HTTP/1.1 200 OK\r\n").count(), count);
}

#[cfg(target_os = "linux")]
#[test]
fn many_large_bodies_at_once_do_not_exhaust_memory() {
    // The program uses much of the memory from the start. The rest is less than 40 bodies of 10 MB need.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 900000 && exec \"$0\" sandbox --ready-json --today 2025-11-21", env!("CARGO_BIN_EXE_vitalwire")]);
    let mut served = RunningSandbox::start_command(shell);
    let (host, token) = (served.field("base_url").trim_start_matches("http://").to_owned(), served.field("token"));
    let body = format!("{{\"filename\":\"a.txt\",\"body\":\"{}\"}}", "AAAA".repeat(2_500_000));
    let statuses: Vec<String> = std::thread::scope(|scope| {
        let send = || {
            let mut stream = TcpStream::connect(&host).expect("a connection");
            let head = format!(
                "POST /v3/lab_reports HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).expect("it is taken");
            let mut response = String::new();
            stream.read_to_string(&mut response).expect("a response");
            response[9..12].to_owned()
        };
        let senders: Vec<_> = (0..40).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().expect("a response")).collect()
    });
    assert!(statuses.iter().all(|status| status == "200" || status == "503"), "{statuses:?}");
    assert!(statuses.iter().any(|status| status == "200"), "{statuses:?}");
    assert!(served.child.try_wait().expect("a child").is_none(), "it serves on");
}

/// Returns the text that a sandbox with these options prints for people.
fn introduction(options: &[&str]) -> String {
    let mut child = vitalwire().arg("sandbox").args(options).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut text = String::new();
    for line in lines.by_ref().map(|line| line.expect("text")) {
        text.push_str(&line);
        text.push('\n');
        if line == "Serving until Ctrl-C." {
            break;
        }
    }
    // Stdin is closed. In this mode, the sandbox serves anyway.
    assert!(child.try_wait().expect("a child").is_none());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    text
}

#[test]
fn the_introduction_lists_addresses_and_calls() {
    let text = introduction(&["--today", "2025-11-21"]);
    assert!(text.contains("All data is synthetic"));
    let base = text.lines().find_map(|line| line.strip_prefix("export VITALWIRE_BASE_URL=")).expect("a base URL");
    assert!(base.starts_with("http://127.0.0.1:"));
    assert!(text.contains(&format!("export VITALWIRE_CARE_BASE_URL={base}/care\n")));
    assert!(text.contains("curl -H \"Authorization: Bearer $VITALWIRE_TOKEN\""));
    // The fortnight up to the date of the sandbox: the 21st and the 13 days before it.
    assert!(text.contains("from_date=2025-11-08&to_date=2025-11-21"), "{text}");
}

/// The printed lines alone, in a shell, are enough to exchange a token.
#[cfg(unix)]
#[test]
fn the_printed_application_exchanges_tokens() {
    let mut child = vitalwire().arg("sandbox").stdout(Stdio::piped()).spawn().expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let lines: Vec<String> = lines.take_while(|line| line != "Serving until Ctrl-C.").collect();
    let exports: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("export ")).collect();
    let script = format!("{}\nexec \"$0\" token \"$APPLICATION_ID\" person-1 --key-env APPLICATION_KEY", exports.join("\n"));
    let output = std::process::Command::new("sh").args(["-ec", &script, env!("CARGO_BIN_EXE_vitalwire")]).output().expect("it starts");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // A token of the sandbox is a JWT.
    assert!(output.status.success() && output.stdout.iter().filter(|byte| **byte == b'.').count() == 2, "{output:?}");
}

#[test]
fn invalid_addresses_and_ports_in_use_have_exit_codes() {
    for address in ["0.0.0.0:0", "nowhere", "127.0.0.1"] {
        let output = run(&["sandbox", "--ready-json", "--bind", address]);
        assert_eq!(output.status.code(), Some(2), "{address}");
        assert!(output.stdout.is_empty() && output.stderr.starts_with(b"vitalwire: "), "{output:?}");
    }
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    assert_eq!(run(&["sandbox", "--bind", &address]).status.code(), Some(1));
}

#[test]
fn the_bind_option_selects_the_port() {
    // Another program could take the port in between, but this is unlikely.
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").to_string();
    let served = RunningSandbox::start(&["--bind", &address]);
    assert_eq!(served.field("base_url"), format!("http://{address}"));
    let mut stream = TcpStream::connect(&address).expect("it listens");
    stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
}
