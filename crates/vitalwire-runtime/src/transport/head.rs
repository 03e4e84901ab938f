//! Size limits of a response head: its status line and headers.

use http::HeaderMap;

/// Maximum size of a response head, in bytes. The HTTP library's own limit is somewhat larger and cannot be set.
const MAX_BYTES: usize = 256 << 10;

/// Maximum number of headers that the HTTP library parses. Its default is 100. For each response, it allocates 64 bytes for each header of
/// this number. With more than 128 KiB, the heap of glibc would grow and shrink with every response.
pub(crate) const MAX_HEADERS: usize = 1_024;

/// Length of `HTTP/1.1 200 ` and the line ends after the reason and after the last header, in bytes.
const STATUS_LINE_OVERHEAD: usize = 17;
/// Length of `: ` and the line end, in bytes.
const HEADER_OVERHEAD: usize = 4;

/// Whether a head is over the limit. Only a canonical reason phrase is counted.
pub(super) fn is_too_large(response: &reqwest::Response) -> bool {
    let reason = response.status().canonical_reason().map_or(0, str::len);
    STATUS_LINE_OVERHEAD + reason + length(response.headers()) > MAX_BYTES
}

fn length(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + HEADER_OVERHEAD).sum()
}
