//! A scripted server, and the client that calls it.

use vitalwire::Client;
use vitalwire_testkit::{self as testkit, Reply};

/// A scripted server. Its threads end with the test process.
pub(crate) struct Server(testkit::Server);

impl Server {
    /// Responds with the status and body that `script` returns for a request line, such as `GET /v3/userinfo`, and a request number from 0.
    pub(crate) fn with_script(script: impl Fn(&str, usize) -> (u16, String) + Send + Sync + 'static) -> Self {
        Self(testkit::Server::with_script(move |request, number| {
            let (status, body) = script(request.target(), number);
            reply(status, &body)
        }))
    }

    /// Responds with these bodies in sequence, with status 200.
    pub(crate) fn in_order<const N: usize>(bodies: [&'static str; N]) -> Self {
        Self(testkit::Server::in_order(bodies.map(|body| reply(200, body))))
    }

    /// Creates a client for both services.
    pub(crate) fn client(&self) -> Client {
        let url = self.0.url();
        Client::builder().base_url(&url).care_base_url(&url).token("health-token").care_token("care-token").build().unwrap()
    }

    /// Returns the request lines without version, and the bodies, in the order of arrival.
    pub(crate) fn requests(&self) -> Vec<(String, String)> {
        self.0.requests().iter().map(|request| (request.target().to_owned(), request.text())).collect()
    }

    /// Returns only the request lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|(line, _)| line).collect()
    }
}

fn reply(status: u16, body: &str) -> Reply {
    match status {
        204 => testkit::response(204, &[], b""),
        400.. => testkit::problem(status, body),
        _ => testkit::json(status, body),
    }
}
