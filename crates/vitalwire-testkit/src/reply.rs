//! What the server does with a request.

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Sends these bytes and waits for the next request on the connection.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection.
    SendAndClose(Vec<u8>),
    /// Sends these bytes and then nothing more until the client closes.
    SendAndHang(Vec<u8>),
    /// Closes the connection without an answer.
    Close,
    /// Reads this many bytes of the body and closes; the rest stays unread, so that the client sees a reset. Only in
    /// [`Server::in_order`](crate::Server::in_order), which knows it before the body comes.
    ResetWithinBody(usize),
}

/// An answer with a body.
#[must_use]
pub fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    Reply::Send(bytes_of(status, headers, body))
}

/// An answer with a JSON body.
#[must_use]
pub fn json(status: u16, body: &str) -> Reply {
    answer(status, &[("content-type", "application/json")], body.as_bytes())
}

/// An answer with a problem (RFC 9457).
#[must_use]
pub fn problem(status: u16, body: &str) -> Reply {
    answer(status, &[("content-type", "application/problem+json")], body.as_bytes())
}

/// The bytes of an answer with a body.
#[must_use]
pub fn bytes_of(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if status != 204 && !headers.iter().any(|(name, _)| *name == "content-length") {
        head += &format!("content-length: {}\r\n", body.len());
    }
    let mut bytes = (head + "\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
