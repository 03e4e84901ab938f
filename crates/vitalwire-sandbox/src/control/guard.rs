//! Access checks of the control routes: only programs on this machine and the sandbox's own page are allowed.
//!
//! Pages of other sites that are open in a browser must not reach the control routes. A foreign name that resolves to this machine (DNS
//! rebinding) is detected by `Host`, which the service's own routes check as well. A foreign page is detected by `Origin`. Writes must be
//! JSON, which an HTML form cannot send.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderName};
use http::uri::{Authority, Scheme};
use http::{Method, StatusCode, Uri};

use crate::app::AppState;
use crate::faults::ConnectionHandle;
use crate::web::problem::Problem;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const FOREIGN_HOST: &str = "control routes require the sandbox's own address as host";
const FOREIGN_ORIGIN: &str = "control routes reject requests from pages of other origins";
const NOT_JSON: &str = "control routes require the content type application/json";

pub(crate) async fn check(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let local = request.extensions().get::<ConnectionHandle>().and_then(|connection| connection.local);
    match check_access(app.base_url(), local, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn check_access<B>(base_url: &str, local: Option<SocketAddr>, request: &http::Request<B>) -> Result<(), Problem> {
    let forbidden = |detail| Problem::new(StatusCode::FORBIDDEN, detail);
    let reading = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // Links to our page are allowed.
    let linked = reading && request.uri().path() == "/";
    check_source(&OwnAddresses::new(base_url, local), request, linked).map_err(|source| match source {
        ForeignSource::Host => forbidden(FOREIGN_HOST),
        ForeignSource::Origin => forbidden(FOREIGN_ORIGIN),
    })?;
    if reading {
        return Ok(());
    }
    let headers = request.headers();
    let json = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_json);
    if request.method() != Method::DELETE && !json {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, NOT_JSON));
    }
    Ok(())
}

/// The part of a request that names another server or another site's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignSource {
    /// `Host`, or the authority of the request target.
    Host,
    /// `Origin` or `Sec-Fetch-Site`.
    Origin,
}

/// Checks that a request to a server with this base URL comes from a program on this machine, not from a page of another site.
///
/// # Errors
/// Returns the part that names another server or site.
pub fn check_request_source<B>(base_url: &str, request: &http::Request<B>) -> Result<(), ForeignSource> {
    check_source(&OwnAddresses::new(base_url, None), request, false)
}

fn check_source<B>(own: &OwnAddresses, request: &http::Request<B>, linked: bool) -> Result<(), ForeignSource> {
    let headers = request.headers();

    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).and_then(|host| host.parse().ok());
    // An absolute request target takes precedence over the header.
    let target_is_own = request.uri().authority().is_none_or(|authority| own.contains(authority));
    if hosts.next().is_some() || !target_is_own || !host.is_some_and(|host| own.contains(&host)) {
        return Err(ForeignSource::Host);
    }
    let foreign = |value: &http::HeaderValue| !value.to_str().is_ok_and(|origin| own.is_origin(origin));
    if headers.get_all(header::ORIGIN).iter().any(foreign) {
        return Err(ForeignSource::Origin);
    }
    // `Sec-Fetch-Site` is sent even without `Origin`, for example for an image on a foreign page.
    if !linked && headers.get_all(SITE).iter().any(|site| site != "same-origin" && site != "none") {
        return Err(ForeignSource::Origin);
    }
    Ok(())
}

/// Whether a request through our own socket names another host.
///
/// A foreign page whose name resolves here (DNS rebinding) could otherwise read the responses. With remote access, other machines may use
/// names of their own. Requests without a host do not come from browsers.
pub(crate) fn is_rebound<B>(app: &AppState, request: &http::Request<B>) -> bool {
    if request.extensions().get::<ConnectionHandle>().is_none() || app.settings().allow_remote {
        return false;
    }
    let fixed = |host: &http::HeaderValue| host.to_str().is_ok_and(|host| host.parse().is_ok_and(|host| is_fixed(&host)));
    !request.headers().get_all(header::HOST).iter().all(fixed) || request.uri().authority().is_some_and(|authority| !is_fixed(authority))
}

/// Whether an authority cannot be rebound by DNS: an IP address or `localhost`. Ports are ignored because they may be forwarded.
fn is_fixed(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    !authority.as_str().contains('@') && (host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok())
}

fn is_json(content_type: &str) -> bool {
    content_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

struct OwnAddresses {
    scheme: Scheme,
    /// Authority of the base URL. `None` if an embedding program gave an invalid base URL: then only `local` is accepted.
    authority: Option<Authority>,
    /// Local address of this connection. An IP address cannot be rebound by DNS.
    local: Option<SocketAddr>,
}

impl OwnAddresses {
    fn new(base_url: &str, local: Option<SocketAddr>) -> Self {
        let uri: Uri = base_url.parse().unwrap_or_default();
        let authority = uri.scheme().and(uri.authority()).cloned();
        Self { scheme: uri.scheme().cloned().unwrap_or(Scheme::HTTP), authority, local }
    }

    fn port(&self, authority: &Authority) -> u16 {
        authority.port_u16().unwrap_or(if self.scheme == Scheme::HTTPS { 443 } else { 80 })
    }

    /// Whether an authority is the base URL's host or a usual name of this machine, with the base URL's port.
    fn contains(&self, authority: &Authority) -> bool {
        // An authority may contain a user name, but legitimate clients never send one.
        if authority.as_str().contains('@') {
            return false;
        }
        if self.local.is_some_and(|local| authority.as_str() == local.to_string()) {
            return true;
        }
        let Some(own) = &self.authority else {
            return false;
        };
        let host = authority.host();
        let known = [own.host(), "localhost", "127.0.0.1", "[::1]"].iter().any(|name| name.eq_ignore_ascii_case(host));
        known && self.port(authority) == self.port(own)
    }

    fn is_origin(&self, origin: &str) -> bool {
        origin
            .split_once("://")
            .is_some_and(|(scheme, rest)| scheme == self.scheme.as_str() && rest.parse().is_ok_and(|authority| self.contains(&authority)))
    }
}

#[cfg(test)]
mod tests;
