//! A judge for a case that the test defines, and an HTTP client that sends exactly the given requests.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use vitalwire_conformance::judge::Judge;
use vitalwire_conformance::ledger::Limits;
use vitalwire_conformance::set::{self, Set};

/// Timeout of every wait. It is long because machines may be slow or busy.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// A judge that plays one case, in a run named `run`.
pub(crate) struct TestJudge {
    judge: Judge,
    set: Arc<Set>,
    _folder: tempfile::TempDir,
}

impl TestJudge {
    /// Opens a judge for a case. Sets its `id` and `title`.
    pub(crate) async fn open(mut case: Value) -> Self {
        case["id"] = "area.topic.case".into();
        case["title"] = "Something holds.".into();
        let folder = tempfile::tempdir().unwrap();
        let cases = folder.path().join("tests/conformance/cases/area");
        std::fs::create_dir_all(&cases).unwrap();
        std::fs::write(cases.join("topic.json"), json!([case]).to_string()).unwrap();
        let set = Arc::new(set::read(folder.path()).unwrap());
        assert_eq!(set::findings(&set, &[]), Vec::<String>::new());
        let judge = Judge::open(Arc::clone(&set)).await.unwrap();
        judge.plan("run", &[&set.cases()[0]]).unwrap();
        Self { judge, set, _folder: folder }
    }

    /// Returns the case in the form that runners get.
    pub(crate) async fn planned_case(&self) -> Value {
        let (status, body) = self.control_request("GET", "plan/run/json", "").await;
        assert_eq!(status, 200);
        serde_json::from_str::<Value>(&body).unwrap()[0].clone()
    }

    pub(crate) async fn control_request(&self, method: &str, route: &str, body: &str) -> (u16, String) {
        let url = self.judge.url();
        request_once(method, &format!("{url}/{route}"), &[], body).await
    }

    /// Posts an outcome and texts.
    pub(crate) async fn post(&self, outcome: Value, texts: &[&str]) -> u16 {
        self.control_request("POST", "outcome/run/area.topic.case", &json!({ "outcome": outcome, "texts": texts }).to_string()).await.0
    }

    /// Returns the reasons why the case fails.
    pub(crate) fn verdict(&self, time_digits: Option<usize>) -> Vec<String> {
        self.verdict_with_limits(Limits { time_digits, ..Limits::default() })
    }

    /// Returns the reasons why the case fails in a language with these limits.
    pub(crate) fn verdict_with_limits(&self, limits: Limits) -> Vec<String> {
        self.judge.verdict("run", &self.set.cases()[0], limits)
    }

    /// Whether the log of the run contains a canary of the case.
    pub(crate) fn leaks(&self) -> bool {
        !self.judge.leaks("run", &[&self.set.cases()[0]]).unwrap().is_empty()
    }

    /// Sends a request of the case to the health service, with the default token.
    pub(crate) async fn call(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let base = self.planned_case().await["client"]["base_url"].as_str().unwrap().to_owned();
        let mut all_headers = vec!["authorization: Bearer health-token", "accept: application/json"];
        all_headers.extend(headers);
        request_once(method, &format!("{base}{path}"), &all_headers, body).await
    }
}

fn is_complete(response: &[u8]) -> bool {
    let response = String::from_utf8_lossy(response);
    let Some((head, body)) = response.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.map_or_else(|| head.starts_with("HTTP/1.1 204"), |length| body.len() >= length.parse().unwrap())
}

/// Sends one request on a new connection. Returns status and body, or 0 without a status.
pub(crate) async fn request_once(method: &str, url: &str, headers: &[&str], body: &str) -> (u16, String) {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut request = format!("{method} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for header in headers {
        request.push_str(&format!("{header}\r\n"));
    }
    request.push_str(&format!("\r\n{body}"));
    let host = host.to_owned();
    let response = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let (mut response, mut chunk) = (Vec::new(), [0; 4096]);
        // The judge keeps connections open, so a response ends after its stated length or with the connection.
        while !is_complete(&response)
            && let Ok(count @ 1..) = stream.read(&mut chunk)
        {
            response.extend_from_slice(&chunk[..count]);
        }
        String::from_utf8(response).unwrap()
    });
    let response = response.await.unwrap();
    let status = response.get(9..12).and_then(|digits| digits.parse().ok()).unwrap_or_default();
    (status, response.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}
