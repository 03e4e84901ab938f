//! Faults of the sandbox for the languages' tests: each is injected once, for its own users.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, bail};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// Expected outcomes of each fault, relative to the workspace. Its README explains the cells.
const EXPECTED: &str = "tests/faults/outcomes.tsv";

/// Number of created users, so that no two sets of faults share a user.
static USERS: AtomicUsize = AtomicUsize::new(0);

/// Injects each fault for two new users of the sandbox with this ready line: one that reads and one that uploads. Writes a file below
/// `target` with a line per fault.
///
/// # Errors
/// If the sandbox rejects a fault or a user.
pub(crate) fn inject(root: &Path, target: &Path, ready: &Value) -> anyhow::Result<PathBuf> {
    let text = |name: &str| ready[name].as_str().with_context(|| format!("the sandbox's ready line has no {name}"));
    let base = text("base_url")?;
    let expected = std::fs::read_to_string(root.join(EXPECTED)).context(EXPECTED)?;
    let mut lines = String::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [fault, error, requests, upload_error, upload_requests, effect] = cells[..] else {
            bail!("a line must have six cells: {line}")
        };
        for (call, outcome) in [("read", [error, requests, "-"]), ("upload", [upload_error, upload_requests, effect])] {
            let token = create_user(base, ready, fault)?;
            lines += &format!("{token}\t{call}\t{}\t{fault}\n", outcome.join("\t"));
        }
    }
    // Use a file per step, because steps run in parallel with different users.
    let file = target.join(format!("faults/{}.tsv", USERS.load(Ordering::Relaxed)));
    std::fs::create_dir_all(target.join("faults"))?;
    std::fs::write(&file, lines)?;
    Ok(file)
}

/// Returns the token of a new user with an injected fault.
fn create_user(base: &str, ready: &Value, fault: &str) -> anyhow::Result<String> {
    let user = format!("faults-{}", USERS.fetch_add(1, Ordering::Relaxed));
    let token = exchange_token(ready, &user)?;
    post(base, "/_sandbox/faults", &json!({ "fault": format!("{fault}; user={user}") }))?;
    Ok(token)
}

/// Exchanges a signature for the token of a user. `ready` is the ready line of the sandbox, which creates unknown users.
///
/// # Errors
/// If the sandbox rejects the user.
pub(crate) fn exchange_token(ready: &Value, user: &str) -> anyhow::Result<String> {
    let text = |name: &str| ready[name].as_str().with_context(|| format!("the sandbox's ready line has no {name}"));
    let signature = signature(text("application_key")?, user)?;
    let exchange = json!({ "application_id": ready["application_id"], "application_user_id": user, "signature": signature });
    let response = post(text("base_url")?, "/v3/auth/hmac", &exchange)?;
    Ok(response["access_token"].as_str().context("the sandbox returned no token")?.to_owned())
}

/// Returns the signature with which the application proves a user id to the service.
fn signature(key: &str, user: &str) -> anyhow::Result<String> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()).context("the application's key")?;
    mac.update(user.as_bytes());
    Ok(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Posts JSON to a local server that responds with a length and closes the connection. Returns its JSON.
///
/// # Errors
/// If the server cannot be reached or rejects the request.
pub(crate) fn post(base: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
    let host = base.strip_prefix("http://").context("the sandbox must use plain http")?;
    let body = body.to_string();
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let (head, body) = response.split_once("\r\n\r\n").context("the response has no end of headers")?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    if !status.starts_with('2') {
        bail!("POST {path}: {status} {body}");
    }
    Ok(serde_json::from_str(body)?)
}
