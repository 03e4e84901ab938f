//! Rules for every operation of the specifications: invalid responses, errors, and clients without a base URL or token. The arguments come
//! from a case that succeeds.

use serde_json::{Map, Value};
use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire::operation::OperationMeta;
use vitalwire::{Client, Error};
use vitalwire_conformance::runner::{self, Mode};
use vitalwire_testkit::{Reply, Server, response};

use super::operations::{SimpleCase, cases};

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-request-id", "req-77")];
const CANARY: &str = "canary";

/// The form of a successful response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SuccessShape {
    /// An object.
    Object,
    /// A list, or null.
    List,
    /// Status 204 without a body.
    Nothing,
}

/// An operation and valid arguments.
struct Operation {
    meta: &'static OperationMeta,
    template: String,
    success: SuccessShape,
    arguments: Map<String, Value>,
}

impl Operation {
    async fn send(&self, client: &Client) -> Result<(), Error> {
        let call = runner::send(client, self.meta.id, &self.arguments, CallOptions::new(), Mode::Async).unwrap();
        call.await.map(drop).map_err(|failure| failure.error)
    }

    /// Returns the name of a setting of the operation's service. Settings of the health service have no prefix.
    fn setting(&self, name: &str) -> String {
        if self.meta.service.name == "health" { name.to_owned() } else { format!("{}_{name}", self.meta.service.name) }
    }
}

/// Returns every operation that the client knows.
fn operations() -> Vec<Operation> {
    let (cases, mut all) = (cases(), Vec::new());
    for meta in vitalwire::OPERATIONS {
        let simple = cases.cases().iter().filter_map(SimpleCase::from_case).find(|simple| simple.call.id == meta.id);
        let simple = simple.unwrap_or_else(|| panic!("no case with one successful call of {}", meta.id));
        let success = match simple.reply(&cases) {
            _ if meta.success == [204] => SuccessShape::Nothing,
            Value::Array(_) | Value::Null => SuccessShape::List,
            _ => SuccessShape::Object,
        };
        all.push(Operation {
            meta,
            template: format!("{} {}", meta.http_method, meta.path),
            success,
            arguments: simple.call.arguments.clone(),
        });
    }
    all
}

/// Creates a client whose two services have the same server.
fn client(server: &Server) -> Client {
    let url = server.url();
    let builder = Client::builder().base_url(&url).care_base_url(&url).token("health-token").care_token("care-token");
    builder.no_proxy().retry_delay_scale(0.01).build().unwrap()
}

/// A body that is invalid for some operations.
struct InvalidBody {
    what: &'static str,
    body: Vec<u8>,
    reason: &'static str,
    invalid_for: &'static [SuccessShape],
}

const BOTH: &[SuccessShape] = &[SuccessShape::Object, SuccessShape::List];
const OBJECT: &[SuccessShape] = &[SuccessShape::Object];
const LIST: &[SuccessShape] = &[SuccessShape::List];

fn invalid(what: &'static str, body: impl Into<Vec<u8>>, reason: &'static str, invalid_for: &'static [SuccessShape]) -> InvalidBody {
    InvalidBody { what, body: body.into(), reason, invalid_for }
}

fn invalid_bodies() -> Vec<InvalidBody> {
    let deep_array = "[".repeat(100_000);
    let deep_object = "{\"canary\":".repeat(100_000);
    vec![
        invalid("nothing", "", "empty", BOTH),
        invalid("white space", " \r\n\t ", "empty", BOTH),
        invalid("HTML", "<!doctype html><title>canary</title>", "malformed JSON", BOTH),
        invalid("a cut object", "{\"canary\": \"canar", "truncated JSON", BOTH),
        invalid("a cut array", "[{\"canary\":[1,", "truncated JSON", BOTH),
        invalid("a cut literal", "nul", "truncated JSON", BOTH),
        invalid("deep arrays, never closed", deep_array.clone(), "truncated JSON", BOTH),
        invalid("deep arrays", deep_array + &"]".repeat(100_000), "expected an object", OBJECT),
        invalid("deep objects, never closed", deep_object, "truncated JSON", OBJECT),
        invalid("invalid UTF-8", b"{\"canary\":\"\xff\xfe\"}".to_vec(), "not UTF-8", BOTH),
        invalid("half a surrogate pair", b"{\"canary\":\"\xed\xa0\x80\"}".to_vec(), "not UTF-8", BOTH),
        invalid("UTF-16", b"\xff\xfe{\0}\0".to_vec(), "not UTF-8", BOTH),
        invalid("two byte order marks", "\u{feff}\u{feff}{\"canary\":1}", "malformed JSON", BOTH),
        invalid("a raw control character in a text", "{\"canary\":\"\n\"}", "malformed JSON", OBJECT),
        invalid("not a number", "{\"canary\":NaN}", "malformed JSON", OBJECT),
        invalid("null", "null", "expected an object", OBJECT),
        invalid("an array", "[]", "expected an object", OBJECT),
        invalid("an array of objects", "[{\"canary\":1}]", "expected an object", OBJECT),
        invalid("a text", "\"canary\"", "expected an object", OBJECT),
        invalid("a number", "7", "expected an object", OBJECT),
        invalid("an object", "{}", "expected a list", LIST),
        invalid("a text for a list", "\"canary\"", "expected a list", LIST),
        invalid("true", "true", "expected a list", LIST),
    ]
}

