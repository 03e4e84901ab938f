//! Each oracle is handed something broken and must notice.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, UNIX_EPOCH};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use vitalwire::consent::ConsentRedirect;
use vitalwire::value::{Date, Timestamp};
use vitalwire::webhook::content_key;
use vitalwire::{Error, ErrorKind, fuzzing};
use vitalwire_fuzz::oracle::answer::answer;
use vitalwire_fuzz::oracle::{kept, memory, text};
use vitalwire_fuzz::targets::{instants, redirects, retry_after, webhooks};

/// The oracle's complaint.
fn caught(check: impl FnOnce()) -> String {
    let failure = catch_unwind(AssertUnwindSafe(check)).expect_err("the oracle noticed nothing");
    failure.downcast_ref::<String>().cloned().or_else(|| failure.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

/// A model whose faults are those of its functions.
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
fn a_model_that_drops_changes_or_makes_up_a_member() {
    answer(BODY, &model(Value::clone, hidden, true));
    let dropped = caught(|| answer(BODY, &model(|_| json!({"score": 72}), hidden, true)));
    assert_eq!(dropped, "not kept as it came, at .sleep_id (dropped)");
    let coerced = caught(|| answer(BODY, &model(|value| json!({"sleep_id": value["sleep_id"], "score": "72"}), hidden, true)));
    assert_eq!(coerced, "not kept as it came, at .score");
    let made_up = caught(|| answer(BODY, &model(|value| json!({"sleep_id": value["sleep_id"], "score": 72, "x": 1}), hidden, true)));
    assert_eq!(made_up, "not kept as it came, at .x (made up)");
    assert!(caught(|| answer(BODY, &model(Value::clone, hidden, false))).contains("another one after it was written"));
}

#[test]
fn a_list_that_is_shifted() {
    kept::kept(&json!([1, 2.0, null]), &json!([1, 2, null]));
    assert!(caught(|| kept::kept(&json!([1, 2]), &json!([1]))).contains("not kept"));
    assert!(caught(|| kept::kept(&json!({"a": [1, 2]}), &json!({"a": [2, 1]}))).contains(".a[0]"));
    assert!(caught(|| kept::kept(&json!("2025-01-31T06:30:00+01:00"), &json!("2025-01-31T06:30:00Z"))).contains("not kept"));
}

#[test]
fn a_text_that_shows_a_value() {
    assert!(
        caught(|| answer(BODY, &model(Value::clone, |value| format!("SleepRecord {{ sleep_id: {} }}", value["sleep_id"]), true)))
            .contains("jane")
    );
    text::clean("SleepRecord { stages: [3 items], sleep_id: absent }", 42);
    for leak in ["SleepRecord { score: 72 }", "Date(2025-01-31)", "sleep_id: \u{e9}", "sleep_id: \"status\""] {
        assert!(caught(|| text::clean(leak, 42)).starts_with("a text holds"), "{leak}");
    }
    let kinds =
        |body: &[u8]| Err::<Model, _>(Error::with_reason(if body.is_empty() { ErrorKind::Decode } else { ErrorKind::Service }, "missing"));
    assert!(caught(|| answer(BODY, &kinds)).contains("left == right"));
}

#[test]
fn decoding_that_takes_too_much_memory() {
    memory::bounded(BODY, |body| body.to_vec());
    assert!(caught(|| drop(memory::bounded(BODY, |body| vec![0_u8; body.len() * 4_000]))).contains("bytes of memory"));
}

#[test]
fn a_signature_that_is_not_looked_at() {
    let wrong = || Err::<(), _>(Error::new(ErrorKind::Signature));
    assert!(caught(|| webhooks::signature(b"00", b"{}", &|_, _| Ok(()))).contains("a wrong signature is taken"));
    assert!(!caught(|| webhooks::signature(b"00", b"{}", &|_, _| wrong())).is_empty());
    // Only the beginning of the signature is compared.
    let lazy = |body: &[u8], given: &[u8]| {
        let given = given.to_ascii_lowercase();
        let fits = ["a-webhook-key-of-no-service", "an-older-key"]
            .iter()
            .any(|key| given.starts_with(&vitalwire::webhook::sign(body, key).as_bytes()[..8]));
        if fits { Ok(()) } else { wrong() }
    };
    assert!(!caught(|| webhooks::signature(b"0000000000", b"{}", &lazy)).is_empty());
}

#[test]
fn content_keys_of_bytes_instead_of_content() {
    webhooks::key(br#"{"a":1,"b":[2.0]}"#, &content_key);
    assert!(caught(|| webhooks::key(br#"{"b": 1, "a": 2}"#, &|body| content_key(&[body, b"!"].concat()))).contains("two keys"));
    assert!(caught(|| webhooks::key(b"{}", &|_| content_key(b""))).contains("one key"));
}

#[test]
fn dates_that_are_none_and_instants_that_are_moved() {
    let lax = |text: &str| text.parse().ok().or_else(|| Date::new(2025, 3, 1));
    assert!(caught(|| instants::date("2025-02-29", &lax)).contains("the other does not"));
    assert!(!caught(|| instants::date("2025-02-28", &|_| Date::new(2025, 2, 27))).is_empty());
    let naive = |text: &str| text.get(..19)?.parse::<Timestamp>().ok();
    assert!(!caught(|| instants::timestamp("2025-01-31T06:30:00+02:00", &naive)).is_empty());
    assert!(caught(|| instants::timestamp("2025-01-31T06:30:00Z", &|_| None)).contains("the other does not"));
}

#[test]
fn waits_out_of_nonsense() {
    let second = |_: &[u8], _| Some(Duration::from_secs(1));
    assert!(caught(|| retry_after::judge(b"soon!", &second)).contains("nonsense"));
    assert!(!caught(|| retry_after::judge(b"2", &second)).is_empty());
    assert!(!caught(|| retry_after::judge(b"Sun, 06 Nov 1994 08:49:47 GMT", &second)).is_empty());
    assert_eq!(
        fuzzing::parse_retry_after(b"Sun, 06 Nov 1994 08:49:47 GMT", UNIX_EPOCH + Duration::from_secs(784_111_777)),
        Some(Duration::from_secs(10))
    );
}

#[test]
fn returns_of_another_flow() {
    let careless = |text: &str, state: Option<&str>| {
        if state == Some("") { ConsentRedirect::parse(text, state) } else { ConsentRedirect::parse(text, None) }
    };
    assert!(caught(|| redirects::judge("?state=other&user_id=u", &careless)).contains("another flow"));
    let literal = |text: &str, state: Option<&str>| ConsentRedirect::parse(&text.replace("%20", "_"), state);
    assert!(!caught(|| redirects::composed("a user\nx", &literal)).is_empty());
}

#[test]
fn streams_that_are_not_read_back() {
    use vitalwire::table::{Table, TableId};
    use vitalwire_fuzz::targets::arrow_streams;

    let body = br#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":4}}]}"#;
    let mut stream = Vec::new();
    Table::read(TableId::DailyStatistics, "daily_statistics", body).unwrap().write_arrow_stream(&mut stream).unwrap();
    arrow_streams::judge(&stream, &Table::read_arrow_stream);
    // What was written again is read as an empty table.
    let forgetful =
        |id, read: &[u8]| if read.as_ptr() == stream.as_ptr() { Table::read_arrow_stream(id, read) } else { Ok(Table::empty(id)) };
    assert!(caught(|| arrow_streams::judge(&stream, &forgetful)).contains("another one after it was written"));
    // A refusal for another argument.
    assert!(!caught(|| arrow_streams::judge(&stream, &|id, read| Table::read(id, "no_operation", read))).is_empty());
}

#[test]
fn tables_that_disagree_with_the_models() {
    use vitalwire::table::{Table, TableId};
    use vitalwire_fuzz::targets::tables;

    let body = br#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-01","values":{"steps":4}},{"date":"2025-01-02"}]}"#;
    tables::judge(body, &Table::read);
    // Another number, another row, no row, another day: each in a body that looks the same to the models.
    for (from, to) in [
        ("4}", "5}"),
        (r#","values":{"steps":4}},{"#, r#"},{"values":{"steps":4},"#),
        (r#",{"date":"2025-01-02"}"#, ""),
        ("01-02\"}]", "01-03\"}]"),
    ] {
        let other = String::from_utf8_lossy(body).replace(from, to);
        assert_ne!(other.as_bytes(), body);
        assert!(
            !caught(|| tables::judge(body, &|table, operation, _| Table::read(table, operation, other.as_bytes()))).is_empty(),
            "{from}"
        );
    }
    assert!(
        caught(|| tables::judge(body, &|table: TableId, operation, _| Table::read(table, operation, b"5"))).contains("a table does not")
    );
}

#[test]
fn answers_of_a_sandbox_that_are_not_documented() {
    use axum::http::StatusCode;
    use vitalwire_fuzz::targets::sandbox::judge;

    let problem = br#"{"type":"about:blank","title":"t","status":404,"detail":"d","instance":"urn:x","errors":[]}"#;
    let kind = "application/problem+json";
    judge("/v3/x", StatusCode::NOT_FOUND, kind, Some(problem));
    judge("/v3/userinfo", StatusCode::OK, "application/json", Some(b"{}"));
    let documented = br#"{"type":"about:blank","title":"t","status":501,"detail":"the sandbox does not implement this operation","instance":"urn:x","errors":[]}"#;
    judge("/v3/x", StatusCode::NOT_IMPLEMENTED, kind, Some(documented));
    assert!(caught(|| judge("/", StatusCode::NOT_IMPLEMENTED, kind, Some(problem))).contains("501"), "of another operation");
    assert!(!caught(|| judge("/", StatusCode::NOT_IMPLEMENTED, "text/plain", Some(b"no"))).is_empty());
    assert!(caught(|| judge("/", StatusCode::INTERNAL_SERVER_ERROR, kind, Some(problem))).contains("500"));
    assert!(!caught(|| judge("/", StatusCode::BAD_REQUEST, kind, Some(problem))).is_empty(), "another status in it");
    assert!(!caught(|| judge("/", StatusCode::OK, kind, Some(problem))).is_empty());
    assert!(!caught(|| judge("/", StatusCode::NOT_FOUND, kind, Some(br#"{"status":404}"#))).is_empty());
    assert!(!caught(|| judge("/", StatusCode::NOT_FOUND, "text/plain", Some(b"no"))).is_empty());
    assert!(!caught(|| judge("/", StatusCode::NOT_FOUND, "", Some(b""))).is_empty());
    assert!(!caught(|| judge("/", StatusCode::OK, "application/json", Some(b"{"))).is_empty());
}
