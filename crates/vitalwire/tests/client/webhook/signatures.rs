//! Tests of signatures: vectors, rotation, tampering, formats of headers, limits and keys.

use http::{HeaderMap, HeaderValue};
use vitalwire::ErrorKind;
use vitalwire::webhook::{DEFAULT_BODY_LIMIT, SIGNATURE_HEADER, Verifier, sign};

use super::{EVENTS, kind};

// python3 -c 'import hmac,sys; print(hmac.new(sys.argv[1].encode(), open("events.json","rb").read(), "sha256").hexdigest())' KEY
// KEY is webhook-key-newer.
const NEW_SIGNATURE: &str = "0cce4254f7244fa539e8323f0ff36ca5f2c4454a5ecbffb3c3702808ef4e095a";
// KEY is webhook-key-older.
const OLD_SIGNATURE: &str = "5ee0a1ff8f8695f3dcab4c3a87d30e0c8e76553dafbb86f4fc0d9455cbc8b121";

fn new_key_verifier() -> Verifier {
    Verifier::new(["webhook-key-newer"]).unwrap()
}

#[test]
fn signs_as_python_does() {
    assert_eq!(sign(EVENTS, "webhook-key-newer"), NEW_SIGNATURE);
    assert_eq!(sign(EVENTS, "webhook-key-older"), OLD_SIGNATURE);
    // With a key longer than the block of SHA-256: print(hmac.new(b"k"*131, body, "sha256").hexdigest())
    assert_eq!(sign(EVENTS, "k".repeat(131)), "f5b449d6cbd15b34d0f5a68ff6703d3f7b74b032358fae1e039d4ee66efae750");
    // With an empty body: hmac.new(b"webhook-key-newer", b"", "sha256")
    assert_eq!(sign("", "webhook-key-newer"), "eebd52cdb10b17af41d2414e7460714ab49f19a0a5d86fd2d3fdc3fd78cf528b");
    // Keys and bodies are bytes and are not trimmed: hmac.new(b"\x00\xff\n", b"\xff\xfe", "sha256")
    assert_eq!(sign(b"\xff\xfe", b"\x00\xff\n"), "2a390ce8fc4f47fb6a32100d31cbd75d9ff33437c32b563e49acfa0593ceef1d");
}

