//! Recorded requests.

use std::io::Read;
use std::net::TcpStream;

/// A request as received.
#[derive(Clone, Debug)]
pub struct Request {
    /// Request line and headers, with header names in lower case.
    pub head: String,
    /// Body, as far as it was read.
    pub body: Vec<u8>,
    /// Whether the requested part of the body was read.
    pub(crate) read: bool,
}

impl Request {
    /// Returns the request line.
    #[must_use]
    pub fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// Returns the method and target, such as `GET /v3/userinfo`.
    #[must_use]
    pub fn target(&self) -> &str {
        self.line().trim_end_matches(" HTTP/1.1")
    }

    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&prefix))
    }

    /// Returns the bearer token of the request.
    #[must_use]
    pub fn bearer(&self) -> Option<&str> {
        self.header("authorization")?.strip_prefix("Bearer ")
    }

    /// Returns the body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the declared length of the body.
    pub(crate) fn length(&self) -> usize {
        self.header("content-length").and_then(|length| length.trim().parse().ok()).unwrap_or(0)
    }
}

/// A connection that receives requests.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Reads the next request without its body. Returns `None` at the end of the connection.
    pub(crate) fn next(&mut self) -> Option<Request> {
        loop {
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                let head: Vec<u8> = self.buffer.drain(..end + 4).collect();
                let text = String::from_utf8_lossy(&head[..end]).into_owned();
                let lower = |line: &str| match line.split_once(':') {
                    Some((name, value)) if !name.contains(' ') => format!("{}: {}\n", name.to_ascii_lowercase(), value.trim()),
                    _ => format!("{line}\n"),
                };
                return Some(Request { head: text.split("\r\n").map(lower).collect(), body: Vec::new(), read: false });
            }
            self.read(4_096)?;
        }
    }

    /// Reads `length` bytes of the body. Returns `None` if the connection ends first.
    pub(crate) fn body(&mut self, length: usize) -> Option<Vec<u8>> {
        while self.buffer.len() < length {
            self.read(length - self.buffer.len())?;
        }
        Some(self.buffer.drain(..length).collect())
    }

    /// Reads until the client closes the connection.
    pub(crate) fn hang(&mut self) {
        while matches!(self.stream.read(&mut [0; 64]), Ok(1..)) {}
    }

    fn read(&mut self, max: usize) -> Option<()> {
        let mut chunk = [0; 65_536];
        let room = chunk.len().min(max);
        match self.stream.read(&mut chunk[..room]) {
            Ok(0) | Err(_) => None,
            Ok(read) => {
                self.buffer.extend_from_slice(&chunk[..read]);
                Some(())
            }
        }
    }
}
