//! Fetches an image from a URL, with limits on time, size and redirects. Only hosts allowed by [`Reach`] are contacted.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use serde_json::Value;
use url::Url;

use crate::outbound::{Answer, Denied, Reach};
use crate::web::problem::{Item, Problem};

/// Timeout for the whole fetch, redirects included.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of redirects, all within one host.
const MAX_REDIRECTS: usize = 3;

const LOCATION: &str = "body.body_url";

fn refuse(message: &str) -> Problem {
    Problem::invalid(Item::new(LOCATION, message, Value::Null))
}

/// Fetches a URL. Anything but an http or https URL is rejected with 422; the interface leaves that status open.
pub(crate) async fn get(reach: &Reach, text: &str) -> Result<Bytes, Problem> {
    let denied = |denied: Denied| refuse(denied.text());
    let url = reach.parse(text).map_err(denied)?;
    let exchange = async {
        let answer = follow(reach, url).await?;
        match Limited::new(answer.response.into_body(), super::MAX_BYTES).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(super::too_large(LOCATION)),
            Err(_) => Err(refuse("the host broke off")),
        }
    };
    tokio::time::timeout(PATIENCE, exchange).await.unwrap_or_else(|_| Err(refuse("the host took too long")))
}

async fn follow(reach: &Reach, mut url: Url) -> Result<Answer, Problem> {
    for _ in 0..=MAX_REDIRECTS {
        let request = Request::builder().method(Method::GET).header(header::ACCEPT, "image/*");
        let answer = reach.send(&url, request, Body::empty()).await.map_err(|denied| refuse(denied.text()))?;
        match answer.response.status() {
            StatusCode::OK => return Ok(answer),
            StatusCode::NOT_FOUND | StatusCode::GONE => return Err(refuse("path not found at the host")),
            status if status.is_redirection() => url = moved(&url, &answer)?,
            status => return Err(refuse(&format!("the host answered {}", status.as_u16()))),
        }
    }
    Err(refuse("the host redirects too often"))
}

/// Returns the target of a redirect. Fails if it leaves the host.
fn moved(url: &Url, answer: &Answer) -> Result<Url, Problem> {
    let place = answer.response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
    let next = place.and_then(|place| url.join(place).ok()).ok_or_else(|| refuse("the host redirects nowhere"))?;
    if next.origin() == url.origin() { Ok(next) } else { Err(refuse("the host redirects to another host")) }
}
