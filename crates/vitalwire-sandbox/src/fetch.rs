//! Getting an image from a URL: plain http from this machine only. A sandbox reaches out to nobody.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use url::{Host, Url};

use crate::problem::{Item, Problem};
use crate::upload;

/// For the whole of it.
const PATIENCE: Duration = Duration::from_secs(5);

const LOCATION: &str = "body.body_url";

/// The machine itself, by number or as `localhost`; names are never looked up.
pub(crate) fn loopback(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(ip) if ip.is_loopback() => Some(IpAddr::V4(*ip)),
        Host::Ipv6(ip) if ip.is_loopback() => Some(IpAddr::V6(*ip)),
        Host::Domain(name) if *name == "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => None,
    }
}

fn refuse(message: &str) -> Problem {
    Problem::invalid(Item::new(LOCATION, message, Value::Null))
}

/// The contents behind a URL. The interface leaves the status for something that is no HTTP(S) URL open; here it is 422.
pub(crate) async fn get(text: &str) -> Result<Bytes, Problem> {
    let url = Url::parse(text).map_err(|_| refuse("is not a valid HTTP(S) URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse("is not a valid HTTP(S) URL"));
    }
    let address = url.host().as_ref().and_then(loopback);
    let (Some(ip), "http") = (address, url.scheme()) else {
        return Err(refuse("the sandbox fetches only plain http from this machine"));
    };
    let port = url.port_or_known_default().unwrap_or(80);
    match tokio::time::timeout(PATIENCE, exchange(&url, ip, port)).await {
        Ok(result) => result,
        Err(_) => Err(refuse("the host took too long")),
    }
}

async fn exchange(url: &Url, ip: IpAddr, port: u16) -> Result<Bytes, Problem> {
    let unreachable = || refuse("the host cannot be reached");
    let stream = TcpStream::connect((ip, port)).await.map_err(|_| unreachable())?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|_| unreachable())?;
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(connection);
    let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let host = format!("{}:{port}", url.host_str().unwrap_or_default());
    let request = Request::get(target).header(header::HOST, host).body(Body::empty()).map_err(|_| refuse("is not a valid HTTP(S) URL"))?;
    let response = sender.send_request(request).await.map_err(|_| unreachable())?;
    if response.status() != StatusCode::OK {
        return Err(refuse("path not found at the host"));
    }
    match Limited::new(response.into_body(), upload::MOST).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(upload::too_large(LOCATION)),
        Err(_) => Err(refuse("the host broke off")),
    }
}
