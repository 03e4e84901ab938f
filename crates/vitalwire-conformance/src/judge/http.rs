//! HTTP request parser.

use std::io;

use tokio::io::AsyncReadExt;

use super::wire::Wire;

/// Maximum size of a request's head, in bytes.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// Maximum size of a body, in bytes. The log of a whole run has more than 32 MiB.
const MAX_BODY_BYTES: usize = 128 << 20;

#[derive(Debug)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    /// The target, as in the request line.
    pub(super) target: String,
    /// Headers with names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl HttpRequest {
    /// Returns the value of a header. Several are joined with a comma.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

#[derive(Debug, Default)]
pub(super) struct RequestReader {
    /// Bytes read but not yet used.
    buffer: Vec<u8>,
}

impl RequestReader {
    /// Reads the next request. Returns `None` if the connection ends before one begins.
    pub(super) async fn next(&mut self, wire: &mut impl Wire) -> io::Result<Option<HttpRequest>> {
        let head = loop {
            if let Some(at) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if self.buffer.len() > MAX_HEAD_BYTES {
                return Err(invalid("the head is too large"));
            }
            if self.fill(wire).await? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(invalid("the connection closed before the end of the headers")) };
            }
        };
        let (mut http_request, length) = parse(&self.buffer[..head])?;
        self.buffer.drain(..head);
        http_request.body = match length {
            Length::Known(bytes) => {
                while self.buffer.len() < bytes {
                    if self.fill(wire).await? == 0 {
                        return Err(invalid("the connection closed within the body"));
                    }
                }
                let buffer = self.buffer.split_off(bytes);
                std::mem::replace(&mut self.buffer, buffer)
            }
            Length::Chunked => self.chunks(wire).await?,
        };
        Ok(Some(http_request))
    }

    async fn fill(&mut self, wire: &mut impl Wire) -> io::Result<usize> {
        wire.read_buf(&mut self.buffer).await
    }

    async fn chunks(&mut self, wire: &mut impl Wire) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            match httparse::parse_chunk_size(&self.buffer).map_err(|_| invalid("the chunk has no size"))? {
                httparse::Status::Complete((used, size)) => {
                    let size = usize::try_from(size).map_err(|_| invalid("the chunk is too large"))?;
                    if body.len() + size > MAX_BODY_BYTES {
                        return Err(invalid("the body is too large"));
                    }
                    while self.buffer.len() < used + size + 2 {
                        if self.fill(wire).await? == 0 {
                            return Err(invalid("the connection closed within a chunk"));
                        }
                    }
                    body.extend_from_slice(&self.buffer[used..used + size]);
                    self.buffer.drain(..used + size + 2);
                    if size == 0 {
                        return Ok(body);
                    }
                }
                httparse::Status::Partial => {
                    if self.fill(wire).await? == 0 {
                        return Err(invalid("the connection closed within a chunk"));
                    }
                }
            }
        }
    }
}

enum Length {
    Known(usize),
    Chunked,
}

fn parse(head: &[u8]) -> io::Result<(HttpRequest, Length)> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let complete = request.parse(head).map_err(|_| invalid("the request is malformed"))?.is_complete();
    let (Some(method), Some(target), true) = (request.method, request.path, complete) else {
        return Err(invalid("the request is malformed"));
    };
    let headers: Vec<(String, String)> =
        request.headers.iter().map(|field| (field.name.to_ascii_lowercase(), String::from_utf8_lossy(field.value).into_owned())).collect();
    let http_request = HttpRequest { method: method.to_owned(), target: target.to_owned(), headers, body: Vec::new() };
    if http_request.header("transfer-encoding").is_some_and(|how| how.eq_ignore_ascii_case("chunked")) {
        return Ok((http_request, Length::Chunked));
    }
    let length = match http_request.header("content-length") {
        Some(text) => text.parse().ok().filter(|bytes| *bytes <= MAX_BODY_BYTES).ok_or_else(|| invalid("the content-length is invalid"))?,
        None => 0,
    };
    Ok((http_request, Length::Known(length)))
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
