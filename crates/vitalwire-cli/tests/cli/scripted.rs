//! A server on a real socket that answers as a test says, and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::vitalwire;

/// What it was asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Method and target, such as `GET /v3/userinfo`.
    pub(crate) line: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

impl Request {
    /// The token it came with.
    pub(crate) fn bearer(&self) -> &str {
        self.headers.iter().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap_or("")
    }
}

/// What it does with a request.
pub(crate) enum Reply {
    /// Answers with a status, a content type and a body.
    Answer(u16, &'static str, String),
    /// Never answers; notes when the caller has gone.
    Silence,
}

impl Reply {
    pub(crate) fn json(body: impl Into<String>) -> Self {
        Self::Answer(200, "application/json", body.into())
    }

    pub(crate) fn problem(status: u16, body: impl Into<String>) -> Self {
        Self::Answer(status, "application/problem+json", body.into())
    }
}

#[derive(Default)]
struct Seen {
    requests: Vec<Request>,
    gone: Option<Instant>,
}

/// The server. It ends with the test.
pub(crate) struct Scripted {
    pub(crate) url: String,
    seen: Arc<Mutex<Seen>>,
}

impl Scripted {
    /// Answers each request as the script says, which gets its number, from 0.
    pub(crate) fn start(script: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (shared, script) = (seen.clone(), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, script) = (shared.clone(), script.clone());
                std::thread::spawn(move || serve(stream, &*script, &seen));
            }
        });
        Self { url, seen }
    }

    /// Answers everything with this.
    pub(crate) fn json(body: &str) -> Self {
        let body = body.to_owned();
        Self::start(move |_, _| Reply::json(body.clone()))
    }

    /// The program, set up to call it without a second try.
    pub(crate) fn caller(&self, arguments: &[&str]) -> Command {
        let mut command = vitalwire();
        command.args(arguments).env("VITALWIRE_BASE_URL", &self.url).env("VITALWIRE_CARE_BASE_URL", &self.url);
        command.env("VITALWIRE_MAX_RETRIES", "0").env("VITALWIRE_TOKEN", "t").env("VITALWIRE_CARE_TOKEN", "t");
        command
    }

    /// What it was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.seen.lock().expect("nobody panics").requests.clone()
    }

    /// The one request there was.
    pub(crate) fn only(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests[0].clone()
    }

    /// Waits until it was asked.
    pub(crate) fn wait_for_request(&self) {
        let end = Instant::now() + Duration::from_secs(20);
        while self.requests().is_empty() {
            assert!(Instant::now() < end, "no request came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// When the caller was seen to be gone, waited for at most so long.
    pub(crate) fn gone_within(&self, time: Duration) -> Option<Instant> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if let Some(gone) = self.seen.lock().expect("nobody panics").gone {
                return Some(gone);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

fn serve(mut stream: TcpStream, script: &impl Fn(usize, &Request) -> Reply, seen: &Mutex<Seen>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line == "\r\n" => break,
            Ok(_) => lines.push(line.trim_end().to_owned()),
        }
    }
    let length = lines.iter().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:").map(|text| text.trim().parse()));
    let mut body = vec![0; length.map_or(0, |length| length.expect("a length"))];
    reader.read_exact(&mut body).expect("the body");
    let line = lines.remove(0).trim_end_matches(" HTTP/1.1").to_owned();
    let request = Request { line, headers: lines, body: String::from_utf8_lossy(&body).into_owned() };
    let number = {
        let mut seen = seen.lock().expect("nobody panics");
        seen.requests.push(request.clone());
        seen.requests.len() - 1
    };
    match script(number, &request) {
        Reply::Answer(status, kind, body) => {
            let head =
                format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            // The caller may have gone: then nobody wants it.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        }
        Reply::Silence => {
            let _ = reader.read(&mut [0]);
            seen.lock().expect("nobody panics").gone = Some(Instant::now());
        }
    }
}
