//! Completes and checks the request of a call before its first attempt.

use reqwest::Request;

use super::super::{CallOptions, ClientState};
use crate::error::{Error, ErrorKind};
use crate::operation::OperationMeta;

/// Maximum length of a URL, in bytes. The HTTP library's `http::Uri` uses 16-bit offsets.
pub(crate) const MAX_URL_BYTES: usize = 65_534;

/// Adds the headers and query pairs of the options. Checks the size of the body and the length of the URL.
pub(super) fn prepare(
    client: &ClientState,
    meta: &OperationMeta,
    options: &CallOptions,
    mut request: Box<Request>,
) -> Result<Box<Request>, Error> {
    options.check()?;
    let body = request.body().and_then(reqwest::Body::as_bytes).map_or(0, <[u8]>::len);
    let limit = meta.max_request_bytes.filter(|_| client.client_side_validation(options));
    if limit.is_some_and(|limit| u64::try_from(body).unwrap_or(u64::MAX) > limit) {
        let error = Error::with_reason(ErrorKind::TooLarge, "the request is larger than the service accepts");
        return Err(error.with_argument("body"));
    }
    if !options.query.is_empty() {
        request.url_mut().query_pairs_mut().extend_pairs(&options.query);
    }
    // The HTTP library would report a network failure.
    if request.url().as_str().len() > MAX_URL_BYTES {
        return Err(Error::with_reason(ErrorKind::InvalidArgument, "the arguments are too long for a URL"));
    }
    if options.headers.is_empty() {
        return Ok(request);
    }
    // An option replaces the operation's own header, and may have several values of one name.
    let mut replaced = http::HeaderMap::with_capacity(options.headers.len());
    for (name, value) in &options.headers {
        replaced.append(name, value.clone());
    }
    for name in replaced.keys() {
        request.headers_mut().remove(name);
    }
    request.headers_mut().extend(replaced);
    Ok(request)
}
