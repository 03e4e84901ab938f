//! Bodies of faults within HTTP: slow, oversized or compressed.

use std::convert::Infallible;
use std::io::{self, Write};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;

/// Bytes of a MiB.
const MIB: u64 = 1_048_576;

/// Padding: JSON may be followed by spaces.
static SPACES: [u8; 65_536] = [b' '; 65_536];

/// Splits a body into chunks of `size` bytes with a pause between them.
pub(crate) fn slow_body(bytes: Bytes, size: usize, pause: Duration) -> Body {
    Body::from_stream(stream::unfold((bytes, false), move |(mut rest, later)| async move {
        if rest.is_empty() {
            return None;
        }
        if later {
            tokio::time::sleep(pause).await;
        }
        let piece = rest.split_to(size.clamp(1, rest.len()));
        Some((Ok::<_, Infallible>(piece), (rest, true)))
    }))
}

/// Appends `megabytes` MiB of spaces to a body. Returns the body and its length.
pub(crate) fn padded_body(bytes: Bytes, megabytes: u64) -> (Body, u64) {
    let length = bytes.len() as u64 + megabytes * MIB;
    let pieces = (0..megabytes * MIB / SPACES.len() as u64).map(|_| Bytes::from_static(&SPACES));
    let all = std::iter::once(bytes).chain(pieces).map(Ok::<_, Infallible>);
    (Body::from_stream(stream::iter(all)), length)
}

/// Compresses a body followed by `megabytes` MiB of spaces.
pub(crate) fn compress(bytes: &[u8], megabytes: u64) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    for _ in 0..megabytes * MIB / SPACES.len() as u64 {
        encoder.write_all(&SPACES)?;
    }
    encoder.finish()
}
