//! Tests of the oracles: each must report a faulty function under test.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, UNIX_EPOCH};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use vitalwire::consent::ConsentRedirect;
use vitalwire::value::{Date, Timestamp};
use vitalwire::webhook::content_key;
use vitalwire::{Error, ErrorKind, fuzzing};
use vitalwire_fuzz::oracle::decoding::check_decoding;
use vitalwire_fuzz::oracle::{lossless, memory, text};
use vitalwire_fuzz::targets::{instants, redirects, retry_after, webhooks};

/// Runs a check that must panic, and returns its message.
fn caught(check: impl FnOnce()) -> String {
    let failure = catch_unwind(AssertUnwindSafe(check)).expect_err("the oracle reports the fault");
    failure.downcast_ref::<String>().cloned().or_else(|| failure.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

/// A model with configurable faults.
struct Model {
    value: Value,
    written: fn(&Value) -> Value,
    shown: fn(&Value) -> String,
    equal: bool,
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.written)(&self.value).serialize(serializer)
    }
}

impl PartialEq for Model {
    fn eq(&self, _: &Self) -> bool {
        self.equal
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.shown)(&self.value))
    }
}

const BODY: &[u8] = br#"{"sleep_id":"jane@example.org","score":72}"#;

fn model(written: fn(&Value) -> Value, shown: fn(&Value) -> String, equal: bool) -> impl Fn(&[u8]) -> Result<Model, Error> {
    move |body| Ok(Model { value: serde_json::from_slice(body).unwrap(), written, shown, equal })
}

fn hidden(_: &Value) -> String {
    "SleepRecord { sleep_id: .. }".to_owned()
}

#[test]
fn a_model_that_drops_changes_or_invents_a_field_is_reported() {
    check_decoding(BODY, &model(Value::clone, hidden, true));
    let dropped = caught(|| check_decoding(BODY, &model(|_| json!({"score": 72}), hidden, true)));
    assert_eq!(dropped, "not kept as received, at .sleep_id (dropped)");
    let coerced = caught(|| check_decoding(BODY, &model(|value| json!({"sleep_id": value["sleep_id"], "score": "72"}), hidden, true)));
    assert_eq!(coerced, "not kept as received, at .score");
    let invented =
        caught(|| check_decoding(BODY, &model(|value| json!({"sleep_id": value["sleep_id"], "score": 72, "x": 1}), hidden, true)));
    assert_eq!(invented, "not kept as received, at .x (invented)");
    assert!(caught(|| check_decoding(BODY, &model(Value::clone, hidden, false))).contains("changes when it is written"));
}

#[test]
fn a_list_with_shifted_items_is_reported() {
    lossless::check_lossless(&json!([1, 2.0, null]), &json!([1, 2, null]));
    assert!(caught(|| lossless::check_lossless(&json!([1, 2]), &json!([1]))).contains("not kept"));
    assert!(caught(|| lossless::check_lossless(&json!({"a": [1, 2]}), &json!({"a": [2, 1]}))).contains(".a[0]"));
    assert!(caught(|| lossless::check_lossless(&json!("2025-01-31T06:30:00+01:00"), &json!("2025-01-31T06:30:00Z"))).contains("not kept"));
}

#[test]
fn a_text_that_contains_a_value_is_reported() {
    assert!(
        caught(|| check_decoding(BODY, &model(Value::clone, |value| format!("SleepRecord {{ sleep_id: {} }}", value["sleep_id"]), true)))
            .contains("jane")
    );
    text::check_text("SleepRecord { stages: [3 items], sleep_id: absent }", 42);
    for leak in ["SleepRecord { score: 72 }", "Date(2025-01-31)", "sleep_id: \u{e9}", "sleep_id: \"status\""] {
        assert!(caught(|| text::check_text(leak, 42)).starts_with("a text contains"), "{leak}");
    }
    let kinds =
        |body: &[u8]| Err::<Model, _>(Error::with_reason(if body.is_empty() { ErrorKind::Decode } else { ErrorKind::Service }, "missing"));
    assert!(caught(|| check_decoding(BODY, &kinds)).contains("left == right"));
}