#[tokio::test]
async fn an_invalid_body_is_a_decode_error_with_its_status() {
    let operations = operations();
    for invalid_body in invalid_bodies() {
        let server = Server::always(response(200, &HEADERS, &invalid_body.body));
        let client = client(&server);
        for operation in operations.iter().filter(|operation| invalid_body.invalid_for.contains(&operation.success)) {
            let what = format!("{} for {}", invalid_body.what, operation.meta.id);
            let before = server.count();
            let error = operation.send(&client).await.expect_err(&what);
            assert_eq!(error.kind(), ErrorKind::Decode, "{what}: {error}");
            assert_eq!((error.status(), error.request_id(), error.attempts()), (Some(200), Some("req-77"), 1), "{what}");
            let place = error.json_path().unwrap_or_default();
            assert_eq!(error.reason(), Some(invalid_body.reason), "{what}");
            assert!(
                place.strip_prefix("byte ").is_some_and(|byte| byte.parse::<usize>().is_ok_and(|byte| byte <= invalid_body.body.len())),
                "{what}"
            );
            assert_eq!(error.operation(), Some(operation.meta.id));
            assert_eq!(server.count() - before, 1, "{what}: the call is not retried");
            // A read has no effect; any other call may have taken effect.
            let done = if operation.template.starts_with("GET ") { "" } else { ", it may have taken effect" };
            let expected =
                format!("decode: {}, at {place}, status 200, {}, request id req-77{done}", invalid_body.reason, operation.template);
            assert_eq!(error.to_string(), expected, "{what}");
            assert_eq!(format!("{error:?} {error:#?}"), format!("Error({expected}) Error({expected})"));
            assert!(std::error::Error::source(&error).is_none(), "{what}: a cause could quote the body");
        }
    }
}

#[tokio::test]
async fn a_success_with_another_status_is_read_like_the_documented_one() {
    for operation in operations() {
        let (stated_status, others): (u16, &[u16]) =
            if operation.success == SuccessShape::Nothing { (204, &[200, 202]) } else { (200, &[201, 202, 204, 206]) };
        for status in others {
            let body: &[u8] = if *status == 204 { b"" } else { b"{\"canary\":1}" };
            let (other, stated) =
                (Server::always(response(*status, &HEADERS, body)), Server::always(response(stated_status, &HEADERS, body)));
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

/// The kind of an error depends on the status only, whatever the body is.
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
async fn a_call_without_a_base_url_is_a_configuration_error() {
    let client = Client::builder().token("t").care_token("t").build().unwrap();
    for operation in operations() {
        let error = operation.send(&client).await.expect_err(operation.meta.id);
        let setting = operation.setting("base_url");
        let expected = (ErrorKind::Configuration, Some(&*setting), 0);
        assert_eq!((error.kind(), error.argument(), error.attempts()), expected, "{}", operation.meta.id);
    }
}

#[tokio::test]
async fn a_call_without_a_token_is_a_configuration_error_and_sends_nothing() {
    let server = Server::always(Reply::Close);
    let client = Client::builder().base_url(server.url()).care_base_url(server.url()).no_proxy().build().unwrap();
    for operation in operations().iter().filter(|operation| operation.meta.authenticated) {
        let error = operation.send(&client).await.expect_err(operation.meta.id);
        let setting = operation.setting("token");
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(&*setting)), "{}", operation.meta.id);
    }
    assert_eq!(server.count(), 0);
}
