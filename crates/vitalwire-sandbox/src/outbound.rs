//! Requests sent by the sandbox: plain HTTP/1.1 to this machine and to allowed hosts.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Body;
use http::{HeaderValue, Request, Response, header};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use url::{Host, Url};

/// Reason why a request was not sent or got no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutboundError {
    /// Not an http or https URL.
    InvalidUrl,
    /// The host is not allowed, or the scheme is not supported.
    NotAllowed,
    Unreachable,
}

impl OutboundError {
    pub(crate) const fn message(self) -> &'static str {
        match self {
            Self::InvalidUrl => "is not a valid HTTP(S) URL",
            Self::NotAllowed => "the sandbox sends requests only by plain http, to this machine and allowed hosts",
            Self::Unreachable => "the host cannot be reached",
        }
    }
}

/// Returns the address of a loopback host: an IP address or `localhost`. Names are never resolved.
pub(crate) fn loopback_address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(ip) if ip.is_loopback() => Some(IpAddr::V4(*ip)),
        Host::Ipv6(ip) if ip.is_loopback() => Some(IpAddr::V6(*ip)),
        Host::Domain(name) if *name == "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => None,
    }
}

/// Allowed hosts besides this machine, as `name` (any port) or `name:port`.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    pub(crate) fn allow(&mut self, host: String) {
        self.0.push(host.to_ascii_lowercase());
    }

    fn allows(&self, host: &str, port: u16) -> bool {
        self.0.iter().any(|entry| match entry.strip_prefix(host) {
            Some("") => true,
            Some(rest) => rest.strip_prefix(':').is_some_and(|rest| rest == port.to_string()),
            None => false,
        })
    }

    /// Parses a URL and checks that it is allowed.
    pub(crate) fn parse(&self, text: &str) -> Result<Url, OutboundError> {
        let url = Url::parse(text).map_err(|_| OutboundError::InvalidUrl)?;
        let (Some(host), true) = (url.host(), matches!(url.scheme(), "http" | "https")) else {
            return Err(OutboundError::InvalidUrl);
        };
        let known = loopback_address(&host).is_some() || self.allows(&host.to_string(), port(&url));
        if url.scheme() == "http" && known { Ok(url) } else { Err(OutboundError::NotAllowed) }
    }

    /// Sends a request to a URL from [`Self::parse`] on a new connection. Does not follow redirects.
    pub(crate) async fn send(&self, url: &Url, request: http::request::Builder, body: Body) -> Result<OutboundResponse, OutboundError> {
        let unreachable = |_| OutboundError::Unreachable;
        let stream = connect(url).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|_| OutboundError::Unreachable)?;
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let mut request: Request<Body> = request.uri(target).body(body).map_err(|_| OutboundError::InvalidUrl)?;
        let host = format!("{}:{}", url.host_str().unwrap_or_default(), port(url));
        request.headers_mut().insert(header::HOST, HeaderValue::from_str(&host).map_err(|_| OutboundError::InvalidUrl)?);
        let response = sender.send_request(request).await.map_err(unreachable)?;
        Ok(OutboundResponse { response, _connection: tasks })
    }
}

fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(80)
}

async fn connect(url: &Url) -> Result<TcpStream, OutboundError> {
    let port = port(url);
    let known = url.host().as_ref().and_then(loopback_address);
    let addresses: Vec<SocketAddr> = match known {
        Some(ip) => vec![(ip, port).into()],
        None => tokio::net::lookup_host((url.host_str().unwrap_or_default().trim_matches(['[', ']']), port))
            .await
            .map_err(|_| OutboundError::Unreachable)?
            .collect(),
    };
    TcpStream::connect(&addresses[..]).await.map_err(|_| OutboundError::Unreachable)
}

/// A response whose body is still being received. Dropping it closes the connection.
pub(crate) struct OutboundResponse {
    pub(crate) response: Response<Incoming>,
    _connection: JoinSet<Result<(), hyper::Error>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_hosts_over_plain_http_are_accepted() {
        let mut hosts = AllowedHosts::default();
        hosts.allow("Images.test:8080".to_owned());
        hosts.allow("any.test".to_owned());
        for good in [
            "http://127.0.0.1/a",
            "http://127.9.9.9:1",
            "http://[::1]:80/",
            "http://localhost/",
            "http://images.test:8080/",
            "http://ANY.test:9/",
        ] {
            assert!(hosts.parse(good).is_ok(), "{good}");
        }
        for bad in [
            "http://images.test/",
            "http://images.test:80801/",
            "http://any.test.example/",
            "http://many.test/",
            "http://192.0.2.1/",
            "https://localhost/",
            "http://localhost.example/",
            "http://0.0.0.0/",
        ] {
            assert!(hosts.parse(bad).is_err(), "{bad}");
        }
        for none in ["", "a", "ftp://localhost/", "file:///etc/hostname", "mailto:a@example.com", "http://"] {
            assert_eq!(hosts.parse(none).err(), Some(OutboundError::InvalidUrl), "{none}");
        }
    }
}
