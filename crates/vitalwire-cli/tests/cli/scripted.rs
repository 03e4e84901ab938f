//! A scripted server, and the program set up to call it.

use std::process::Command;
use std::time::{Duration, Instant};

use vitalwire_testkit::{self as testkit, Server};

use crate::common::vitalwire;

/// What it was asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Method and target, such as `GET /v3/userinfo`.
    pub(crate) line: String,
    pub(crate) body: String,
    token: String,
}

impl Request {
    fn of(request: &testkit::Request) -> Self {
        let token = request.bearer().unwrap_or_default().to_owned();
        Self { line: request.target().to_owned(), body: request.text(), token }
    }

    /// The token it came with.
    pub(crate) fn bearer(&self) -> &str {
        &self.token
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

/// The server. It ends with the test.
pub(crate) struct Scripted {
    pub(crate) url: String,
    server: Server,
}

impl From<Server> for Scripted {
    fn from(server: Server) -> Self {
        Self { url: server.url(), server }
    }
}

impl Scripted {
    /// Answers each request as the script says, which gets its number, from 0.
    pub(crate) fn start(script: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        Server::with_script(move |request, number| match script(number, &Request::of(request)) {
            Reply::Answer(status, kind, body) => testkit::response(status, &[("content-type", kind)], body.as_bytes()),
            Reply::Silence => testkit::Reply::SendAndHang(Vec::new()),
        })
        .into()
    }

    /// Answers everything with this.
    pub(crate) fn json(body: &str) -> Self {
        Server::always(testkit::json(200, body)).into()
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
        self.server.requests().iter().map(Request::of).collect()
    }

    /// The one request there was.
    pub(crate) fn only(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests[0].clone()
    }

    /// Waits until it was asked.
    pub(crate) fn wait_for_request(&self) {
        self.server.wait_for_blocking(1);
    }

    /// When the caller was seen to be gone, waited for at most so long.
    pub(crate) fn gone_within(&self, time: Duration) -> Option<Instant> {
        self.server.wait_for_close_within(time)
    }
}
