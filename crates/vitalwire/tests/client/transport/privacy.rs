//! Tests that texts contain no health data, tokens, URLs or bodies. Canary values are in all of these, and no text may contain one.

use std::cell::RefCell;
use std::error::Error as StdError;
use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use http::Method;
use vitalwire::client::{CallOptions, Client, ClientBuilder, RefreshReason, Service, Token};
use vitalwire::error::{BoxError, Error};
use vitalwire_testkit::{Reply, Server, json, response, response_bytes};

/// Part of all canary values, compared in lower case.
const CANARY: &str = "canary";

/// Records messages of the `log` crate from dependencies, at all levels and per thread because other tests run in parallel.
struct LogRecorder;

thread_local! {
    static LOGGED: RefCell<String> = const { RefCell::new(String::new()) };
    static TRACED: RefCell<String> = const { RefCell::new(String::new()) };
}

impl log::Log for LogRecorder {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let line = format!("{} {} {}\n", record.level(), record.target(), record.args());
        LOGGED.with_borrow_mut(|lines| lines.push_str(&line));
    }

    fn flush(&self) {}
}

/// Records traces per thread. The subscriber is global, because with a subscriber of one thread tracing may cache that no subscriber of
/// another thread is interested.
struct TraceRecorder;

impl Write for TraceRecorder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        TRACED.with_borrow_mut(|lines| lines.push_str(&String::from_utf8_lossy(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// All texts of an error that an application can print.
fn texts(error: &Error) -> String {
    let mut all = format!("{error}\n{error:?}\n{error:#?}\n{:?}\n", error.problem());
    let mut source = error.source();
    while let Some(cause) = source {
        all += &format!("{cause}\n{cause:?}\n");
        source = cause.source();
    }
    all
}

const PROBLEM: &str = r#"{"type":"https://x/CANARY","title":"CANARY","status":422,"detail":"the user CANARY-detail is unknown","instance":"/CANARY",
    "errors":[{"location":"body.weight","message":"CANARY","value":"CANARY"},{"location":"mrs canary, 42","value":{"CANARY":1}}],"CANARY":"CANARY"}"#;

fn builder(url: &str) -> ClientBuilder {
    Client::builder().base_url(format!("{url}/gate-CANARY")).token("token-CANARY").no_proxy().retry_delay_scale(0.0)
}

async fn call(client: &Client) -> Result<String, String> {
    let request = client
        .request(Method::PUT, Service::Health, "/v3/users/CANARY%40example.org")
        .query("provider_user_id", "CANARY")
        .header("x-patient", "CANARY")
        .json("CANARY-body");
    let shown = format!("{request:?}");
    match request.send().await {
        Ok(response) => Ok(format!("{shown}{response:?}")),
        Err(error) => Err(format!("{shown}{}", texts(&error))),
    }
}

async fn check(client: &Client, what: &str) {
    let text = call(client).await.expect_err(what);
    assert!(!text.to_lowercase().contains(CANARY), "{what}: {text}");
    let shown = format!("{client:?}");
    assert!(!shown.to_lowercase().contains(CANARY), "{shown}");
}

/// Sends the same reply to all requests and checks the texts of the error.
async fn check_reply(what: &str, reply: Reply) {
    let server = Server::always(reply);
    let client = builder(&server.url()).timeout(Duration::from_millis(300)).max_response_bytes(1000).build().unwrap();
    check(&client, what).await;
    server.wait_for(1).await;
}

#[tokio::test]
async fn errors_traces_and_logs_contain_no_canary() {
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(|| TraceRecorder).finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    log::set_logger(&LogRecorder).unwrap();
    log::set_max_level(log::LevelFilter::Trace);

    let headers = [
        ("x-request-id", "CANARY of jane@example.org"),
        ("set-cookie", "CANARY=1"),
        ("location", "https://CANARY.example/?CANARY"),
        ("x-CANARY", "CANARY"),
    ];
    for status in [201, 302, 400, 401, 403, 404, 408, 413, 422, 429, 500, 503, 599] {
        if status != 201 {
            check_reply("problem", response(status, &headers, PROBLEM.as_bytes())).await;
            check_reply("html", response(status, &headers, b"<html>CANARY</html>")).await;
        }
    }
    check_reply("over the limit", response(200, &headers, "CANARY".repeat(1000).as_bytes())).await;
    check_reply("not gzip", response(200, &[("content-encoding", "gzip"), ("x-CANARY", "CANARY")], b"CANARY")).await;
    check_reply("cut off", Reply::SendAndClose(response_bytes(200, &[("content-length", "500")], b"CANARY"))).await;
    check_reply("closed", Reply::Close).await;
    check_reply("not http", Reply::SendAndClose(b"CANARY CANARY CANARY\r\n\r\n".to_vec())).await;
    check_reply("bad header", Reply::SendAndClose(b"HTTP/1.1 200 CANARY\r\nCANARY CANARY\r\n\r\n".to_vec())).await;
    check_reply("timeout", Reply::SendAndHang(Vec::new())).await;

    let unused_address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    check(&builder(&format!("http://{unused_address}")).build().unwrap(), "refused").await;
    let proxied = builder("http://192.0.2.1").allow_plain_http(true).proxy(format!("http://CANARY:CANARY@{unused_address}"));
    assert!(!format!("{proxied:?}").to_lowercase().contains(CANARY));
    check(&proxied.build().unwrap(), "refused by the proxy").await;
    check(&builder(&format!("https://{unused_address}")).build().unwrap(), "refused, https").await;

    let server = Server::always(json(200, "\"CANARY\""));
    let shown = call(&builder(&server.url()).build().unwrap()).await.unwrap();
    assert!(!shown.to_lowercase().contains(CANARY), "a success: {shown}");

    let traced = TRACED.take();
    assert!(!traced.to_lowercase().contains(CANARY), "{traced}");
    assert!(
        traced.contains("vitalwire.call") && traced.contains("raw") && traced.contains("503"),
        "the trace has expected content: {traced}"
    );
    let logged = LOGGED.take();
    assert!(!logged.to_lowercase().contains(CANARY), "{logged}");
    assert!(logged.contains("starting new connection"), "the log has expected content: {logged}");
}

#[test]
fn debug_output_of_options_and_tokens_hides_values() {
    let options = CallOptions::new().header("x-a", "CANARY").query("a", "CANARY").token("CANARY");
    let builder = builder("https://CANARY.example").ca_certificate("CANARY").user_agent("CANARY").care_token("CANARY");
    let provided = builder.token_provider(|_: RefreshReason| async { Ok::<_, BoxError>(Token::new("CANARY")) });
    let shown = format!("{options:?} {provided:?} {:?}", Token::new("CANARY"));
    assert!(!shown.to_lowercase().contains(CANARY), "{shown}");
}
