//! Tests of content keys.

use vitalwire::webhook::content_key;

use super::EVENTS;

fn key(body: &str) -> String {
    content_key(body.as_bytes()).to_string()
}

#[test]
fn is_the_digest_of_canonical_json() {
    // python3: json.dumps({"b":[True,None,72],"a":{"é":"x\n\"","z":72.5},"n":18446744073709551615}, sort_keys=True,
    // separators=(",",":"), ensure_ascii=False), and hashlib.sha256 of that.
    let expected = "6d7cb0f0578457b4d5ae3f528208ac7d59729f3b7c4f9f5b00812423a66b6886";
    assert_eq!(
        key("{\"n\": 18446744073709551615, \"b\": [true, null, 72.0],\n \"a\": {\"\\u00e9\": \"x\\n\\u0022\", \"z\": 7.25e1}}"),
        expected
    );
    // hashlib.sha256(b"not json")
    assert_eq!(key("not json"), "7ccfa1fbf3940e6f0c0375d87c0f9235a50514e14cb427bdfaf5077987b26ccf");
}

#[test]
fn the_same_webhook_has_the_same_key() {
    let mut seen = std::collections::HashSet::new();
    assert!(seen.insert(content_key(EVENTS)));
    assert!(!seen.insert(content_key(EVENTS)));
    // Serialized by another program.
    let value: serde_json::Value = serde_json::from_slice(EVENTS).unwrap();
    assert!(!seen.insert(content_key(&serde_json::to_vec_pretty(&value).unwrap())));
    // The times differ by one nanosecond.
    let other = String::from_utf8(EVENTS.to_vec()).unwrap().replace(".123456789Z", ".123456788Z");
    assert!(seen.insert(content_key(other.as_bytes())));
}

#[test]
fn formatting_does_not_change_the_key() {
    for (one, other) in [
        (r#"{"a":1,"b":2}"#, r#" { "b" : 2 , "a" : 1 } "#),
        ("[72]", "[72.0]"),
        ("[72]", "[7.2e1]"),
        ("[0]", "[-0.0]"),
        ("[-5]", "[-5.0]"),
        ("[10000000000000000]", "[1e16]"),
        ("[0.1]", "[0.10]"),
        ("[0.0000001]", "[1E-7]"),
        (r#"["é/"]"#, r#"["\u00e9\/"]"#),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
        (r#"{"b":{"d":1,"c":2},"a":[]}"#, r#"{"a":[],"b":{"c":2,"d":1}}"#),
    ] {
        assert_eq!(key(one), key(other), "{one} {other}");
    }
}

#[test]
fn content_changes_the_key() {
    let bodies = [
        "null",
        "[]",
        "{}",
        "[null]",
        "[0]",
        "[false]",
        "[\"\"]",
        "[\"0\"]",
        "[72]",
        "[72.5]",
        "[\"72\"]",
        "[-72]",
        "[1,2]",
        "[2,1]",
        "[12]",
        "[[1],2]",
        "[[1,2]]",
        r#"{"a":null}"#,
        r#"{"a":1}"#,
        r#"{"b":1}"#,
        r#"{"a":{"b":1}}"#,
        r#"{"a":1,"b":1}"#,
        r#"["a\",\"b"]"#,
        r#"["a","b"]"#,
        // Integers are exact beyond the 53 bits of a double.
        "[9007199254740992]",
        "[9007199254740993]",
        "[18446744073709551615]",
        "[-9223372036854775808]",
        "[-9223372036854775807]",
        // A documented limit: times are compared as texts.
        r#"["2025-01-01T00:00:00Z"]"#,
        r#"["2025-01-01T00:00:00+00:00"]"#,
        // Invalid JSON is compared by bytes.
        "",
        " ",
        "[",
        "[1",
        "[1 ",
        "\"\\ud800\"",
        "1e400",
    ];
    let keys: std::collections::BTreeSet<String> = bodies.iter().map(|body| key(body)).collect();
    assert_eq!(keys.len(), bodies.len());
}

#[test]
fn hostile_bodies_have_keys() {
    let deep = "[".repeat(200_000);
    assert_ne!(key(&deep), key(&deep[1..]));
    assert_ne!(content_key(b"\xff"), content_key(b"\xfe"));
    // 127 levels are parsed, so white space makes no difference. 128 levels are not parsed.
    let nested = |levels: usize, space: &str| format!("{}{space}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(key(&nested(127, "")), key(&nested(127, " ")));
    assert_ne!(key(&nested(128, "")), key(&nested(128, " ")));
}

#[test]
fn a_key_is_bytes_and_has_no_debug_text() {
    let key = content_key(b"not json");
    assert_eq!(key.as_bytes()[..4], [0x7c, 0xcf, 0xa1, 0xfb]);
    assert_eq!(format!("{key:?}"), "ContentKey(..)");
}
