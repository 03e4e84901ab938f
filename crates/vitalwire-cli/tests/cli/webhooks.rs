//! Webhooks of the sandbox, verified with the client's verifier.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use vitalwire::ErrorKind;
use vitalwire::open_sets::{LabReportStatus, NutritionStatus};
use vitalwire::webhook::Verifier;

use crate::common::{RunningSandbox, run, vitalwire};

/// Starts a receiver that responds with 200. Returns its URL, and a channel with the signature and body of each webhook.
fn receiver() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.expect("a connection"));
            let (mut signature, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).expect("a line");
                let Some((name, value)) = line.trim_end().split_once(": ") else {
                    if line.trim_end().is_empty() {
                        break;
                    }
                    continue;
                };
                match name.to_lowercase().as_str() {
                    "x-body-signature" => signature = value.to_owned(),
                    "content-length" => length = value.parse().expect("a number"),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).expect("a body");
            stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").expect("it is taken");
            if sender.send((signature, body)).is_err() {
                break;
            }
        }
    });
    (url, received)
}

/// Creates a PNG of one pixel.
fn pixel() -> Vec<u8> {
    let mut file = Vec::new();
    png::Encoder::new(&mut file, 1, 1).write_header().and_then(|mut writer| writer.write_image_data(&[7])).expect("a picture");
    file
}

#[tokio::test]
async fn the_client_verifies_signatures_of_the_sandbox() {
    let (url, received) = receiver();
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21", "--webhook-url", &url]);
    let next = || received.recv_timeout(Duration::from_secs(20)).expect("a webhook");
    let verifier = Verifier::new([served.field("webhook_key")]).expect("a key");
    let client = served.client();

    let report = client.lab_reports().upload("WBC 7.2 K/uL\n".as_bytes(), "a.txt").wait_on_process(true).await.expect("a report");
    let (signature, mut body) = next();
    let stderr = verifier.verify_and_parse_lab_report(&body, &signature).expect("the signature holds");
    assert_eq!((stderr.application_user_id.as_deref(), &stderr.status), (Some("person-1"), &LabReportStatus::Completed));
    assert_eq!(stderr.record_id, report.lab_report.record_id);
    body[20] ^= 1;
    assert_eq!(verifier.verify(&body, &signature).expect_err("changed in transit").kind(), ErrorKind::Signature);

    let record = client.nutrition_records().upload().body(pixel()).wait_on_process(true).await.expect("a record");
    let (signature, body) = next();
    let stderr = verifier.verify_and_parse_nutrition(&body, &signature).expect("the signature holds");
    assert_eq!((stderr.application_user_id.as_deref(), &stderr.status), (Some("person-1"), &NutritionStatus::Completed));
    assert_eq!(stderr.record_id, record.record_id);

    let info = client.user().info().await.expect("a user");
    let slug = info.integrated_providers.iter().find_map(|one| one.provider_slug.clone()).expect("a provider");
    client.integrations().delete(slug.clone()).await.expect("it ends");
    let (signature, body) = next();
    let events = verifier.verify_and_parse_events(&body, &signature).expect("the signature holds");
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].provider_slug, Some(slug));
}

/// Returns the introduction that `vitalwire sandbox` prints.
#[cfg(unix)]
fn read_introduction(child: &mut std::process::Child) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    lines.take_while(|line| line != "Serving until Ctrl-C.").collect()
}

#[cfg(unix)]
#[test]
fn the_printed_verification_command_works() {
    let (url, received) = receiver();
    let mut sandbox = vitalwire();
    sandbox.args(["sandbox", "--today", "2025-11-21", "--webhook-url", &url]).stdout(std::process::Stdio::piped());
    let mut child = sandbox.spawn().expect("it starts");
    let lines = read_introduction(&mut child);
    assert!(lines.iter().any(|line| *line == format!("  webhooks to     {url} (main, lab_reports, nutrition_records)")), "{lines:#?}");
    let key = lines.iter().find_map(|line| line.strip_prefix("  webhook key     ")).expect("a key");
    // Run all printed shell lines together: the exports for clients must not interfere.
    let shell: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| line.starts_with("export ") || line.starts_with("vitalwire webhook")).collect();
    assert!(shell.contains(&format!("export VITALWIRE_WEBHOOK_KEY={key}").as_str()) && shell.len() == 8, "{shell:#?}");
    let exported = |name: &str| shell.iter().find_map(|line| line.strip_prefix(&format!("export {name}="))).expect("a variable").to_owned();

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("meal.png"), pixel()).expect("a file");
    let mut caller = vitalwire();
    caller.env("VITALWIRE_BASE_URL", exported("VITALWIRE_BASE_URL")).env("VITALWIRE_TOKEN", exported("VITALWIRE_TOKEN"));
    let uploaded = caller.args(["nutrition", "upload"]).arg(folder.path().join("meal.png")).output().expect("it starts");
    assert!(uploaded.status.success(), "{uploaded:?}");
    let (signature, body) = received.recv_timeout(Duration::from_secs(20)).expect("a webhook");

    let verify = |body: &[u8]| {
        std::fs::write(folder.path().join("body.json"), body).expect("a file");
        let programs = std::path::Path::new(env!("CARGO_BIN_EXE_vitalwire")).parent().expect("a folder");
        let mut command = std::process::Command::new("/bin/sh");
        command.args(["-c", &shell.join("\n")]).current_dir(folder.path()).env("SIGNATURE", &signature).env("PATH", programs);
        command.output().expect("a shell")
    };
    let genuine = verify(&body);
    let text = String::from_utf8_lossy(&genuine.stdout).into_owned();
    assert!(genuine.status.success() && text.contains("valid") && text.contains("nutrition record"), "{genuine:?}");
    let forged = verify(&[body.as_slice(), b" "].concat());
    assert_eq!(forged.status.code(), Some(15), "{forged:?}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[cfg(unix)]
#[test]
fn the_introduction_omits_webhooks_if_there_are_none() {
    let mut child = vitalwire().args(["sandbox", "--today", "2025-11-21"]).stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let lines = read_introduction(&mut child);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!lines.iter().any(|line| line.contains("webhook")), "{lines:#?}");
}

#[test]
fn webhooks_to_other_hosts_are_rejected_at_the_start() {
    let output = run(&["sandbox", "--webhook-url", "http://192.0.2.1/"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("webhooks cannot be sent to http://192.0.2.1/"), "{output:?}");
}
