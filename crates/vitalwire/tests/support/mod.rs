//! A scripted server on raw TCP: what it sends is exactly what the test says, broken answers included.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// After this long, what is waited for is taken not to happen: machines may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Request line and headers, names in lower case.
    pub head: String,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
}

impl Seen {
    /// The request line.
    pub fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&prefix))
    }
}

/// What the server does with a request.
#[derive(Clone)]
pub enum Reply {
    /// Sends these bytes and waits for the next request on the connection.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection.
    SendAndClose(Vec<u8>),
    /// Sends these bytes and then nothing more until the client closes.
    SendAndHang(Vec<u8>),
    /// Closes the connection without an answer.
    Close,
    /// Reads this many bytes of the body and closes; the rest stays unread, so that the client sees a reset.
    ResetWithinBody(usize),
}

/// An answer with a body.
pub fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    Reply::Send(bytes_of(status, headers, body))
}

/// The bytes of an answer with a body.
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

/// An answer with a JSON body.
pub fn json(status: u16, body: &str) -> Reply {
    answer(status, &[("content-type", "application/json")], body.as_bytes())
}

type Script = dyn Fn(&Seen, usize) -> Reply + Send + Sync;

/// The server; its threads end with the test process.
pub struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    connections: Arc<Mutex<usize>>,
    closed: Mutex<mpsc::Receiver<Instant>>,
}

impl Server {
    /// Answers each request by a function of it and its number, from 0.
    pub fn with(script: impl Fn(&Seen, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    /// Answers the requests in this order; one more than that is answered 599.
    pub fn in_order(replies: impl Into<Vec<Reply>>) -> Self {
        let replies = replies.into();
        Self::with(move |_, number| replies.get(number).cloned().unwrap_or_else(|| json(599, "{}")))
    }

    /// Answers every request alike.
    pub fn always(reply: Reply) -> Self {
        Self::with(move |_, _| reply.clone())
    }

    /// Serves on this listener.
    pub fn on(listener: TcpListener, script: impl Fn(&Seen, usize) -> Reply + Send + Sync + 'static) -> Self {
        let address = listener.local_addr().unwrap();
        let script: Arc<Script> = Arc::new(script);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(Mutex::new(0));
        let (closing, closed) = mpsc::channel();
        let (kept, counted) = (Arc::clone(&seen), Arc::clone(&connections));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                *counted.lock().unwrap() += 1;
                let (script, seen, closing) = (Arc::clone(&script), Arc::clone(&kept), closing.clone());
                thread::spawn(move || serve(stream, &*script, &seen, &closing));
            }
        });
        Self { address, seen, connections, closed: Mutex::new(closed) }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests there were so far.
    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// How many connections there were so far.
    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    /// Waits until so many requests were seen.
    pub async fn wait_for(&self, count: usize) {
        let end = Instant::now() + PATIENCE;
        while self.count() < count {
            assert!(Instant::now() < end, "the server saw {} requests, not {count}", self.count());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// How many requests there were once there were so many at least: one that the client gave up may be seen after it did.
    pub async fn count_from(&self, count: usize) -> usize {
        self.wait_for(count).await;
        self.count()
    }

    /// When the end of a connection was seen on which the server hung, or which it closed after its answer; `None` where that does not
    /// come. Deadlines of calls that hang are longer, unless a test gives its own.
    pub fn closed(&self) -> Option<Instant> {
        self.closed.lock().unwrap().recv_timeout(PATIENCE).ok()
    }
}

fn serve(mut stream: TcpStream, script: &Script, seen: &Mutex<Vec<Seen>>, closing: &mpsc::Sender<Instant>) {
    let mut buffer = Vec::new();
    while let Some(head) = read_head(&mut stream, &mut buffer) {
        let mut request = Seen { head, body: Vec::new() };
        let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        // The number is taken with the lock held, so that it is the request's own.
        let reply = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            let number = seen.len() - 1;
            drop(seen);
            (number, script(&request, number))
        };
        let (number, reply) = reply;
        let wanted = if let Reply::ResetWithinBody(bytes) = reply { bytes.min(length) } else { length };
        if !read_body(&mut stream, &mut buffer, wanted, &mut request.body) {
            return;
        }
        seen.lock().unwrap()[number].body = request.body;
        match reply {
            Reply::Send(bytes) => {
                if stream.write_all(&bytes).is_err() {
                    return;
                }
            }
            Reply::SendAndClose(bytes) => {
                let _ = stream.write_all(&bytes);
                drop(stream);
                let _ = closing.send(Instant::now());
                return;
            }
            Reply::SendAndHang(bytes) => {
                let _ = stream.write_all(&bytes);
                while matches!(stream.read(&mut [0; 64]), Ok(1..)) {}
                let _ = closing.send(Instant::now());
                return;
            }
            Reply::Close | Reply::ResetWithinBody(_) => return,
        }
    }
}

/// Reads up to the empty line; names are put in lower case. `None` at the end of the connection.
fn read_head(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head: Vec<u8> = buffer.drain(..end + 4).collect();
            let text = String::from_utf8_lossy(&head[..end]).into_owned();
            let lower = |line: &str| match line.split_once(": ") {
                Some((name, value)) => format!("{}: {value}\n", name.to_ascii_lowercase()),
                None => format!("{line}\n"),
            };
            return Some(text.split("\r\n").map(lower).collect());
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(read) => buffer.extend_from_slice(&chunk[..read]),
        }
    }
}

fn read_body(stream: &mut TcpStream, buffer: &mut Vec<u8>, length: usize, body: &mut Vec<u8>) -> bool {
    while buffer.len() < length {
        let mut chunk = [0; 65536];
        let room = chunk.len().min(length - buffer.len());
        match stream.read(&mut chunk[..room]) {
            Ok(0) | Err(_) => return false,
            Ok(read) => buffer.extend_from_slice(&chunk[..read]),
        }
    }
    body.extend(buffer.drain(..length));
    true
}

/// Peak memory of this process so far, in bytes.
#[cfg(target_os = "linux")]
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}
