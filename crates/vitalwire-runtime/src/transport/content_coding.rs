//! The content coding of a body (RFC 9110 8.4.1), and its decompression.
//!
//! The HTTP library's decompression is not used. It recognizes `gzip` in lower case only, and stops after the first member (RFC 1952 2.2).

use std::io;
use std::pin::pin;

use async_compression::tokio::bufread::GzipDecoder;
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderMap, header};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};
use tokio_util::io::StreamReader;

use super::time_slice::TimeSlice;
use super::unreadable_body::UnreadableBody;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentCoding {
    Identity,
    Gzip,
    /// A coding that was not requested.
    Unknown,
}

impl ContentCoding {
    /// Reads the coding from the headers of a response, and removes the headers that do not apply to the decompressed body.
    pub(super) fn take(headers: &mut HeaderMap) -> Self {
        let coding = Self::parse(headers);
        if coding == Self::Gzip {
            headers.remove(header::CONTENT_ENCODING);
            headers.remove(header::CONTENT_LENGTH);
        }
        coding
    }

    fn parse(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::CONTENT_ENCODING).iter();
        let mut coding = Self::Identity;
        for name in values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).map(<[u8]>::trim_ascii) {
            coding = match (coding, name) {
                (before, b"") => before,
                (before, name) if name.eq_ignore_ascii_case(b"identity") => before,
                (Self::Identity, name) if name.eq_ignore_ascii_case(b"gzip") || name.eq_ignore_ascii_case(b"x-gzip") => Self::Gzip,
                _ => return Self::Unknown,
            };
        }
        coding
    }
}

/// Size of the decompression buffer, in bytes.
const BUFFER_BYTES: usize = 16 << 10;
/// Maximum number of bytes decompressed at a time. This takes about a millisecond in a debug build.
const MAX_STEP_BYTES: usize = 16 << 10;

/// Decompresses a body whose first chunk has been read, up to `limit` bytes.
pub(super) async fn decompress(first: Bytes, response: reqwest::Response, limit: usize) -> Result<Bytes, UnreadableBody> {
    let chunks = pin!(stream::try_unfold((Some(first), response), async |(first, mut response): (Option<Bytes>, reqwest::Response)| {
        let chunk = match first {
            Some(first) => Some(first),
            None => response.chunk().await.map_err(io::Error::other)?,
        };
        io::Result::Ok(chunk.map(|chunk| (chunk, (None, response))))
    }));
    let mut decoder = GzipDecoder::new(StreamReader::new(chunks));
    let mut whole = BytesMut::with_capacity(BUFFER_BYTES);
    let mut time_slice = TimeSlice::start();
    loop {
        if whole.len() > limit {
            return Err(UnreadableBody::TooLarge);
        }
        if whole.capacity() - whole.len() < BUFFER_BYTES / 2 {
            whole.reserve(whole.len().max(BUFFER_BYTES));
        }
        // Limited, because a small body that has arrived completely can expand to a large one.
        if decoder.read_buf(&mut (&mut whole).limit(MAX_STEP_BYTES)).await.map_err(UnreadableBody::Decompression)? == 0 {
            if !has_another_member(decoder.get_mut()).await.map_err(UnreadableBody::Decompression)? {
                return Ok(whole.freeze());
            }
            decoder = GzipDecoder::new(decoder.into_inner());
        }
        time_slice.yield_if_over().await;
    }
}

/// Skips zero padding after a member. Returns whether another member follows.
///
/// Like GNU gzip, ignores zeros up to the end of the body: servers that compress in blocks pad the last one. Any other bytes must be a
/// member. GNU gzip ignores them with a warning, but here they would hide a damaged body.
async fn has_another_member(body: &mut (impl AsyncBufRead + Unpin)) -> io::Result<bool> {
    loop {
        let bytes = body.fill_buf().await?;
        match bytes.iter().position(|byte| *byte != 0) {
            Some(zeros) => {
                body.consume(zeros);
                return Ok(true);
            }
            None if bytes.is_empty() => return Ok(false),
            None => {
                let zeros = bytes.len();
                body.consume(zeros);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_names_of_codings_are_case_insensitive() {
        use ContentCoding::{Gzip, Identity, Unknown};
        for (values, coding) in [
            (&[][..], Identity),
            (&["", "identity", " Identity , "], Identity),
            (&["gzip"], Gzip),
            (&["GZip"], Gzip),
            (&["x-gzip"], Gzip),
            (&["identity,X-GZIP"], Gzip),
            (&["gzip, gzip"], Unknown),
            (&["gzip", "br"], Unknown),
            (&["br"], Unknown),
            (&["gzip2"], Unknown),
            (&["\u{fc}"], Unknown),
        ] {
            let headers = values.iter().map(|value| (header::CONTENT_ENCODING, HeaderValue::from_bytes(value.as_bytes()).unwrap()));
            assert_eq!(ContentCoding::parse(&headers.collect()), coding, "{values:?}");
        }
    }
}