#[test]
fn decoding_that_uses_too_much_memory_is_reported() {
    memory::check_memory(BODY, |body| body.to_vec());
    assert!(caught(|| drop(memory::check_memory(BODY, |body| vec![0_u8; body.len() * 4_000]))).contains("bytes of memory"));
}

#[test]
fn a_signature_that_is_not_verified_is_reported() {
    let wrong = || Err::<(), _>(Error::new(ErrorKind::Signature));
    assert!(caught(|| webhooks::check_signature(b"00", b"{}", &|_, _| Ok(()))).contains("an invalid signature is accepted"));
    assert!(!caught(|| webhooks::check_signature(b"00", b"{}", &|_, _| wrong())).is_empty());
    // Only the beginning of the signature is compared.
    let lazy = |body: &[u8], given: &[u8]| {
        let given = given.to_ascii_lowercase();
        let fits = ["a-webhook-key-of-no-service", "an-older-webhook-key"]
            .iter()
            .any(|key| given.starts_with(&vitalwire::webhook::sign(body, key).as_bytes()[..8]));
        if fits { Ok(()) } else { wrong() }
    };
    assert!(!caught(|| webhooks::check_signature(b"0000000000", b"{}", &lazy)).is_empty());
}

#[test]
fn a_content_key_of_bytes_instead_of_content_is_reported() {
    webhooks::check_content_key(br#"{"a":1,"b":[2.0]}"#, &content_key);
    assert!(
        caught(|| webhooks::check_content_key(br#"{"b": 1, "a": 2}"#, &|body| content_key(&[body, b"!"].concat()))).contains("two keys")
    );
    assert!(caught(|| webhooks::check_content_key(b"{}", &|_| content_key(b""))).contains("one key"));
}

#[test]
fn an_invalid_date_and_a_shifted_instant_are_reported() {
    let lax = |text: &str| text.parse().ok().or_else(|| Date::new(2025, 3, 1));
    assert!(caught(|| instants::check_date("2025-02-29", &lax)).contains("only one library accepts"));
    assert!(!caught(|| instants::check_date("2025-02-28", &|_| Date::new(2025, 2, 27))).is_empty());
    let naive = |text: &str| text.get(..19)?.parse::<Timestamp>().ok();
    assert!(!caught(|| instants::check_timestamp("2025-01-31T06:30:00+02:00", &naive)).is_empty());
    assert!(caught(|| instants::check_timestamp("2025-01-31T06:30:00Z", &|_| None)).contains("only one library accepts"));
}

#[test]
fn a_delay_from_an_invalid_value_is_reported() {
    let second = |_: &[u8], _| Some(Duration::from_secs(1));
    assert!(caught(|| retry_after::check(b"soon!", &second)).contains("an invalid value has a delay"));
    assert!(!caught(|| retry_after::check(b"2", &second)).is_empty());
    assert!(!caught(|| retry_after::check(b"Sun, 06 Nov 1994 08:49:47 GMT", &second)).is_empty());
    assert_eq!(
        fuzzing::parse_retry_after(b"Sun, 06 Nov 1994 08:49:47 GMT", UNIX_EPOCH + Duration::from_secs(784_111_777)),
        Some(Duration::from_secs(10))
    );
}

#[test]
fn a_redirect_of_another_flow_is_reported() {
    let careless = |text: &str, state: Option<&str>| {
        if state == Some("") { ConsentRedirect::parse(text, state) } else { ConsentRedirect::parse(text, None) }
    };
    assert!(caught(|| redirects::check("?state=other&user_id=u", &careless)).contains("another flow"));
    let literal = |text: &str, state: Option<&str>| ConsentRedirect::parse(&text.replace("%20", "_"), state);
    assert!(!caught(|| redirects::check_parameters("a user\nx", &literal)).is_empty());
}

#[test]
fn a_stream_that_is_not_read_back_is_reported() {
    use vitalwire::table::{Table, TableId};
    use vitalwire_fuzz::targets::arrow_streams;

    let body = br#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":4}}]}"#;
    let mut stream = Vec::new();
    Table::read(TableId::DailyStatistics, "daily_statistics", body).unwrap().write_arrow_stream(&mut stream).unwrap();
    arrow_streams::check(&stream, &Table::read_arrow_stream);
    // The rewritten stream is read as an empty table.
    let lossy = |id, read: &[u8]| if read.as_ptr() == stream.as_ptr() { Table::read_arrow_stream(id, read) } else { Ok(Table::empty(id)) };
    assert!(caught(|| arrow_streams::check(&stream, &lossy)).contains("changes when it is written"));
    // An error for another argument.
    assert!(!caught(|| arrow_streams::check(&stream, &|id, read| Table::read(id, "no_operation", read))).is_empty());
}

#[test]
fn a_table_that_disagrees_with_the_models_is_reported() {
    use vitalwire::table::{Table, TableId};
    use vitalwire_fuzz::targets::tables;

    let body = br#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-01","values":{"steps":4}},{"date":"2025-01-02"}]}"#;
    tables::check(body, &Table::read);
    // The table is read from another body than the models, with another number, row, number of rows or day.
    for (from, to) in [
        ("4}", "5}"),
        (r#","values":{"steps":4}},{"#, r#"},{"values":{"steps":4},"#),
        (r#",{"date":"2025-01-02"}"#, ""),
        ("01-02\"}]", "01-03\"}]"),
    ] {
        let other = String::from_utf8_lossy(body).replace(from, to);
        assert_ne!(other.as_bytes(), body);
        assert!(
            !caught(|| tables::check(body, &|table, operation, _| Table::read(table, operation, other.as_bytes()))).is_empty(),
            "{from}"
        );
    }
    assert!(
        caught(|| tables::check(body, &|table: TableId, operation, _| Table::read(table, operation, b"5"))).contains("a table rejects")
    );
}

#[test]
fn an_undocumented_response_of_the_sandbox_is_reported() {
    use axum::http::StatusCode;
    use vitalwire_fuzz::targets::sandbox::check;

    let problem = br#"{"type":"about:blank","title":"t","status":404,"detail":"d","instance":"urn:x","errors":[]}"#;
    let kind = "application/problem+json";
    check("/v3/x", StatusCode::NOT_FOUND, kind, Some(problem));
    check("/v3/userinfo", StatusCode::OK, "application/json", Some(b"{}"));
    let documented = br#"{"type":"about:blank","title":"t","status":501,"detail":"the sandbox does not implement this operation","instance":"urn:x","errors":[]}"#;
    check("/v3/x", StatusCode::NOT_IMPLEMENTED, kind, Some(documented));
    assert!(
        caught(|| check("/", StatusCode::NOT_IMPLEMENTED, kind, Some(problem))).contains("501"),
        "the detail does not say that the operation is not implemented"
    );
    assert!(!caught(|| check("/", StatusCode::NOT_IMPLEMENTED, "text/plain", Some(b"no"))).is_empty());
    assert!(caught(|| check("/", StatusCode::INTERNAL_SERVER_ERROR, kind, Some(problem))).contains("500"));
    assert!(!caught(|| check("/", StatusCode::BAD_REQUEST, kind, Some(problem))).is_empty(), "the problem states another status");
    assert!(!caught(|| check("/", StatusCode::OK, kind, Some(problem))).is_empty());
    assert!(!caught(|| check("/", StatusCode::NOT_FOUND, kind, Some(br#"{"status":404}"#))).is_empty());
    assert!(!caught(|| check("/", StatusCode::NOT_FOUND, "text/plain", Some(b"no"))).is_empty());
    assert!(!caught(|| check("/", StatusCode::NOT_FOUND, "", Some(b""))).is_empty());
    assert!(!caught(|| check("/", StatusCode::OK, "application/json", Some(b"{"))).is_empty());
}
