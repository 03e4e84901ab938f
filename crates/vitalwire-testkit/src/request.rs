//! A request as it came, read byte by byte.

use std::io::Read;
use std::net::TcpStream;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// Request line and headers, names in lower case.
    pub head: String,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
    /// Whether all of the body that is wanted was read.
    pub(crate) read: bool,
}

impl Request {
    /// The request line.
    #[must_use]
    pub fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// Method and target: `GET /v3/userinfo`.
    #[must_use]
    pub fn target(&self) -> &str {
        self.line().trim_end_matches(" HTTP/1.1")
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&prefix))
    }

    /// The bearer token it came with.
    #[must_use]
    pub fn bearer(&self) -> Option<&str> {
        self.header("authorization")?.strip_prefix("Bearer ")
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The stated length of the body.
    pub(crate) fn length(&self) -> usize {
        self.header("content-length").and_then(|length| length.trim().parse().ok()).unwrap_or(0)
    }
}

/// A connection on which requests come.
pub(crate) struct Incoming {
    pub(crate) stream: TcpStream,
    buffer: Vec<u8>,
}

impl Incoming {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// The next request without its body; `None` at the end of the connection.
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

    /// So many bytes of the body; `None` where the connection ends before.
    pub(crate) fn body(&mut self, length: usize) -> Option<Vec<u8>> {
        while self.buffer.len() < length {
            self.read(length - self.buffer.len())?;
        }
        Some(self.buffer.drain(..length).collect())
    }

    /// Reads until the client closes.
    pub(crate) fn hang(&mut self) {
        while matches!(self.stream.read(&mut [0; 64]), Ok(1..)) {}
    }

    fn read(&mut self, most: usize) -> Option<()> {
        let mut chunk = [0; 65_536];
        let room = chunk.len().min(most);
        match self.stream.read(&mut chunk[..room]) {
            Ok(0) | Err(_) => None,
            Ok(read) => {
                self.buffer.extend_from_slice(&chunk[..read]);
                Some(())
            }
        }
    }
}
