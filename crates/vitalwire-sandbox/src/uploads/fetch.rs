//! Fetches an image from a URL, with limits on time, size and redirects. Only hosts allowed by [`AllowedHosts`] are contacted.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use serde_json::Value;
use url::Url;

use crate::outbound::{AllowedHosts, OutboundError, OutboundResponse};
use crate::web::problem::{ErrorItem, Problem};

/// Timeout for the whole fetch, redirects included.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of redirects, all within one host.
const MAX_REDIRECTS: usize = 3;

const LOCATION: &str = "body.body_url";

fn invalid_url(message: &str) -> Problem {
    Problem::invalid(ErrorItem::new(LOCATION, message, Value::Null))
}

/// Fetches a URL. Anything but an http or https URL is rejected with 422; the interface leaves that status open.
pub(crate) async fn fetch_image(hosts: &AllowedHosts, text: &str) -> Result<Bytes, Problem> {
    let convert = |error: OutboundError| invalid_url(error.message());
    let url = hosts.parse(text).map_err(convert)?;
    let exchange = async {
        let reply = follow_redirects(hosts, url).await?;
        match Limited::new(reply.response.into_body(), super::MAX_BYTES).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(super::too_large(LOCATION)),
            Err(_) => Err(invalid_url("the response of the host ended early")),
        }
    };
    tokio::time::timeout(TIMEOUT, exchange).await.unwrap_or_else(|_| Err(invalid_url("the host did not respond within 5 seconds")))
}

async fn follow_redirects(hosts: &AllowedHosts, mut url: Url) -> Result<OutboundResponse, Problem> {
    for _ in 0..=MAX_REDIRECTS {
        let request = Request::builder().method(Method::GET).header(header::ACCEPT, "image/*");
        let reply = hosts.send(&url, request, Body::empty()).await.map_err(|error| invalid_url(error.message()))?;
        match reply.response.status() {
            StatusCode::OK => return Ok(reply),
            StatusCode::NOT_FOUND | StatusCode::GONE => return Err(invalid_url("the host has no such path")),
            status if status.is_redirection() => url = redirect_target(&url, &reply)?,
            status => return Err(invalid_url(&format!("the host returned status {}", status.as_u16()))),
        }
    }
    Err(invalid_url("the host redirects more than 3 times"))
}

/// Returns the target of a redirect. Fails if it leaves the host.
fn redirect_target(url: &Url, reply: &OutboundResponse) -> Result<Url, Problem> {
    let location = reply.response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
    let next =
        location.and_then(|location| url.join(location).ok()).ok_or_else(|| invalid_url("the host redirects without a valid location"))?;
    if next.origin() == url.origin() { Ok(next) } else { Err(invalid_url("the host redirects to another host")) }
}
