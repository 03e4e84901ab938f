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
pub(crate) enum Denied {
    /// Not an http or https URL.
    NoUrl,
    /// The host is not allowed, or the scheme is not supported.
    NotAllowed,
    Unreachable,
}

impl Denied {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::NoUrl => "is not a valid HTTP(S) URL",
            Self::NotAllowed => "the sandbox sends requests by plain http only, to this machine and allowed hosts",
            Self::Unreachable => "the host cannot be reached",
        }
    }
}

/// Returns the address of a loopback host, given as an address or `localhost`. Names are never resolved.
pub(crate) fn loopback(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(ip) if ip.is_loopback() => Some(IpAddr::V4(*ip)),
        Host::Ipv6(ip) if ip.is_loopback() => Some(IpAddr::V6(*ip)),
        Host::Domain(name) if *name == "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => None,
    }
}

/// Allowed hosts besides this machine, as `name` (any port) or `name:port`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach(Vec<String>);

impl Reach {
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
    pub(crate) fn parse(&self, text: &str) -> Result<Url, Denied> {
        let url = Url::parse(text).map_err(|_| Denied::NoUrl)?;
        let (Some(host), true) = (url.host(), matches!(url.scheme(), "http" | "https")) else {
            return Err(Denied::NoUrl);
        };
        let known = loopback(&host).is_some() || self.allows(&host.to_string(), port(&url));
        if url.scheme() == "http" && known { Ok(url) } else { Err(Denied::NotAllowed) }
    }

    /// Sends a request to a URL from [`Self::parse`] on a new connection. Does not follow redirects.
    pub(crate) async fn send(&self, url: &Url, request: http::request::Builder, body: Body) -> Result<Answer, Denied> {
        let unreachable = |_| Denied::Unreachable;
        let stream = connect(url).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|_| Denied::Unreachable)?;
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let mut request: Request<Body> = request.uri(target).body(body).map_err(|_| Denied::NoUrl)?;
        let host = format!("{}:{}", url.host_str().unwrap_or_default(), port(url));
        request.headers_mut().insert(header::HOST, HeaderValue::from_str(&host).map_err(|_| Denied::NoUrl)?);
        let response = sender.send_request(request).await.map_err(unreachable)?;
        Ok(Answer { response, _connection: tasks })
    }
}

fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(80)
}

async fn connect(url: &Url) -> Result<TcpStream, Denied> {
    let port = port(url);
    let known = url.host().as_ref().and_then(loopback);
    let addresses: Vec<SocketAddr> = match known {
        Some(ip) => vec![(ip, port).into()],
        None => tokio::net::lookup_host((url.host_str().unwrap_or_default().trim_matches(['[', ']']), port))
            .await
            .map_err(|_| Denied::Unreachable)?
            .collect(),
    };
    TcpStream::connect(&addresses[..]).await.map_err(|_| Denied::Unreachable)
}

/// A response whose body is still being received. Dropping it closes the connection.
pub(crate) struct Answer {
    pub(crate) response: Response<Incoming>,
    _connection: JoinSet<Result<(), hyper::Error>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_named_hosts_by_plain_http() {
        let mut reach = Reach::default();
        reach.allow("Images.test:8080".to_owned());
        reach.allow("any.test".to_owned());
        for good in [
            "http://127.0.0.1/a",
            "http://127.9.9.9:1",
            "http://[::1]:80/",
            "http://localhost/",
            "http://images.test:8080/",
            "http://ANY.test:9/",
        ] {
            assert!(reach.parse(good).is_ok(), "{good}");
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
            assert!(reach.parse(bad).is_err(), "{bad}");
        }
        for none in ["", "a", "ftp://localhost/", "file:///etc/hostname", "mailto:a@example.com", "http://"] {
            assert_eq!(reach.parse(none).err(), Some(Denied::NoUrl), "{none}");
        }
    }
}
