//! A server that sends a body in pieces, as a network delivers it. The path of the base URL sets their number and the pause between them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Name of the server's threads.
pub const THREAD_NAME: &str = "server";
/// Maximum size of a request, in bytes.
const MAX_REQUEST: usize = 16 << 10;

/// A body and the headers that describe it.
#[derive(Clone, Debug)]
pub struct Content {
    /// Header lines, each with its line break.
    pub headers: &'static str,
    /// Bytes of the body.
    pub body: Vec<u8>,
}

/// Answers requests on loopback until the program ends, each connection on its own thread. The path of a base URL is
/// `/CONTENT/PIECES/MICROSECONDS`: position of the content, number of pieces, and pause between two pieces.
///
/// # Errors
/// Fails if no socket or thread can be created.
pub fn start(contents: Vec<Content>) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let contents = Arc::new(contents);
    let spawn = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(work);
    spawn(Box::new(move || {
        while let Ok((stream, _)) = listener.accept() {
            let contents = Arc::clone(&contents);
            // A client closes its connection when it is dropped.
            let connection = move || drop(serve(stream, &contents));
            if spawn(Box::new(connection)).is_err() {
                return;
            }
        }
    }))?;
    Ok(address)
}

fn serve(mut stream: TcpStream, contents: &[Content]) -> Result<()> {
    stream.set_nodelay(true)?;
    loop {
        let path = read_path(&mut stream)?;
        let mut numbers = path.split('/').skip(1).map_while(|part| part.parse::<usize>().ok());
        let mut number = || numbers.next().context("the path has too few numbers");
        let content = contents.get(number()?).context("there is no such content")?;
        let (count, pause) = (number()?.max(1), Duration::from_micros(u64::try_from(number()?)?));
        let head = format!("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n", content.headers, content.body.len());
        let mut next = head.into_bytes();
        for piece in content.body.chunks(content.body.len().div_ceil(count)) {
            next.extend_from_slice(piece);
            stream.write_all(&next)?;
            next.clear();
            if !pause.is_zero() {
                sleep(pause);
            }
        }
    }
}

/// Reads a request without a body, and returns its path.
fn read_path(stream: &mut TcpStream) -> Result<String> {
    let (mut request, mut buffer) = (Vec::new(), [0; 4_096]);
    while !request.ends_with(b"\r\n\r\n") {
        let read = stream.read(&mut buffer)?;
        ensure!(read > 0 && request.len() < MAX_REQUEST, "the connection ended, or its request is too large");
        request.extend_from_slice(&buffer[..read]);
    }
    let text = String::from_utf8(request)?;
    Ok(text.split(' ').nth(1).context("the request has no path")?.to_owned())
}
