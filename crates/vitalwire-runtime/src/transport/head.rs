//! Limits of a response's head: its status line and headers.

use http::HeaderMap;

/// Maximum size of a head, in bytes. The HTTP library's own limit is somewhat larger and cannot be set.
const MAX_BYTES: usize = 256 << 10;

/// Maximum number of headers that the HTTP library parses: one for every 16 bytes of the largest head. Its default is 100, and more than
/// 24,576 do not fit into a `HeaderMap`. It reserves memory for so many: about 5 µs for each response, 0.25 ms in the profile for phones.
pub(crate) const MAX_HEADERS: usize = MAX_BYTES / 16;

/// `HTTP/1.1 200 `, and the line ends after the reason and the last header.
const AROUND: usize = 17;
/// `: ` and the line end.
const AROUND_HEADER: usize = 4;

/// Whether a head is over the limit. A reason that is not the usual one of its status is not counted.
pub(super) fn is_too_large(response: &reqwest::Response) -> bool {
    let reason = response.status().canonical_reason().map_or(0, str::len);
    AROUND + reason + length(response.headers()) > MAX_BYTES
}

fn length(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + AROUND_HEADER).sum()
}
