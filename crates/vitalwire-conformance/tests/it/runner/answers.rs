//! What must hold for every operation of the specifications, whichever there are: answers that are not what they should be, errors, and
//! clients that lack what a call needs. The arguments are those of a case that succeeds.

use serde_json::{Map, Value};
use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire::operation::OperationMeta;
use vitalwire::{Client, Error};
use vitalwire_conformance::runner;
use vitalwire_testkit::{Reply, Server, response};

use super::every::{Plain, cases};

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-request-id", "req-77")];
const CANARY: &str = "canary";

/// What a success looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Success {
    /// An object.
    Object,
    /// A list, or null.
    List,
    /// 204 and nothing.
    Nothing,
}

/// An operation and arguments that it takes.
struct Operation {
    meta: &'static OperationMeta,
    template: String,
    success: Success,
    arguments: Map<String, Value>,
}

impl Operation {
    async fn send(&self, client: &Client) -> Result<(), Error> {
        let call = runner::send(client, self.meta.id, &self.arguments, CallOptions::new()).unwrap();
        call.await.map(drop).map_err(|failed| failed.error)
    }

    /// The setting of its service: those of the first have no prefix.
    fn setting(&self, name: &str) -> String {
        if self.meta.service.name == "health" { name.to_owned() } else { format!("{}_{name}", self.meta.service.name) }
    }
}

/// Every operation that the client knows.
fn operations() -> Vec<Operation> {
    let (cases, mut all) = (cases(), Vec::new());
    for meta in vitalwire::OPERATIONS {
        let plain = cases.cases().iter().filter_map(Plain::of).find(|plain| plain.call.id == meta.id);
        let plain = plain.unwrap_or_else(|| panic!("no case of one call of {} that succeeds", meta.id));
        let success = match plain.reply(&cases) {
            _ if meta.success == [204] => Success::Nothing,
            Value::Array(_) | Value::Null => Success::List,
            _ => Success::Object,
        };
        all.push(Operation {
            meta,
            template: format!("{} {}", meta.http_method, meta.path),
            success,
            arguments: plain.call.arguments.clone(),
        });
    }
    all
}

/// A client of both services on one server.
fn client(server: &Server) -> Client {
    let url = server.url();
    let builder = Client::builder().base_url(&url).care_base_url(&url).token("health-token").care_token("care-token");
    builder.no_proxy().retry_delay_scale(0.01).build().unwrap()
}

/// A body, what it is, and for which operations it is wrong.
struct Bad {
    what: &'static str,
    body: Vec<u8>,
    reason: &'static str,
    wrong_for: &'static [Success],
}

const BOTH: &[Success] = &[Success::Object, Success::List];
const OBJECT: &[Success] = &[Success::Object];
const LIST: &[Success] = &[Success::List];

fn bad(what: &'static str, body: impl Into<Vec<u8>>, reason: &'static str, wrong_for: &'static [Success]) -> Bad {
    Bad { what, body: body.into(), reason, wrong_for }
}

fn bodies() -> Vec<Bad> {
    let deep_array = "[".repeat(100_000);
    let deep_object = "{\"canary\":".repeat(100_000);
    vec![
        bad("nothing", "", "empty", BOTH),
        bad("white space", " \r\n\t ", "empty", BOTH),
        bad("HTML", "<!doctype html><title>canary</title>", "malformed JSON", BOTH),
        bad("a cut object", "{\"canary\": \"canar", "truncated JSON", BOTH),
        bad("a cut array", "[{\"canary\":[1,", "truncated JSON", BOTH),
        bad("a cut literal", "nul", "truncated JSON", BOTH),
        bad("deep arrays, never closed", deep_array.clone(), "truncated JSON", BOTH),
        bad("deep arrays", deep_array + &"]".repeat(100_000), "expected an object", OBJECT),
        bad("deep objects, never closed", deep_object, "truncated JSON", OBJECT),
        bad("invalid UTF-8", b"{\"canary\":\"\xff\xfe\"}".to_vec(), "not UTF-8", BOTH),
        bad("half a surrogate pair", b"{\"canary\":\"\xed\xa0\x80\"}".to_vec(), "not UTF-8", BOTH),
        bad("UTF-16", b"\xff\xfe{\0}\0".to_vec(), "not UTF-8", BOTH),
        bad("two byte order marks", "\u{feff}\u{feff}{\"canary\":1}", "malformed JSON", BOTH),
        bad("a raw control character in a text", "{\"canary\":\"\n\"}", "malformed JSON", OBJECT),
        bad("not a number", "{\"canary\":NaN}", "malformed JSON", OBJECT),
        bad("null", "null", "expected an object", OBJECT),
        bad("an array", "[]", "expected an object", OBJECT),
        bad("an array of objects", "[{\"canary\":1}]", "expected an object", OBJECT),
        bad("a text", "\"canary\"", "expected an object", OBJECT),
        bad("a number", "7", "expected an object", OBJECT),
        bad("an object", "{}", "expected a list", LIST),
        bad("a text for a list", "\"canary\"", "expected a list", LIST),
        bad("true", "true", "expected a list", LIST),
    ]
}

