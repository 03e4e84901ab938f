//! A server on a real socket: answers what a test says, and keeps what came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use vitalwire::Client;

type Script = dyn Fn(&str, usize) -> (u16, String) + Send + Sync;

/// The server; its threads end with the test process.
pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<(String, String)>>>,
}

impl Server {
    /// Answers by a function of the request line (`GET /v3/userinfo`) and the request's number, from 0: a status and a body.
    pub(crate) fn with(script: impl Fn(&str, usize) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, seen) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let (script, kept): (Arc<Script>, _) = (Arc::new(script), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&kept));
                thread::spawn(move || serve(stream, &*script, &seen));
            }
        });
        Self { address, seen }
    }

    /// Answers these bodies one after the other, with status 200.
    pub(crate) fn in_order<const N: usize>(bodies: [&'static str; N]) -> Self {
        Self::with(move |_, number| bodies.get(number).map_or((599, String::new()), |body| (200, (*body).to_owned())))
    }

    /// A client of both services.
    pub(crate) fn client(&self) -> Client {
        let url = format!("http://{}", self.address);
        Client::builder().base_url(&url).care_base_url(&url).token("health-token").care_token("care-token").build().unwrap()
    }

    /// Request lines without version, and bodies, in the order they came.
    pub(crate) fn seen(&self) -> Vec<(String, String)> {
        self.seen.lock().unwrap().clone()
    }

    /// Request lines alone.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|(line, _)| line).collect()
    }
}

/// Answers on one connection until the client closes it.
fn serve(stream: TcpStream, script: &Script, seen: &Mutex<Vec<(String, String)>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if line.trim_end().is_empty() {
                break;
            }
            head.push(line.trim_end().to_owned());
        }
        let length = head.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        let line = head[0].strip_suffix(" HTTP/1.1").unwrap().to_owned();
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push((line.clone(), String::from_utf8(body).unwrap()));
            seen.len() - 1
        };
        let (status, body) = script(&line, number);
        let kind = if status < 400 { "application/json" } else { "application/problem+json" };
        let length = if status == 204 { String::new() } else { format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len()) };
        writer.write_all(format!("HTTP/1.1 {status} Scripted\r\n{length}\r\n{body}").as_bytes()).unwrap();
    }
}
