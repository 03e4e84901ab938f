//! `vitalwire sandbox`, as the smoke tests of all languages use it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Served, run, vitalwire};

const TWO_SECONDS: Duration = Duration::from_secs(2);

#[tokio::test]
async fn the_ready_line_is_enough_to_call_everything() {
    let mut served = Served::start(&["--seed", "7", "--today", "2025-11-21"]);
    assert_eq!(served.ready["synthetic"], true);
    assert_eq!(served.ready["sleep_date"], "2025-11-21");
    assert_eq!(served.ready["user_ids"], serde_json::json!(["person-1", "person-2", "person-3", "person-4"]));
    assert!(served.text("base_url").starts_with("http://127.0.0.1:"));
    assert_eq!(served.text("control_url"), format!("{}/_sandbox", served.text("base_url")));

    let client = served.client();
    let info = client.user().info().await.expect("user information");
    assert_eq!(info.application_id, served.ready["application_id"].as_i64());
    assert_eq!(info.application_user_id, Some(served.text("user_id")));
    let night = client.sleeps().get(served.text("sleep_id")).include_stages(true).await.expect("a night");
    assert_eq!(night.sleep_date.map(|date| date.to_string()), Some(served.text("sleep_date")));
    assert!(night.stages.iter().len() > 4);
    client.care().benefits("c", "p", "1").await.expect("benefits");

    drop(served.stdin.take());
    let status = served.ended().expect("it ends when stdin closes");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn nobody_has_asked_before_it_is_ready() {
    let served = Served::start(&[]);
    let host = served.text("base_url").trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&host).expect("a connection");
    stream.write_all(format!("GET /_sandbox/requests HTTP/1.0\r\nhost: {host}\r\n\r\n").as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
    let log: serde_json::Value = serde_json::from_str(body).expect("JSON");
    assert_eq!((&log["requests"], &log["last"]), (&serde_json::json!([]), &serde_json::json!(0)));
}

#[tokio::test]
async fn without_a_date_last_night_is_over_whatever_the_time_is() {
    let served = Served::start(&[]);
    let night = served.client().sleeps().get(served.text("sleep_id")).await.expect("a night");
    assert!(night.end_at_timestamp.is_some());
}

#[tokio::test]
async fn faults_of_the_command_line_meet_the_first_calls() {
    let served = Served::start(&["--today", "2025-11-21", "--fault", "status; status=404; operation=get_user_info", "--fault", "html"]);
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
fn it_reads_what_comes_on_stdin_and_serves_on() {
    let mut served = Served::start(&["--today", "2025-11-21"]);
    let mut stdin = served.stdin.take().expect("a pipe");
    stdin.write_all(&[b'\n'; 10_000]).expect("it is read");
    assert!(served.ended_within(Duration::from_millis(300)).is_none());
    drop(stdin);
    assert!(served.ended().is_some());
}

#[test]
fn a_caller_that_dawdles_does_not_hold_up_the_end() {
    // In one of a few turns: the machine may be busy in any of them.
    let in_time = (0..5).any(|_| {
        let mut served = Served::start(&["--today", "2025-11-21"]);
        let base = served.text("base_url");
        let mut idle = TcpStream::connect(base.trim_start_matches("http://")).expect("a connection");
        idle.write_all(b"POST /v3/lab_reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").expect("half a request");
        std::thread::sleep(Duration::from_millis(100));
        drop(served.stdin.take());
        let in_time = served.ended_within(TWO_SECONDS).is_some();
        assert_eq!(served.ended().expect("it ends all the same").code(), Some(0));
        in_time
    });
    assert!(in_time, "it takes more than two seconds");
}

#[test]
fn stdin_that_is_closed_from_the_start_ends_it_at_once() {
    let output = run(&["sandbox", "--ready-json", "--today", "2025-11-21"]);
    assert!(output.status.success());
    let line = String::from_utf8(output.stdout).expect("text");
    assert!(line.ends_with("}\n") && line.lines().count() == 1, "{line}");
}

#[cfg(unix)]
#[test]
fn signals_end_it_gracefully() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut served = Served::start(&["--today", "2025-11-21"]);
        let id = served.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("kill is there");
        assert!(sent.success());
        let status = served.ended().expect("it ends");
        assert_eq!(status.code(), Some(code), "{signal}");
    }
}

/// Asks for the user without a token, and gives the first bytes of the answer.
#[cfg(unix)]
fn ask(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(15))).ok()?;
    stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).ok()?;
    String::from_utf8(answer.to_vec()).ok()
}

#[cfg(unix)]
#[test]
fn silent_connections_take_no_file_that_is_needed() {
    // Fewer files than connections are allowed.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 64 && exec \"$0\" sandbox --ready-json --today 2025-11-21", env!("CARGO_BIN_EXE_vitalwire")]);
    let served = Served::by(shell);
    let address = served.text("base_url").trim_start_matches("http://").to_owned();
    let silent: Vec<TcpStream> = (0..178).map(|_| TcpStream::connect(&address).expect("it is queued")).collect();
    assert_eq!(ask(&address).as_deref(), Some("HTTP/1.1 401"));
    drop(silent);
}

