//! Plays a response, with or without its fault.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::AsyncWriteExt;

use super::wire::{Wire, closed_within};
use crate::bytes;
use crate::case::{Body, Cut, Encoding, End, Fault, Filler, Reply};

/// Time for which a hanging response stays open. It exceeds the timeout of a case.
const HANGS: Duration = Duration::from_secs(20);

/// State of the connection after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Ready for another request.
    Open,
    /// Closed by the judge.
    Ended,
    /// Closed by the client before the response was complete.
    Left,
}

/// A response as bytes.
#[derive(Debug)]
pub(super) struct Prepared {
    head: Vec<u8>,
    body: Vec<u8>,
    fault: Fault,
    /// Whether the head matches the body. Otherwise the connection must be closed.
    honest: bool,
}

/// Encodes a response.
pub(super) fn prepare(reply: &Reply, fixtures: &Path) -> anyhow::Result<Prepared> {
    let plain = bytes::of(&reply.body, fixtures)?;
    let body = match reply.encoding {
        Some(Encoding::Gzip) => {
            let mut packer = GzEncoder::new(Vec::new(), Compression::default());
            packer.write_all(&plain)?;
            packer.finish()?
        }
        Some(Encoding::FalseGzip) | None => plain,
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    let given = |name: &str| reply.headers.contains_key(name);
    // Responses with these statuses have neither body nor length.
    let bodiless = matches!(reply.status, 100..=199 | 204 | 304);
    if !given("content-length") && !bodiless && !given("transfer-encoding") {
        headers.push(("content-length".to_owned(), body.len().to_string()));
    }
    if !given("content-type") && reply.body != Body::Empty {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    if reply.encoding.is_some() {
        headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
    }
    for (name, value) in &reply.headers {
        if let Some(value) = value {
            headers.push((name.clone(), moment(value)?));
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
    let honest = reply.raw_head.is_none() && !given("content-length") && !given("transfer-encoding") && !given("connection");
    Ok(Prepared { head, body, fault: reply.fault.clone().unwrap_or_default(), honest })
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
fn moment(value: &str) -> anyhow::Result<String> {
    let Some(seconds) = value.strip_prefix("{http_date").and_then(|rest| rest.strip_suffix('}')) else { return Ok(value.to_owned()) };
    let seconds: i64 = seconds.parse().context("seconds after `http_date`")?;
    let shift = Duration::from_secs(seconds.unsigned_abs());
    let now = SystemTime::now();
    Ok(httpdate::fmt_http_date(if seconds < 0 { now - shift } else { now + shift }))
}

/// Plays a response.
pub(super) async fn play(wire: &mut impl Wire, reply: Prepared) -> io::Result<After> {
    let Prepared { head, body, fault, honest } = reply;
    if let Some(delay) = fault.delay_ms
        && closed_within(wire, Duration::from_millis(delay)).await
    {
        return Ok(After::Left);
    }
    if let Some(Cut { after: None, end }) = fault.cut {
        return finish(wire, end).await;
    }
    wire.write_all(&head).await?;
    let kept = match fault.cut {
        Some(Cut { after: Some(bytes), .. }) => bytes.min(body.len()),
        _ => body.len(),
    };
    match fault.slow {
        Some(slow) => {
            for part in body[..kept].chunks(slow.bytes.max(1)) {
                wire.write_all(part).await?;
                wire.flush().await?;
                if closed_within(wire, Duration::from_millis(slow.every_ms)).await {
                    return Ok(After::Left);
                }
            }
        }
        None => wire.write_all(&body[..kept]).await?,
    }
    wire.flush().await?;
    match fault.cut {
        Some(Cut { end, .. }) => finish(wire, end).await,
        None if honest => Ok(After::Open),
        None => finish(wire, End::Close).await,
    }
}

async fn finish(wire: &mut impl Wire, end: End) -> io::Result<After> {
    match end {
        End::Close => wire.shutdown().await?,
        End::Reset => wire.reset()?,
        End::Hang if closed_within(wire, HANGS).await => return Ok(After::Left),
        End::Hang => {}
    }
    Ok(After::Ended)
}
