//! An HTTPS server that requires a client certificate, for tests of other languages. It prints a line of JSON with its URL, the certificate
//! of its authority, and a client certificate with its key. It ends when its standard input is closed.

#![allow(clippy::unwrap_used, reason = "a helper of tests may panic like the tests themselves")]
#![allow(clippy::print_stdout, reason = "prints its address")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use vitalwire_testkit::{Authority, response_bytes};

/// Response to every request.
const USER: &[u8] = br#"{"application_user_id":"person-1"}"#;

fn main() {
    let authority = Authority::new();
    let (certificate, key) = authority.client("client.example");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    // Rust quotes these texts as JSON does: they have no characters but ASCII and line ends.
    println!(r#"{{"url":{url:?},"ca_certificate":{:?},"client_certificate":{:?}}}"#, authority.pem(), certificate + &key);
    let config = authority.server_for_clients("127.0.0.1");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            // A client that closed the connection needs no response.
            thread::spawn(move || drop(respond(stream, config)));
        }
    });
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
}

/// Responds to one request, if the handshake succeeds.
fn respond(stream: TcpStream, config: Arc<ServerConfig>) -> std::io::Result<()> {
    let mut socket = stream.try_clone()?;
    let mut tls = StreamOwned::new(ServerConnection::new(config).map_err(std::io::Error::other)?, stream);
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.ends_with(b"\r\n\r\n") {
        match tls.read(&mut buffer) {
            Ok(length @ 1..) => request.extend_from_slice(&buffer[..length]),
            _ => break,
        }
    }
    if request.ends_with(b"\r\n\r\n") {
        tls.write_all(&response_bytes(200, &[("content-type", "application/json"), ("connection", "close")], USER))?;
        tls.conn.send_close_notify();
        tls.flush()?;
    }
    // A reset would discard the alert that rejects the handshake, so read the rest of the client's data.
    socket.shutdown(Shutdown::Write)?;
    std::io::copy(&mut socket, &mut std::io::sink())?;
    Ok(())
}
