//! A scripted server, and the client that calls it.

use vitalwire::Client;
use vitalwire_testkit::{self as testkit, Reply};

/// The server; its threads end with the test process.
pub(crate) struct Server(testkit::Server);

impl Server {
    /// Answers by a function of the request line (`GET /v3/userinfo`) and the request's number, from 0: a status and a body.
    pub(crate) fn with_script(script: impl Fn(&str, usize) -> (u16, String) + Send + Sync + 'static) -> Self {
        Self(testkit::Server::with_script(move |request, number| {
            let (status, body) = script(request.target(), number);
            reply(status, &body)
        }))
    }

    /// Answers these bodies one after the other, with status 200.
    pub(crate) fn in_order<const N: usize>(bodies: [&'static str; N]) -> Self {
        Self(testkit::Server::in_order(bodies.map(|body| reply(200, body))))
    }

    /// A client of both services.
    pub(crate) fn client(&self) -> Client {
        let url = self.0.url();
        Client::builder().base_url(&url).care_base_url(&url).token("health-token").care_token("care-token").build().unwrap()
    }

    /// Request lines without version, and bodies, in the order they came.
    pub(crate) fn seen(&self) -> Vec<(String, String)> {
        self.0.requests().iter().map(|request| (request.target().to_owned(), request.text())).collect()
    }

    /// Request lines alone.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|(line, _)| line).collect()
    }
}

fn reply(status: u16, body: &str) -> Reply {
    match status {
        204 => testkit::response(204, &[], b""),
        400.. => testkit::problem(status, body),
        _ => testkit::json(status, body),
    }
}