#[test]
fn what_memory_forgets_is_said_once() {
    let mut command = vitalwire();
    command.args(["sandbox", "--ready-json", "--today", "2025-11-21"]).stderr(Stdio::piped());
    let mut served = Served::by(command);
    let said = served.child.stderr.take().expect("a pipe");
    let mut lines = BufReader::new(said).lines();
    let page = || {
        let base = served.text("base_url");
        let host = base.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(format!("GET / HTTP/1.0\r\nhost: {host}\r\n\r\n").as_bytes()).expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a page");
        text
    };
    assert!(page().contains("kept in memory, about 10000 of a kind"));
    let help = String::from_utf8(run(&["sandbox", "--help"]).stdout).expect("text");
    assert!(
        help.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("Defaults to memory, which holds about 10000 uploads of each kind and drops the oldest first")
    );
    // The bound is looked at after each 128 of a kind.
    upload_reports(&served, 10_000 + 2 * 128 + 8);
    let line = lines.next().expect("a line").expect("text");
    assert!(line.starts_with("vitalwire: warning: the oldest uploads are forgotten from now on: memory keeps about 10000"), "{line}");
    assert!(page().contains(" of the oldest uploads and changes were removed."));
    upload_reports(&served, 2 * 128);
    drop(served.stdin.take());
    served.ended().expect("it ends");
    assert_eq!(lines.map(|line| line.expect("text")).collect::<Vec<_>>(), Vec::<String>::new(), "once");
}

/// Uploads so many lab reports, without a client: one connection, and no request waits for the answer before it.
fn upload_reports(served: &Served, count: usize) {
    let host = served.text("base_url").trim_start_matches("http://").to_owned();
    let body = r#"{"filename":"a.txt","body":"V0JDIDcuMiBLL3VMCg=="}"#;
    let request = |connection: &str| {
        format!(
            "POST /v3/lab_reports HTTP/1.1\r\nhost: {host}\r\nconnection: {connection}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            served.text("token"),
            body.len()
        )
    };
    let requests = request("keep-alive").repeat(count - 1) + &request("close");
    let mut stream = TcpStream::connect(&host).expect("a connection");
    let mut sender = stream.try_clone().expect("its other half");
    let sending = std::thread::spawn(move || sender.write_all(requests.as_bytes()));
    let mut answers = String::new();
    stream.read_to_string(&mut answers).expect("answers");
    sending.join().expect("sent").expect("requests");
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), count);
}

#[cfg(target_os = "linux")]
#[test]
fn many_large_bodies_at_once_find_an_end_of_their_memory() {
    // Much of it is taken from the start; the rest is less than 40 bodies of 10 MB and what is made of them.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 900000 && exec \"$0\" sandbox --ready-json --today 2025-11-21", env!("CARGO_BIN_EXE_vitalwire")]);
    let mut served = Served::by(shell);
    let (host, token) = (served.text("base_url").trim_start_matches("http://").to_owned(), served.text("token"));
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
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            answer[9..12].to_owned()
        };
        let senders: Vec<_> = (0..40).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().expect("an answer")).collect()
    });
    assert!(statuses.iter().all(|status| status == "200" || status == "503"), "{statuses:?}");
    assert!(statuses.iter().any(|status| status == "200"), "{statuses:?}");
    assert!(served.child.try_wait().expect("a child").is_none(), "it serves on");
}

#[test]
fn people_read_addresses_and_calls_to_try() {
    let mut child = vitalwire().args(["sandbox", "--today", "2025-11-21"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut text = String::new();
    for line in lines.by_ref().map(|line| line.expect("text")) {
        text.push_str(&line);
        text.push('\n');
        if line == "Serving until Ctrl-C." {
            break;
        }
    }
    // Stdin is closed here, and it serves all the same: this mode is for people.
    assert!(child.try_wait().expect("a child").is_none());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(text.contains("All data is synthetic"));
    let base = text.lines().find_map(|line| line.strip_prefix("export VITALWIRE_BASE_URL=")).expect("a base URL");
    assert!(base.starts_with("http://127.0.0.1:"));
    assert!(text.contains(&format!("export VITALWIRE_CARE_BASE_URL={base}/care\n")));
    assert!(text.contains("curl -H \"Authorization: Bearer $VITALWIRE_TOKEN\""));
    // A fortnight up to the sandbox's date: the 21st and 13 days before it.
    assert!(text.contains("from_date=2025-11-08&to_date=2025-11-21"), "{text}");
}

#[test]
fn refused_addresses_and_taken_ports_have_their_exit_codes() {
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
fn the_chosen_port_is_the_one_it_serves_on() {
    // Freed here and taken there: another program could be faster, but none on a test machine asks for this very port.
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").to_string();
    let served = Served::start(&["--bind", &address]);
    assert_eq!(served.text("base_url"), format!("http://{address}"));
    let mut stream = TcpStream::connect(&address).expect("it listens");
    stream.write_all(b"GET /v3/userinfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}
