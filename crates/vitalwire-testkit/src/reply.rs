//! Actions of the server.

/// Action of the server after a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Sends these bytes and waits for the next request on the connection.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection.
    SendAndClose(Vec<u8>),
    /// Sends these bytes, then keeps the connection open until the client closes it.
    SendAndHang(Vec<u8>),
    /// Closes the connection without a response.
    Close,
    /// Reads this many bytes of the body and closes the connection. The client sees a reset, because the rest stays unread. Works only
    /// with [`Server::in_order`](crate::Server::in_order), which knows the action before the body arrives.
    ResetWithinBody(usize),
}

/// Creates a response with a body.
#[must_use]
pub fn response(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    Reply::Send(response_bytes(status, headers, body))
}

/// Creates a response with a JSON body.
#[must_use]
pub fn json(status: u16, body: &str) -> Reply {
    response(status, &[("content-type", "application/json")], body.as_bytes())
}

/// Creates a response with problem details (RFC 9457).
#[must_use]
pub fn problem(status: u16, body: &str) -> Reply {
    response(status, &[("content-type", "application/problem+json")], body.as_bytes())
}

/// Returns the bytes of a response with a body.
#[must_use]
pub fn response_bytes(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
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
