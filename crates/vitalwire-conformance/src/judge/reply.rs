//! Sends a response, with or without its fault.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::AsyncWriteExt;

use super::wire::{Wire, closed_within};
use crate::bytes;
use crate::case::{Body, CutKind, CutResponse, Encoding, Fault, Filler, Reply};

/// Time for which a hanging response stays open. It exceeds the timeout of a case.
const HANG_TIME: Duration = Duration::from_secs(20);

/// State of the connection after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionState {
    /// Ready for another request.
    Open,
    /// Closed by the judge.
    ClosedByJudge,
    /// Closed by the client before the response was complete.
    ClosedByClient,
}

#[derive(Debug)]
pub(super) struct EncodedReply {
    head: Vec<u8>,
    body: Vec<u8>,
    fault: Fault,
    /// Whether the head matches the body. Otherwise the connection must be closed.
    is_consistent: bool,
}

pub(super) fn encode(reply: &Reply, fixtures: &Path) -> anyhow::Result<EncodedReply> {
    let plain = bytes::body_bytes(&reply.body, fixtures)?;
    let body = match reply.encoding {
        Some(Encoding::Gzip) => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&plain)?;
            encoder.finish()?
        }
        Some(Encoding::FalseGzip) | None => plain,
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    let has_header = |name: &str| reply.headers.contains_key(name);
    // Responses with these statuses have neither body nor length.
    let bodiless = matches!(reply.status, 100..=199 | 204 | 304);
    if !has_header("content-length") && !bodiless && !has_header("transfer-encoding") {
        headers.push(("content-length".to_owned(), body.len().to_string()));
    }
    if !has_header("content-type") && reply.body != Body::Empty {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    if reply.encoding.is_some() {
        headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
    }
    for (name, value) in &reply.headers {
        if let Some(value) = value {
            headers.push((name.clone(), expand_http_date(value)?));
        }
    }
    let mut head = format!("HTTP/1.1 {} \r\n", reply.status);
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(filler) = reply.filler {
        fill(&mut head, filler);
    }
    head.push_str("\r\n");
    let head = reply.raw_head.clone().unwrap_or(head).into_bytes();
    let is_consistent =
        reply.raw_head.is_none() && !has_header("content-length") && !has_header("transfer-encoding") && !has_header("connection");
    Ok(EncodedReply { head, body, fault: reply.fault.clone().unwrap_or_default(), is_consistent })
}

/// Adds the headers of a filler to an unfinished head.
fn fill(head: &mut String, filler: Filler) {
    let names: Vec<String> = (0..filler.headers).map(|index| format!("x-filler-{index}: ")).collect();
    let unfilled = head.len() + names.iter().map(|name| name.len() + 2).sum::<usize>() + 2;
    let zeros = filler.head_bytes.map_or(filler.headers, |bytes| bytes.saturating_sub(unfilled));
    for (index, name) in names.iter().enumerate() {
        let rest = usize::from(index < zeros % filler.headers);
        head.push_str(&format!("{name}{}\r\n", "0".repeat(zeros / filler.headers + rest)));
    }
}

/// Replaces `{http_date+90}` with the HTTP date in 90 seconds, and `{http_date-90}` with that of 90 seconds ago.
fn expand_http_date(value: &str) -> anyhow::Result<String> {
    let Some(seconds) = value.strip_prefix("{http_date").and_then(|rest| rest.strip_suffix('}')) else { return Ok(value.to_owned()) };
    let seconds: i64 = seconds.parse().context("seconds after `http_date`")?;
    let shift = Duration::from_secs(seconds.unsigned_abs());
    let now = SystemTime::now();
    Ok(httpdate::fmt_http_date(if seconds < 0 { now - shift } else { now + shift }))
}

/// Sends a response and applies its fault.
pub(super) async fn send(wire: &mut impl Wire, reply: EncodedReply) -> io::Result<ConnectionState> {
    let EncodedReply { head, body, fault, is_consistent } = reply;
    if let Some(delay) = fault.delay_ms
        && closed_within(wire, Duration::from_millis(delay)).await
    {
        return Ok(ConnectionState::ClosedByClient);
    }
    if let Some(CutResponse { after: None, end }) = fault.cut {
        return end_early(wire, end).await;
    }
    wire.write_all(&head).await?;
    let sent_bytes = match fault.cut {
        Some(CutResponse { after: Some(bytes), .. }) => bytes.min(body.len()),
        _ => body.len(),
    };
    match fault.slow {
        Some(slow) => {
            for part in body[..sent_bytes].chunks(slow.bytes.max(1)) {
                wire.write_all(part).await?;
                wire.flush().await?;
                if closed_within(wire, Duration::from_millis(slow.every_ms)).await {
                    return Ok(ConnectionState::ClosedByClient);
                }
            }
        }
        None => wire.write_all(&body[..sent_bytes]).await?,
    }
    wire.flush().await?;
    match fault.cut {
        Some(CutResponse { end, .. }) => end_early(wire, end).await,
        None if is_consistent => Ok(ConnectionState::Open),
        None => end_early(wire, CutKind::Close).await,
    }
}

async fn end_early(wire: &mut impl Wire, end: CutKind) -> io::Result<ConnectionState> {
    match end {
        CutKind::Close => wire.shutdown().await?,
        CutKind::Reset => wire.reset()?,
        CutKind::Hang if closed_within(wire, HANG_TIME).await => return Ok(ConnectionState::ClosedByClient),
        CutKind::Hang => {}
    }
    Ok(ConnectionState::ClosedByJudge)
}
