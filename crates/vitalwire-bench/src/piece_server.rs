//! A server that sends a body in pieces, as a network delivers it. The path of the base URL sets their number and the pause between them.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Name of the server's threads.
pub(crate) const THREAD_NAME: &str = "server";

/// Answers requests on loopback with a JSON body until the program ends, each connection on its own thread. The path of a base URL is
/// `/PIECES/MICROSECONDS`: number of pieces, and pause after each piece.
pub(crate) fn start(body: Vec<u8>) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let body = Arc::new(body);
    let spawn = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(work);
    spawn(Box::new(move || {
        while let Ok((stream, _)) = listener.accept() {
            let body = Arc::clone(&body);
            // A client closes its connection when it is dropped.
            if spawn(Box::new(move || drop(serve(&stream, &body)))).is_err() {
                return;
            }
        }
    }))?;
    Ok(address)
}

fn serve(mut stream: &TcpStream, body: &[u8]) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut request = BufReader::new(stream).lines();
    loop {
        let first = request.next().context("the connection ended")??;
        while !request.next().context("the connection ended")??.is_empty() {}
        let [_, pieces, pause, ..] = first.split('/').collect::<Vec<_>>()[..] else { bail!("the path must have two numbers") };
        let (pieces, pause) = (pieces.parse::<usize>()?, Duration::from_micros(pause.parse()?));
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        let mut next = head.into_bytes();
        for piece in body.chunks(body.len().div_ceil(pieces)) {
            next.extend_from_slice(piece);
            stream.write_all(&next)?;
            next.clear();
            if !pause.is_zero() {
                sleep(pause);
            }
        }
    }
}
