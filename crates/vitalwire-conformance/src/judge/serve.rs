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
use super::expect::{Arrived, Way};
use super::http::{Incoming, Reader};
use super::reply::{self, After, Prepared};
use super::state::State;
use super::wire::Wire;
use crate::case::{Case, Service};

/// State needed to serve requests.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    pub(super) state: Arc<State>,
    /// Local addresses of connections that the proxy opened, until they are served. Ports are reused later.
    pub(super) by_proxy: Arc<Mutex<HashSet<SocketAddr>>>,
    pub(super) control: Arc<control::Control>,
}

impl Desk {
    /// Serves requests until the connection ends.
    pub(super) async fn serve(&self, mut wire: impl Wire) -> io::Result<()> {
        let peer = wire.tcp().peer_addr()?;
        let by_proxy = self.by_proxy.lock().unwrap_or_else(PoisonError::into_inner).remove(&peer);
        self.requests(&mut wire, &mut Reader::default(), by_proxy).await
    }

    /// Serves requests on a connection of which some bytes were read already.
    pub(super) async fn requests(&self, wire: &mut impl Wire, reader: &mut Reader, by_proxy: bool) -> io::Result<()> {
        let way = Way::new(by_proxy);
        while let Some(request) = reader.next(wire).await? {
            if self.one(wire, &request, way).await? != After::Open {
                break;
            }
        }
        Ok(())
    }

    /// Serves one request.
    pub(super) async fn one(&self, wire: &mut impl Wire, request: &Incoming, way: Way) -> io::Result<After> {
        // Requests to a proxy have absolute URLs.
        let target =
            request.target.strip_prefix("http://").map_or(request.target.as_str(), |rest| rest.find('/').map_or("/", |at| &rest[at..]));
        if let Some(route) = target.strip_prefix("/judge/") {
            let answer = block_in_place(|| self.control.answer(&self.state, request, route));
            wire.write_all(&answer).await?;
            return Ok(After::Open);
        }
        let Some((run, case, service, path)) = address(target) else { return missing(wire).await };
        let Some(case) = self.state.set.case(case) else { return missing(wire).await };
        let arrived = Arrived { request, service, path, way, at: Instant::now() };
        let Some(prepared) = block_in_place(|| self.prepared(run, case, &arrived)) else { return missing(wire).await };
        let played = reply::play(wire, prepared).await;
        // A client that stops reading counts as one that closed the connection.
        if matches!(played, Ok(After::Left) | Err(_)) {
            self.state.of(run, &case.id, |seen| seen.left.push(Instant::now()));
        }
        played
    }

    /// Returns the response to a request. `None` if the case has none.
    fn prepared(&self, run: &str, case: &Case, arrived: &Arrived<'_>) -> Option<Prepared> {
        let reply = self.state.answer(run, case, arrived)?;
        let prepared = reply::prepare(reply, &self.state.set.fixtures());
        self.state.of(run, &case.id, |seen| match prepared {
            Ok(prepared) => {
                seen.answered = Some(Instant::now());
                Some(prepared)
            }
            Err(error) => {
                seen.faults.push(format!("the case cannot be played: {error:#}"));
                None
            }
        })
    }
}

/// Parses `/<run>/<case>/<h or c>/...`. The returned path after the letter begins with a slash.
fn address(target: &str) -> Option<(&str, &str, Service, &str)> {
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
async fn missing(wire: &mut impl Wire) -> io::Result<After> {
    wire.write_all(b"HTTP/1.1 501 \r\ncontent-length: 0\r\n\r\n").await?;
    Ok(After::Open)
}
