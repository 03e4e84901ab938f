//! Serves the requests of a connection.
//!
//! Comparing a body of several megabytes takes up to a second in debug builds. Other connections continue meanwhile, so that their cases
//! meet their deadlines.

use std::collections::HashSet;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::io::AsyncWriteExt;
use tokio::task::block_in_place;

use super::control;
use super::http::{HttpRequest, RequestReader};
use super::reply::{self, ConnectionState, EncodedReply};
use super::request_check::{ConnectionInfo, ReceivedRequest};
use super::state::State;
use super::wire::Wire;
use crate::case::{Case, Service};

#[derive(Clone, Debug)]
pub(super) struct ConnectionHandler {
    pub(super) state: Arc<State>,
    /// Local addresses of connections that the proxy opened, until they are served. Ports are reused later.
    pub(super) via_proxy: Arc<Mutex<HashSet<SocketAddr>>>,
    pub(super) control: Arc<control::Control>,
}

impl ConnectionHandler {
    /// Serves requests until the connection ends.
    pub(super) async fn serve(&self, mut wire: impl Wire) -> io::Result<()> {
        let peer = wire.tcp().peer_addr()?;
        let via_proxy = self.via_proxy.lock().unwrap_or_else(PoisonError::into_inner).remove(&peer);
        self.serve_requests(&mut wire, &mut RequestReader::default(), via_proxy).await
    }

    pub(super) async fn serve_requests(&self, wire: &mut impl Wire, reader: &mut RequestReader, via_proxy: bool) -> io::Result<()> {
        let connection_info = ConnectionInfo::new(via_proxy);
        while let Some(request) = reader.next(wire).await? {
            if self.serve_request(wire, &request, connection_info).await? != ConnectionState::Open {
                break;
            }
        }
        Ok(())
    }

    pub(super) async fn serve_request(
        &self,
        wire: &mut impl Wire,
        request: &HttpRequest,
        connection_info: ConnectionInfo,
    ) -> io::Result<ConnectionState> {
        // Requests to a proxy have absolute URLs.
        let target =
            request.target.strip_prefix("http://").map_or(request.target.as_str(), |rest| rest.find('/').map_or("/", |at| &rest[at..]));
        if let Some(route) = target.strip_prefix("/judge/") {
            let response = block_in_place(|| self.control.respond(&self.state, request, route));
            wire.write_all(&response).await?;
            return Ok(ConnectionState::Open);
        }
        let Some((run, case, service, path)) = parse_target(target) else { return reject(wire).await };
        let Some(case) = self.state.set.case(case) else { return reject(wire).await };
        let received = ReceivedRequest { request, service, path, connection_info, at: Instant::now() };
        let Some(encoded) = block_in_place(|| self.encode_reply(run, case, &received)) else { return reject(wire).await };
        let sent = reply::send(wire, encoded).await;
        // A client that stops reading counts as one that closed the connection.
        if matches!(sent, Ok(ConnectionState::ClosedByClient) | Err(_)) {
            self.state.with_case(run, &case.id, |observations| observations.closed_early.push(Instant::now()));
        }
        sent
    }

    /// Returns the response to a request. `None` if the case has none.
    fn encode_reply(&self, run: &str, case: &Case, received: &ReceivedRequest<'_>) -> Option<EncodedReply> {
        let reply = self.state.match_request(run, case, received)?;
        let encoded = reply::encode(reply, &self.state.set.fixtures());
        self.state.with_case(run, &case.id, |observations| match encoded {
            Ok(encoded) => {
                observations.last_response = Some(Instant::now());
                Some(encoded)
            }
            Err(error) => {
                observations.errors.push(format!("the case cannot be played: {error:#}"));
                None
            }
        })
    }
}

/// Parses `/<run>/<case>/<h or c>/...`. The returned path after the letter begins with a slash.
fn parse_target(target: &str) -> Option<(&str, &str, Service, &str)> {
    let (run, rest) = target.strip_prefix('/')?.split_once('/')?;
    let (case, rest) = rest.split_once('/')?;
    let (service, path) = match rest.as_bytes() {
        [b'h', b'/', ..] => (Service::Health, &rest[1..]),
        [b'c', b'/', ..] => (Service::Care, &rest[1..]),
        _ => return None,
    };
    Some((run, case, service, path))
}

/// Responds to unexpected requests with a status that is not retried.
async fn reject(wire: &mut impl Wire) -> io::Result<ConnectionState> {
    wire.write_all(b"HTTP/1.1 501 \r\ncontent-length: 0\r\n\r\n").await?;
    Ok(ConnectionState::Open)
}
