//! HTTP request parser.

use std::io;

use tokio::io::AsyncReadExt;

use super::wire::Wire;

/// Maximum size of a request's head, in bytes.
const HEAD: usize = 64 << 10;
/// Maximum size of a body, in bytes. The log of a whole run has more than 32 MiB.
const BODY: usize = 128 << 20;

/// A request.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) method: String,
    /// The target, as in the request line.
    pub(super) target: String,
    /// Headers with names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Incoming {
    /// Returns the value of a header. Several are joined with a comma.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Reader of the requests of a connection.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Bytes read but not yet used.
    rest: Vec<u8>,
}

impl Reader {
    /// Reads the next request. Returns `None` if the connection ends before one begins.
    pub(super) async fn next(&mut self, wire: &mut impl Wire) -> io::Result<Option<Incoming>> {
        let head = loop {
            if let Some(at) = self.rest.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if self.rest.len() > HEAD {
                return Err(invalid("a head that does not end"));
            }
            if self.fill(wire).await? == 0 {
                return if self.rest.is_empty() { Ok(None) } else { Err(invalid("a head that breaks off")) };
            }
        };
        let (mut incoming, length) = parse(&self.rest[..head])?;
        self.rest.drain(..head);
        incoming.body = match length {
            Length::Known(bytes) => {
                while self.rest.len() < bytes {
                    if self.fill(wire).await? == 0 {
                        return Err(invalid("a body that breaks off"));
                    }
                }
                let rest = self.rest.split_off(bytes);
                std::mem::replace(&mut self.rest, rest)
            }
            Length::Chunked => self.chunks(wire).await?,
        };
        Ok(Some(incoming))
    }

    async fn fill(&mut self, wire: &mut impl Wire) -> io::Result<usize> {
        wire.read_buf(&mut self.rest).await
    }

    async fn chunks(&mut self, wire: &mut impl Wire) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            match httparse::parse_chunk_size(&self.rest).map_err(|_| invalid("a chunk without size"))? {
                httparse::Status::Complete((used, size)) => {
                    let size = usize::try_from(size).map_err(|_| invalid("a chunk too large"))?;
                    if body.len() + size > BODY {
                        return Err(invalid("a body too large"));
                    }
                    while self.rest.len() < used + size + 2 {
                        if self.fill(wire).await? == 0 {
                            return Err(invalid("a chunk that breaks off"));
                        }
                    }
                    body.extend_from_slice(&self.rest[used..used + size]);
                    self.rest.drain(..used + size + 2);
                    if size == 0 {
                        return Ok(body);
                    }
                }
                httparse::Status::Partial => {
                    if self.fill(wire).await? == 0 {
                        return Err(invalid("a chunk that breaks off"));
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

fn parse(head: &[u8]) -> io::Result<(Incoming, Length)> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut fields);
    let complete = request.parse(head).map_err(|_| invalid("no request"))?.is_complete();
    let (Some(method), Some(target), true) = (request.method, request.path, complete) else {
        return Err(invalid("no request"));
    };
    let headers: Vec<(String, String)> =
        request.headers.iter().map(|field| (field.name.to_ascii_lowercase(), String::from_utf8_lossy(field.value).into_owned())).collect();
    let incoming = Incoming { method: method.to_owned(), target: target.to_owned(), headers, body: Vec::new() };
    if incoming.header("transfer-encoding").is_some_and(|how| how.eq_ignore_ascii_case("chunked")) {
        return Ok((incoming, Length::Chunked));
    }
    let length = match incoming.header("content-length") {
        Some(text) => text.parse().ok().filter(|bytes| *bytes <= BODY).ok_or_else(|| invalid("a length that is none"))?,
        None => 0,
    };
    Ok((incoming, Length::Known(length)))
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
