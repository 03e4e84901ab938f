//! Raw HTTP over a socket, to check the exact bytes.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::support::Service;

/// Timeout for a hanging test.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Bytes received until the end of the connection.
#[derive(Debug)]
pub(crate) struct RawResponse {
    pub(crate) bytes: Vec<u8>,
    /// Whether the connection was reset instead of closed.
    pub(crate) reset: bool,
}

impl RawResponse {
    /// Returns the status line and headers in lower case, and the body.
    pub(crate) fn parts(&self) -> (String, &[u8]) {
        let end = self.bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head");
        (String::from_utf8(self.bytes[..end].to_vec()).unwrap().to_lowercase(), &self.bytes[end + 4..])
    }

    pub(crate) fn status(&self) -> u16 {
        let (head, _) = self.parts();
        head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let (head, _) = self.parts();
        head.lines().skip(1).filter_map(|line| line.split_once(": ")).find(|(given, _)| *given == name).map(|(_, value)| value.to_owned())
    }

    pub(crate) fn body(&self) -> &[u8] {
        self.parts().1
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(self.body()).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(self.body())))
    }
}

/// Sends bytes and reads the response until the connection ends.
pub(crate) async fn exchange(service: &Service, bytes: &[u8]) -> RawResponse {
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    // The server may reject the request and close the connection early.
    let _ = stream.write_all(bytes).await;
    read_to_end(&mut stream).await
}

pub(crate) async fn read_to_end(stream: &mut TcpStream) -> RawResponse {
    let mut bytes = Vec::new();
    let end = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("the connection ends");
    let reset = match end {
        Ok(_) => false,
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => true,
        Err(error) => panic!("{error}"),
    };
    RawResponse { bytes, reset }
}

/// Creates a request to the sandbox's address with `connection: close`.
pub(crate) fn request(service: &Service, line: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", service.sandbox.address());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// Sends a request as the first person.
pub(crate) async fn send_as_person(service: &Service, line: &str, headers: &[(&str, &str)], body: &str) -> RawResponse {
    let token = format!("Bearer {}", service.sandbox.token());
    let mut all = vec![("authorization", token.as_str())];
    all.extend_from_slice(headers);
    exchange(service, &request(service, line, &all, body)).await
}