#[tokio::test]
async fn what_cannot_be_read_is_a_decode_error_with_its_status() {
    let operations = operations();
    for bad in bodies() {
        let server = Server::always(response(200, &HEADERS, &bad.body));
        let client = client(&server);
        for operation in operations.iter().filter(|operation| bad.wrong_for.contains(&operation.success)) {
            let what = format!("{} for {}", bad.what, operation.meta.id);
            let before = server.count();
            let error = operation.send(&client).await.expect_err(&what);
            assert_eq!(error.kind(), ErrorKind::Decode, "{what}: {error}");
            assert_eq!((error.status(), error.request_id(), error.attempts()), (Some(200), Some("req-77"), 1), "{what}");
            let place = error.json_path().unwrap_or_default();
            assert_eq!(error.reason(), Some(bad.reason), "{what}");
            assert!(
                place.strip_prefix("byte ").is_some_and(|byte| byte.parse::<usize>().is_ok_and(|byte| byte <= bad.body.len())),
                "{what}"
            );
            assert_eq!(error.operation(), Some(operation.meta.id));
            assert_eq!(server.count() - before, 1, "{what}: it is not asked again");
            // What a read could not do, anything else has done.
            let done = if operation.template.starts_with("GET ") { "" } else { ", it may have taken effect" };
            let expected = format!("decode: {}, at {place}, status 200, {}, request id req-77{done}", bad.reason, operation.template);
            assert_eq!(error.to_string(), expected, "{what}");
            assert_eq!(format!("{error:?} {error:#?}"), format!("Error({expected}) Error({expected})"));
            assert!(std::error::Error::source(&error).is_none(), "{what}: no cause that could quote the body");
        }
    }
}

#[tokio::test]
async fn a_success_of_another_status_is_read_like_the_stated_one() {
    for operation in operations() {
        let (right, others): (u16, &[u16]) =
            if operation.success == Success::Nothing { (204, &[200, 202]) } else { (200, &[201, 202, 204, 206]) };
        for status in others {
            let body: &[u8] = if *status == 204 { b"" } else { b"{\"canary\":1}" };
            let (other, stated) = (Server::always(response(*status, &HEADERS, body)), Server::always(response(right, &HEADERS, body)));
            let outcome = operation.send(&client(&other)).await;
            let expected = operation.send(&client(&stated)).await;
            assert_eq!(outcome.is_ok(), expected.is_ok(), "{} with {status}", operation.meta.id);
            if let (Err(error), Err(expected)) = (outcome, expected) {
                assert_eq!((error.kind(), error.json_path(), error.status()), (expected.kind(), expected.json_path(), Some(*status)));
                assert_eq!(error.operation(), Some(operation.meta.id));
                assert!(!format!("{error} {error:?}").contains(CANARY));
            }
        }
    }
}

/// Every endpoint documents five error responses; the kind follows the status whatever the body is.
#[tokio::test]
async fn errors_name_the_operation_and_keep_the_problem() {
    let problem = r#"{"type":"about:blank","title":"canary","status":422,"detail":"canary","instance":"/canary",
        "errors":[{"location":"body.serving_size","message":"canary","value":"canary"}]}"#;
    let expected = [
        (400, ErrorKind::InvalidRequest),
        (401, ErrorKind::Authentication),
        (403, ErrorKind::Permission),
        (404, ErrorKind::NotFound),
        (413, ErrorKind::TooLarge),
        (422, ErrorKind::InvalidRequest),
        (500, ErrorKind::Service),
    ];
    for operation in operations() {
        for (status, kind) in expected {
            let server = Server::always(response(status, &[("content-type", "application/problem+json")], problem.as_bytes()));
            let error = operation.send(&client(&server)).await.expect_err(operation.meta.id);
            assert_eq!((error.kind(), error.status(), error.operation()), (kind, Some(status), Some(operation.meta.id)));
            let read = error.problem().unwrap();
            assert_eq!((read.status, read.detail.as_deref()), (Some(422), Some("canary")));
            assert_eq!(read.errors.as_slice()[0].value.as_ref().unwrap().to_value().unwrap(), "canary");
            let text = format!("{error} {error:?} {:?}", error.problem());
            assert!(text.contains(&operation.template) && text.contains("body.serving_size"), "{text}");
            assert!(!text.contains(CANARY), "{text}");
        }
    }
}

#[tokio::test]
async fn an_operation_of_a_service_without_base_url_is_a_configuration_error() {
    let client = Client::builder().token("t").care_token("t").build().unwrap();
    for operation in operations() {
        let error = operation.send(&client).await.expect_err(operation.meta.id);
        let setting = operation.setting("base_url");
        let expected = (ErrorKind::Configuration, Some(&*setting), 0);
        assert_eq!((error.kind(), error.argument(), error.attempts()), expected, "{}", operation.meta.id);
    }
}

#[tokio::test]
async fn an_operation_without_token_is_a_configuration_error_and_nothing_is_sent() {
    let server = Server::always(Reply::Close);
    let client = Client::builder().base_url(server.url()).care_base_url(server.url()).no_proxy().build().unwrap();
    for operation in operations().iter().filter(|operation| operation.meta.authenticated) {
        let error = operation.send(&client).await.expect_err(operation.meta.id);
        let setting = operation.setting("token");
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(&*setting)), "{}", operation.meta.id);
    }
    assert_eq!(server.count(), 0);
}
