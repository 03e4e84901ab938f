//! The scripted HTTP server, which sends exactly the bytes that a test specifies.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::request::Connection;
use crate::{PATIENCE, Reply, Request, json};

type Script = dyn Fn(&Request, usize) -> Reply + Send + Sync;

/// Interval at which waits poll the recorded requests.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A server on a free loopback port. Its threads end with the test process.
pub struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    connections: Arc<Mutex<usize>>,
    closed: Mutex<mpsc::Receiver<Instant>>,
}

impl Server {
    /// Responds to each request with the result of a function of the request and its number, from 0.
    #[must_use]
    pub fn with_script(script: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::on_listener(TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    /// Sends these responses in order. Any further request gets a 599.
    #[must_use]
    pub fn in_order(replies: impl Into<Vec<Reply>>) -> Self {
        let replies = replies.into();
        let body_limits = replies.iter().map(|reply| if let Reply::ResetWithinBody(bytes) = reply { Some(*bytes) } else { None }).collect();
        let script = move |_: &Request, number: usize| replies.get(number).cloned().unwrap_or_else(|| json(599, "{}"));
        Self::start(TcpListener::bind("127.0.0.1:0").unwrap(), body_limits, script)
    }

    /// Sends the same response to every request.
    #[must_use]
    pub fn always(reply: Reply) -> Self {
        Self::with_script(move |_, _| reply.clone())
    }

    /// Serves on this listener.
    #[must_use]
    pub fn on_listener(listener: TcpListener, script: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(listener, Vec::new(), script)
    }

    /// Starts a server. `body_limits` limits how much of the bodies of the first requests is read.
    fn start(
        listener: TcpListener,
        body_limits: Vec<Option<usize>>,
        script: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let script: Arc<(Vec<Option<usize>>, Box<Script>)> = Arc::new((body_limits, Box::new(script)));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(Mutex::new(0));
        let (closing, closed) = mpsc::channel();
        let (recorded, counted) = (Arc::clone(&seen), Arc::clone(&connections));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                *counted.lock().unwrap() += 1;
                let (script, seen, closing) = (Arc::clone(&script), Arc::clone(&recorded), closing.clone());
                thread::spawn(move || serve(stream, &script.0, &*script.1, &seen, &closing));
            }
        });
        Self { address, requests: seen, connections, closed: Mutex::new(closed) }
    }

    /// Base URL: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Socket address: `127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Number of requests so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// Removes all recorded requests, for tests with very many requests. No request may be in flight.
    pub fn forget_requests(&self) {
        self.requests.lock().unwrap().clear();
    }

    /// Number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    /// Waits until this number of requests has arrived with their bodies.
    pub async fn wait_for(&self, count: usize) {
        let end = Instant::now() + PATIENCE;
        while !self.has_received(count, end) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Like [`wait_for`](Self::wait_for), for tests without a runtime.
    pub fn wait_for_blocking(&self, count: usize) {
        let end = Instant::now() + PATIENCE;
        while !self.has_received(count, end) {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits for at least this number of requests, and returns their number. A request that the client has cancelled may arrive later.
    pub async fn count_at_least(&self, count: usize) -> usize {
        self.wait_for(count).await;
        self.count()
    }

    /// Waits for the end of a connection that the server kept open or closed after its response. Returns the time, or `None` on timeout.
    /// Timeouts of calls are longer, unless a test sets its own.
    #[must_use]
    pub fn wait_for_close(&self) -> Option<Instant> {
        self.wait_for_close_within(PATIENCE)
    }

    /// Like [`wait_for_close`](Self::wait_for_close), with a maximum wait.
    #[must_use]
    pub fn wait_for_close_within(&self, time: Duration) -> Option<Instant> {
        self.closed.lock().unwrap().recv_timeout(time).ok()
    }

    fn has_received(&self, count: usize, end: Instant) -> bool {
        let read = self.requests.lock().unwrap().iter().filter(|request| request.read).count();
        assert!(read >= count || Instant::now() < end, "the server saw {read} requests, not {count}");
        read >= count
    }
}

/// Serves one connection until it ends.
fn serve(stream: TcpStream, body_limits: &[Option<usize>], script: &Script, seen: &Mutex<Vec<Request>>, closing: &mpsc::Sender<Instant>) {
    let mut connection = Connection::new(stream);
    while let Some(mut request) = connection.next() {
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        };
        let length = request.length();
        let limit = body_limits.get(number).copied().flatten().unwrap_or(length).min(length);
        let Some(body) = connection.body(limit) else { return };
        (request.body, request.read) = (body, true);
        // The test may have forgotten the requests in the meantime.
        if let Some(seen) = seen.lock().unwrap().get_mut(number) {
            seen.clone_from(&request);
        }
        match script(&request, number) {
            Reply::Send(bytes) => {
                if connection.stream.write_all(&bytes).is_err() {
                    return;
                }
            }
            Reply::SendAndClose(bytes) => {
                let _ = connection.stream.write_all(&bytes);
                drop(connection);
                let _ = closing.send(Instant::now());
                return;
            }
            Reply::SendAndHang(bytes) => {
                let _ = connection.stream.write_all(&bytes);
                connection.hang();
                let _ = closing.send(Instant::now());
                return;
            }
            Reply::Close | Reply::ResetWithinBody(_) => return,
        }
    }
}
