//! A judge over cases of a test's own, and a client that does exactly what it is told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use vitalwire_conformance::judge::Judge;
use vitalwire_conformance::ledger::Limits;
use vitalwire_conformance::set::{self, Set};

/// After this long, what is waited for is taken not to happen: machines may be slow and busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A judge that plays one case, in a run named `run`.
pub(crate) struct Court {
    judge: Judge,
    set: Arc<Set>,
    _folder: tempfile::TempDir,
}

impl Court {
    /// Opens a judge over a case; `id` and `title` are given.
    pub(crate) async fn over(mut case: Value) -> Self {
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

    /// What the runner is told of the case.
    pub(crate) async fn planned(&self) -> Value {
        let (status, body) = self.control("GET", "plan/run/json", "").await;
        assert_eq!(status, 200);
        serde_json::from_str::<Value>(&body).unwrap()[0].clone()
    }

    /// A request of the judge's own routes.
    pub(crate) async fn control(&self, method: &str, route: &str, body: &str) -> (u16, String) {
        let url = self.judge.url();
        ask(method, &format!("{url}/{route}"), &[], body).await
    }

    /// Posts an outcome and texts.
    pub(crate) async fn post(&self, outcome: Value, texts: &[&str]) -> u16 {
        self.control("POST", "outcome/run/area.topic.case", &json!({ "outcome": outcome, "texts": texts }).to_string()).await.0
    }

    /// Why the case does not hold.
    pub(crate) fn verdict(&self, time_digits: Option<usize>) -> Vec<String> {
        self.verdict_within(Limits { time_digits, ..Limits::default() })
    }

    /// Why the case does not hold in a language with these limits.
    pub(crate) fn verdict_within(&self, limits: Limits) -> Vec<String> {
        self.judge.verdict("run", &self.set.cases()[0], limits)
    }

    /// Whether the run's log showed a canary of the case.
    pub(crate) fn leaks(&self) -> bool {
        !self.judge.leaks("run", &[&self.set.cases()[0]]).unwrap().is_empty()
    }

    /// A request of the case, at the health service, with the usual token.
    pub(crate) async fn call(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let base = self.planned().await["client"]["base_url"].as_str().unwrap().to_owned();
        let mut all = vec!["authorization: Bearer health-token", "accept: application/json"];
        all.extend(headers);
        ask(method, &format!("{base}{path}"), &all, body).await
    }
}

/// Whether an answer has come to its end.
fn whole(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.map_or_else(|| head.starts_with("HTTP/1.1 204"), |length| body.len() >= length.parse().unwrap())
}

/// One request on a connection of its own: status and body, or 0 where no status came.
pub(crate) async fn ask(method: &str, url: &str, headers: &[&str], body: &str) -> (u16, String) {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut request = format!("{method} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for header in headers {
        request.push_str(&format!("{header}\r\n"));
    }
    request.push_str(&format!("\r\n{body}"));
    let host = host.to_owned();
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
        // The judge keeps connections: an answer ends where it says, or with its connection.
        while !whole(&answer)
            && let Ok(count @ 1..) = stream.read(&mut piece)
        {
            answer.extend_from_slice(&piece[..count]);
        }
        String::from_utf8(answer).unwrap()
    });
    let answer = answer.await.unwrap();
    let status = answer.get(9..12).and_then(|digits| digits.parse().ok()).unwrap_or_default();
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}