/// RFC 4231, cases 2 and 6.
#[test]
fn signs_as_the_rfc_says() {
    let short = sign("what do ya want for nothing?", "Jefe");
    assert_eq!(short, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    let long = sign("Test Using Larger Than Block-Size Key - Hash Key First", [0xaa; 131]);
    assert_eq!(long, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

#[test]
fn all_keys_of_a_rotation_are_accepted_in_any_order() {
    for keys in [["webhook-key-newer", "webhook-key-older"], ["webhook-key-older", "webhook-key-newer"]] {
        let verifier = Verifier::new(keys).unwrap();
        verifier.verify(EVENTS, NEW_SIGNATURE).unwrap();
        verifier.verify(EVENTS, OLD_SIGNATURE).unwrap();
    }
    assert_eq!(kind(new_key_verifier().verify(EVENTS, OLD_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(
        kind(Verifier::new(["a webhook key of nobody", "another webhook key"]).unwrap().verify(EVENTS, NEW_SIGNATURE)),
        ErrorKind::Signature
    );
}

#[test]
fn a_changed_bit_of_the_body_is_an_error() {
    let verifier = new_key_verifier();
    for at in 0..EVENTS.len() {
        let mut body = EVENTS.to_vec();
        body[at] ^= 1 << (at % 8);
        assert_eq!(kind(verifier.verify(&body, NEW_SIGNATURE)), ErrorKind::Signature, "byte {at}");
    }
    let longer = [EVENTS, b"\n"].concat();
    assert_eq!(kind(verifier.verify(&longer, NEW_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(kind(verifier.verify(&EVENTS[1..], NEW_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(kind(verifier.verify(b"", NEW_SIGNATURE)), ErrorKind::Signature);
}

#[test]
fn a_changed_digit_of_the_signature_is_an_error() {
    for at in 0..NEW_SIGNATURE.len() {
        let mut text = NEW_SIGNATURE.as_bytes().to_vec();
        text[at] = if text[at] == b'0' { b'1' } else { b'0' };
        assert_eq!(kind(new_key_verifier().verify(EVENTS, text)), ErrorKind::Signature, "digit {at}");
    }
}

#[test]
fn both_cases_and_white_space_are_accepted() {
    let verifier = new_key_verifier();
    let mixed: String = NEW_SIGNATURE.char_indices().map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c }).collect();
    for text in
        [NEW_SIGNATURE.to_owned(), NEW_SIGNATURE.to_uppercase(), mixed, format!("  {NEW_SIGNATURE}\t"), format!("{NEW_SIGNATURE}\r\n")]
    {
        verifier.verify(EVENTS, &text).unwrap();
    }
}

#[test]
fn an_invalid_signature_is_an_error() {
    let verifier = new_key_verifier();
    let long = "ab".repeat(500_000);
    let texts = [
        String::new(),
        NEW_SIGNATURE[..63].to_owned(),
        NEW_SIGNATURE[..62].to_owned(),
        format!("{NEW_SIGNATURE}0"),
        format!("{NEW_SIGNATURE}{NEW_SIGNATURE}"),
        format!("sha256={NEW_SIGNATURE}"),
        format!("0x{}", &NEW_SIGNATURE[2..]),
        format!("{}g", &NEW_SIGNATURE[..63]),
        format!("{} {}", &NEW_SIGNATURE[..31], &NEW_SIGNATURE[32..]),
        "é".repeat(32),
        long,
    ];
    for text in texts {
        let error = verifier.verify(EVENTS, &text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Signature);
        assert_eq!(error.to_string(), "signature: the webhook's signature must be 64 hex digits");
    }
    // The correct bytes, but not as hex digits.
    let raw: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&NEW_SIGNATURE[at * 2..at * 2 + 2], 16).unwrap()).collect();
    assert_eq!(kind(verifier.verify(EVENTS, raw)), ErrorKind::Signature);
}

#[test]
fn reads_the_signature_from_headers() {
    let verifier = new_key_verifier();
    let mut headers = HeaderMap::new();
    assert_eq!(verifier.verify_headers(EVENTS, &headers).unwrap_err().to_string(), "signature: the webhook has no signature");
    // Names of headers are case-insensitive. HTTP/2 writes them in lower case.
    headers.insert("x-body-signature", HeaderValue::from_static(NEW_SIGNATURE));
    verifier.verify_headers(EVENTS, &headers).unwrap();
    verifier.verify(EVENTS, &headers[SIGNATURE_HEADER]).unwrap();
    headers.append("x-body-signature", HeaderValue::from_static(NEW_SIGNATURE));
    assert_eq!(kind(verifier.verify_headers(EVENTS, &headers)), ErrorKind::Signature);
    headers.insert("x-body-signature", HeaderValue::from_bytes(b"\xff\xfe").unwrap());
    assert_eq!(kind(verifier.verify_headers(EVENTS, &headers)), ErrorKind::Signature);
}

#[test]
fn byte_order_marks_and_line_ends_of_a_key_are_removed() {
    for key in ["webhook-key-newer\n", "webhook-key-newer\r\n", "\u{feff}webhook-key-newer", "\u{feff}webhook-key-newer\r\n\r\n"] {
        Verifier::new([key]).unwrap().verify(EVENTS, NEW_SIGNATURE).unwrap();
        assert_eq!(sign(EVENTS, key), NEW_SIGNATURE, "{key:?}");
    }
    let binary = b"\x00\xff of sixteen bytes\n";
    Verifier::new([binary]).unwrap().verify(b"\xff\xfe", sign(b"\xff\xfe", binary)).unwrap();
    assert_eq!(kind(Verifier::new([binary]).unwrap().verify(b"\xff\xfe", sign(b"\xff\xfe", binary.trim_ascii()))), ErrorKind::Signature);
}

#[test]
fn a_key_with_additional_characters_is_an_error_without_the_key() {
    for (key, reason) in [
        ("\"CANARY\"", "the webhook key is in quotes; remove them"),
        ("'CANARY'\n", "the webhook key is in quotes; remove them"),
        (" CANARY", "the webhook key begins or ends with white space; remove it"),
        ("CANARY \r\n", "the webhook key begins or ends with white space; remove it"),
        ("Bearer CANARY", "the webhook key begins with `Bearer `; remove that"),
        ("CANARY\nCANARY", "the webhook key must be one line; remove the line break"),
    ] {
        let error = Verifier::new(["webhook-key-newer", key]).unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("webhook_key")), "{reason}");
        assert!(error.to_string().contains(reason) && !format!("{error} {error:?}").contains("CANARY"), "{error}");
    }
    Verifier::new(["a key of some words"]).unwrap().verify(EVENTS, sign(EVENTS, "a key of some words")).unwrap();
    assert_eq!(kind(Verifier::new(["\r\n"])), ErrorKind::Configuration);
}

#[test]
fn empty_keys_are_errors() {
    assert_eq!(kind(Verifier::new(Vec::<&str>::new())), ErrorKind::Configuration);
    assert_eq!(kind(Verifier::builder().build()), ErrorKind::Configuration);
    assert_eq!(kind(Verifier::new([""])), ErrorKind::Configuration);
    assert_eq!(kind(Verifier::new(["webhook-key-newer", ""])), ErrorKind::Configuration);
    // HMAC pads keys with zero bytes, so this key signs like an empty one.
    assert_eq!(sign(EVENTS, [0; 3]), sign(EVENTS, ""));
    assert_eq!(kind(Verifier::new([[0; 3]])), ErrorKind::Configuration);
    assert_eq!(kind(Verifier::new([[0; 16]])), ErrorKind::Configuration);
    let error = Verifier::new([""]).unwrap_err();
    assert_eq!(
        (error.argument(), error.to_string().as_str()),
        (Some("webhook_key"), "configuration: a webhook key must not be empty, argument webhook_key")
    );
}

#[test]
fn a_key_has_at_least_16_bytes() {
    // A line end is not part of the key, and the last key has 15 characters, but 16 bytes.
    for (key, valid) in
        [("a", false), ("fifteen bytes..", false), ("fifteen bytes..\n", false), ("sixteen bytes...", true), ("15 \u{fc} characters", true)]
    {
        let built = Verifier::new(["webhook-key-newer", key]);
        assert_eq!(built.is_ok(), valid, "{key:?}");
        if let Err(error) = built {
            assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("webhook_key")));
            assert_eq!(error.reason(), Some("a webhook key must be at least 16 bytes long"));
        }
    }
}

#[test]
fn a_body_over_the_limit_is_an_error() {
    let limit = |bytes| Verifier::builder().key("webhook-key-newer").body_limit(bytes).build().unwrap();
    limit(EVENTS.len()).verify(EVENTS, NEW_SIGNATURE).unwrap();
    assert_eq!(kind(limit(EVENTS.len() - 1).verify(EVENTS, NEW_SIGNATURE)), ErrorKind::TooLarge);
    assert_eq!(DEFAULT_BODY_LIMIT, 33_554_432);
    let body = vec![b' '; DEFAULT_BODY_LIMIT + 1];
    assert_eq!(kind(new_key_verifier().verify(&body, NEW_SIGNATURE)), ErrorKind::TooLarge);
}

#[test]
fn the_signature_is_verified_before_parsing() {
    let verifier = new_key_verifier();
    assert_eq!(verifier.verify_and_parse_events(EVENTS, NEW_SIGNATURE).unwrap().len(), 3);
    // These bodies are also malformed, but the signature is checked first.
    assert_eq!(kind(verifier.verify_and_parse_events(b"{", NEW_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(kind(verifier.verify_and_parse_lab_report(b"{", NEW_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(kind(verifier.verify_and_parse_nutrition(b"{", NEW_SIGNATURE)), ErrorKind::Signature);
    assert_eq!(kind(verifier.verify_and_parse_events(b"{", sign("{", "webhook-key-newer"))), ErrorKind::Decode);
    let lab = br#"{"record_id":"r-1","status":"completed"}"#;
    assert_eq!(verifier.verify_and_parse_lab_report(lab, sign(lab, "webhook-key-newer")).unwrap().record_id.as_str(), "r-1");
    let meal = br#"{"record_id":"r-2","status":"failed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z"}"#;
    assert_eq!(verifier.verify_and_parse_nutrition(meal, sign(meal, "webhook-key-newer")).unwrap().record_id.as_str(), "r-2");
}
