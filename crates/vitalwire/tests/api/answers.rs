//! Answers that are not what they should be, for every operation that reads one.

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, answer, json};

use crate::all::{Success, operations};
use crate::{builder, client};

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-request-id", "req-77")];
const CANARY: &str = "canary";

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
        bad("a byte order mark", "\u{feff}{\"canary\":1}", "malformed JSON", BOTH),
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
    for bad in bodies() {
        let server = Server::always(answer(200, &HEADERS, &bad.body));
        let client = client(&server);
        for operation in operations().iter().filter(|operation| bad.wrong_for.contains(&operation.success)) {
            let what = format!("{} for {}", bad.what, operation.id);
            let before = server.count();
            let error = (operation.send)(client.clone()).await.expect_err(&what);
            assert_eq!(error.kind(), ErrorKind::Decode, "{what}: {error}");
            assert_eq!((error.status(), error.request_id(), error.attempts()), (Some(200), Some("req-77"), 1), "{what}");
            let place = error.place().unwrap_or_default();
            assert_eq!(error.reason(), Some(bad.reason), "{what}");
            assert!(
                place.strip_prefix("byte ").is_some_and(|byte| byte.parse::<usize>().is_ok_and(|byte| byte <= bad.body.len())),
                "{what}"
            );
            assert_eq!(error.operation(), Some(operation.id));
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

/// No double holds it. Where a crate of the program lets serde_json hold any number, it is read, and is no object.
#[tokio::test]
async fn a_number_that_never_ends_is_a_decode_error() {
    let error = client(&Server::always(json(200, &"9".repeat(100_000)))).user().info().await.unwrap_err();
    assert_eq!((error.kind(), error.place().is_some_and(|place| place.starts_with("byte "))), (ErrorKind::Decode, true), "{error}");
}

/// What nobody declared costs an answer nothing, as long as it is JSON.
#[tokio::test]
async fn anything_in_an_unknown_member_is_kept_as_it_came() {
    let deep = "{\"canary\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    // A program may hold any number, where one of its crates wants that of serde_json.
    let any_number = serde_json::from_str::<serde_json::Value>("1e999").is_ok();
    for (value, readable) in
        [(&*deep, false), ("1e999", any_number), ("\"\\ud800\"", false), ("123456789012345678901", true), ("[ 1.50 ]", true)]
    {
        let body = format!("{{\"later\":{value}}}");
        let user = client(&Server::always(json(200, &body))).user().info().await.unwrap();
        assert_eq!(user.extra.get_text("later"), Some(value));
        assert_eq!(user.extra.get("later").is_some(), readable, "{value:.20}");
        assert_eq!(serde_json::to_string(&user.into_inner()).unwrap(), body);
    }
}

#[tokio::test]
async fn trailing_garbage_is_refused_and_white_space_is_not() {
    let list = |tail: &str| format!("[]{tail}");
    for (tail, fits) in [("", true), (" \r\n", true), ("x", false), ("[]", false), ("\0", false), (",", false), ("\u{a0}", false)] {
        let server = Server::always(answer(200, &HEADERS, list(tail).as_bytes()));
        let outcome = client(&server).lab_reports().list().await;
        assert_eq!(outcome.is_ok(), fits, "{tail:?}");
        if let Err(error) = outcome {
            assert_eq!((error.kind(), error.reason()), (ErrorKind::Decode, Some("malformed JSON")), "{tail:?}");
        }
        let server = Server::always(json(200, &format!("{{}}{tail}")));
        assert_eq!(client(&server).user().info().await.is_ok(), fits, "{tail:?}");
    }
}

#[tokio::test]
async fn depth_is_no_matter_below_the_limit() {
    let body = format!("{{\"later\":{}7{}}}", "[".repeat(100), "]".repeat(100));
    let server = Server::always(json(200, &body));
    let user = client(&server).user().info().await.unwrap();
    let later = user.extra.get("later").unwrap();
    let mut value = &later;
    for _ in 0..100 {
        value = &value[0];
    }
    assert_eq!(*value, 7);
}

#[tokio::test]
async fn a_success_of_another_status_is_read_like_the_stated_one() {
    for operation in operations() {
        let (right, others): (u16, &[u16]) =
            if operation.success == Success::Nothing { (204, &[200, 202]) } else { (200, &[201, 202, 204, 206]) };
        for status in others {
            let body: &[u8] = if *status == 204 { b"" } else { b"{\"canary\":1}" };
            let (other, stated) = (Server::always(answer(*status, &HEADERS, body)), Server::always(answer(right, &HEADERS, body)));
            let outcome = (operation.send)(client(&other)).await;
            let expected = (operation.send)(client(&stated)).await;
            assert_eq!(outcome.is_ok(), expected.is_ok(), "{} with {status}", operation.id);
            if let (Err(error), Err(expected)) = (outcome, expected) {
                assert_eq!((error.kind(), error.place(), error.status()), (expected.kind(), expected.place(), Some(*status)));
                assert_eq!(error.operation(), Some(operation.id));
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
            let server = Server::always(answer(status, &[("content-type", "application/problem+json")], problem.as_bytes()));
            let error = (operation.send)(client(&server)).await.expect_err(operation.id);
            assert_eq!((error.kind(), error.status(), error.operation()), (kind, Some(status), Some(operation.id)));
            let read = error.problem().unwrap();
            assert_eq!((read.status, read.detail.as_deref()), (Some(422), Some("canary")));
            assert_eq!(read.errors.as_slice()[0].value.as_ref().unwrap().to_value().unwrap(), "canary");
            let text = format!("{error} {error:?} {:?}", error.problem());
            assert!(text.contains(operation.template) && text.contains("body.serving_size"), "{text}");
            assert!(!text.contains(CANARY), "{text}");
        }
    }
}

#[tokio::test]
async fn a_body_over_the_clients_limit_is_refused_unread() {
    let server = Server::always(json(200, &format!("{{\"canary\":\"{}\"}}", "x".repeat(2000))));
    let client = builder(&server).max_response_bytes(1000).build().unwrap();
    let error = client.user().info().options(CallOptions::new().max_retries(0)).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::TooLarge, Some(200)));
}

#[tokio::test]
async fn an_operation_of_a_service_without_base_url_is_a_configuration_error() {
    let client = vitalwire::Client::builder().token("t").care_token("t").build().unwrap();
    for operation in operations() {
        let error = (operation.send)(client.clone()).await.expect_err(operation.id);
        let setting = if operation.id == "get_policy_benefits" { "care_base_url" } else { "base_url" };
        assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::Configuration, Some(setting), 0), "{}", operation.id);
    }
}

#[tokio::test]
async fn an_operation_without_token_is_a_configuration_error_and_nothing_is_sent() {
    let server = Server::always(Reply::Close);
    let client = vitalwire::Client::builder().base_url(server.url()).care_base_url(server.url()).no_proxy().build().unwrap();
    for operation in operations().iter().filter(|operation| operation.id != "exchange_token") {
        let error = (operation.send)(client.clone()).await.expect_err(operation.id);
        let setting = if operation.id == "get_policy_benefits" { "care_token" } else { "token" };
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(setting)), "{}", operation.id);
    }
    assert_eq!(server.count(), 0);
}
