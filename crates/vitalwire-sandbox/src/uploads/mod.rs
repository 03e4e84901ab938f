//! Uploaded contents: decoding, size limits, and markers that select a result.

pub(crate) mod fetch;

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

use crate::analysis;
use crate::analysis::picture::{self, Picture, PictureError};
use crate::values::crypto;
use crate::web::problem::{ErrorItem, Problem};

/// Maximum bytes of a base64 text and of a fetched image.
///
/// It applies to the encoded text, as publicly documented. Otherwise the gateway's limit would always be reached first.
pub(crate) const MAX_BYTES: usize = 10 * 1_048_576;

/// Timeout for decoding a picture, including the wait for a slot.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Marker in the first or last 4,096 bytes of an image, for example in a comment: no food can be identified.
const UNIDENTIFIABLE: &[u8] = b"synthetic:unidentifiable";
/// Marker at either end of an image: the analysis times out.
const TIME_OUT: &[u8] = b"synthetic:timeout";
/// Marker at either end of a lab report: the document cannot be read.
const UNREADABLE: &[u8] = b"synthetic:unreadable";

/// Decodes the base64 text of the field `body`.
pub(crate) fn decode_base64(text: &str) -> Result<Bytes, Problem> {
    if text.len() > MAX_BYTES {
        return Err(too_large("body.body"));
    }
    match STANDARD.decode(text) {
        Ok(bytes) if bytes.is_empty() => Err(Problem::invalid(ErrorItem::new("body.body", "is empty", Value::Null))),
        Ok(bytes) => Ok(bytes.into()),
        Err(_) => Err(bad_request("body.body", "is not valid base64")),
    }
}

pub(crate) fn too_large(location: &str) -> Problem {
    let item = ErrorItem::new(location, "is larger than 10 MB", Value::Null);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "upload too large").with_error(item)
}

/// Decodes an image in one of the three supported formats. Returns `None` if its decoder is not built in.
pub(crate) async fn decode_picture(location: &str, bytes: &Bytes) -> Result<Option<Picture>, Problem> {
    decode_picture_within(TIMEOUT, location, bytes).await
}

async fn decode_picture_within(timeout: Duration, location: &str, bytes: &Bytes) -> Result<Option<Picture>, Problem> {
    let contents = bytes.clone();
    let read = analysis::run_blocking(&analysis::PICTURES, move || picture::read(&contents));
    // A timeout here is not the caller's fault, hence 503.
    let read = tokio::time::timeout(timeout, read)
        .await
        .map_err(|_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the analysis is busy; retry later"))?;
    read.unwrap_or(Err(PictureError::Corrupt)).map_err(|error| {
        let message = match error {
            PictureError::Unsupported => "unsupported image format: expected JPEG, PNG or WebP",
            PictureError::Corrupt => "is corrupt or not an image",
            PictureError::TooManyPixels => "has more than 50 million pixels",
        };
        bad_request(location, message)
    })
}

fn bad_request(location: &str, message: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "validation failed").with_error(ErrorItem::new(location, message, Value::Null))
}

/// Returns a number derived from the contents, which selects the result of the analysis.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    crypto::digest_number(&[b"contents", bytes])
}

/// Returns the failure reason of an image with a marker.
pub(crate) fn image_failure(bytes: &[u8]) -> Option<&'static str> {
    if has_marker(bytes, UNIDENTIFIABLE) {
        Some("Unable to identify food items")
    } else if has_marker(bytes, TIME_OUT) {
        Some("Analysis timed out")
    } else {
        None
    }
}

/// Returns the failure reason of a document with a marker.
pub(crate) fn document_failure(bytes: &[u8]) -> Option<&'static str> {
    has_marker(bytes, UNREADABLE).then_some("Unable to read the document")
}

fn has_marker(bytes: &[u8], mark: &[u8]) -> bool {
    let near = 4_096.min(bytes.len());
    [&bytes[..near], &bytes[bytes.len() - near..]].into_iter().any(|part| part.windows(mark.len()).any(|window| window == mark))
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn waiting_for_a_decoder_times_out() {
        let all = analysis::PICTURES.acquire_many(2).await.unwrap();
        let waited = decode_picture_within(Duration::from_millis(10), "body.body", &Bytes::from_static(b"x")).await;
        assert_eq!(waited.err().map(|problem| problem.into_response().status()), Some(StatusCode::SERVICE_UNAVAILABLE));
        // Documents have separate slots.
        assert_eq!(analysis::run_blocking(&analysis::DOCUMENTS, || 7).await, Some(7));
        drop(all);
        let read = decode_picture("body.body", &Bytes::from_static(b"x")).await;
        assert_eq!(read.err().map(|problem| problem.into_response().status()), Some(StatusCode::BAD_REQUEST));
    }

    #[test]
    fn markers_count_only_at_both_ends() {
        let mut bytes = vec![0; 20_000];
        assert_eq!(image_failure(&bytes), None);
        bytes[10_000..10_000 + TIME_OUT.len()].copy_from_slice(TIME_OUT);
        assert_eq!(image_failure(&bytes), None);
        bytes.extend_from_slice(TIME_OUT);
        assert_eq!(image_failure(&bytes), Some("Analysis timed out"));
        assert_eq!(image_failure(b"synth"), None);
    }
}
