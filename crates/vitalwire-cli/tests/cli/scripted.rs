//! A scripted server, and commands that call it.

use std::process::Command;
use std::time::{Duration, Instant};

use vitalwire_testkit::{self as testkit, Server};

use crate::common::vitalwire;

/// A request that the server received.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Method and target, such as `GET /v3/userinfo`.
    pub(crate) line: String,
    pub(crate) body: String,
    token: String,
}

impl Request {
    fn new(request: &testkit::Request) -> Self {
        let token = request.bearer().unwrap_or_default().to_owned();
        Self { line: request.target().to_owned(), body: request.text(), token }
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

/// The reaction of the server to a request.
pub(crate) enum Reply {
    /// A response with a status, a content type and a body.
    Response(u16, &'static str, String),
    NoResponse,
}

impl Reply {
    pub(crate) fn json(body: impl Into<String>) -> Self {
        Self::Response(200, "application/json", body.into())
    }

    pub(crate) fn problem(status: u16, body: impl Into<String>) -> Self {
        Self::Response(status, "application/problem+json", body.into())
    }
}

/// A scripted server. It ends with the test.
pub(crate) struct ScriptedServer {
    pub(crate) url: String,
    server: Server,
}

impl From<Server> for ScriptedServer {
    fn from(server: Server) -> Self {
        Self { url: server.url(), server }
    }
}

impl ScriptedServer {
    /// Starts a server that calls `script` with the number of each request, from 0.
    pub(crate) fn start(script: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        Server::with_script(move |request, number| match script(number, &Request::new(request)) {
            Reply::Response(status, kind, body) => testkit::response(status, &[("content-type", kind)], body.as_bytes()),
            Reply::NoResponse => testkit::Reply::SendAndHang(Vec::new()),
        })
        .into()
    }

    /// Starts a server that always responds with this body.
    pub(crate) fn json(body: &str) -> Self {
        Server::always(testkit::json(200, body)).into()
    }

    /// Creates a command that calls the server without retries.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = vitalwire();
        command.args(arguments).env("VITALWIRE_BASE_URL", &self.url).env("VITALWIRE_CARE_BASE_URL", &self.url);
        command.env("VITALWIRE_MAX_RETRIES", "0").env("VITALWIRE_TOKEN", "t").env("VITALWIRE_CARE_TOKEN", "t");
        command
    }

    /// Returns the requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.server.requests().iter().map(Request::new).collect()
    }

    /// Returns the only request.
    pub(crate) fn only_request(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        requests[0].clone()
    }

    /// Waits for the first request.
    pub(crate) fn wait_for_request(&self) {
        self.server.wait_for_blocking(1);
    }

    /// Returns the time at which a client closed its connection. Waits at most this long.
    pub(crate) fn closed_within(&self, time: Duration) -> Option<Instant> {
        self.server.wait_for_close_within(time)
    }
}
