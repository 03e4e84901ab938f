//! Keys that are pinned, over real sockets.

use std::sync::atomic::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::Authority;

use super::tls::{serve_by, to};
use crate::transport::{get, upload};

/// The pin of a key, as `openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` makes it.
fn pin(key: &[u8]) -> String {
    format!("sha256/{}", STANDARD.encode(Sha256::digest(key)))
}

#[tokio::test]
async fn a_pinned_key_is_accepted_alone_and_among_others() {
    let authority = Authority::new();
    let (config, key) = authority.server_with_key("127.0.0.1");
    let (address, _) = serve_by(config).await;
    let reserve = pin(b"another");
    for pins in [pin(&key), format!("{reserve};{}", pin(&key)), format!(" {} ; {reserve}; ", pin(&key))] {
        for only in [false, true] {
            let client = to(address).ca_certificate(authority.pem()).only_custom_certificates(only).pinned_keys(&pins).build().unwrap();
            assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
        }
    }
}

#[tokio::test]
async fn a_server_with_another_key_is_sent_nothing() {
    let authority = Authority::new();
    let (config, key) = authority.server_with_key("127.0.0.1");
    let (address, requests) = serve_by(config).await;
    // The key of the certificate before it was renewed.
    let (_, former) = authority.server_with_key("127.0.0.1");
    assert_ne!(key, former);
    for only in [false, true] {
        let client = to(address).ca_certificate(authority.pem()).only_custom_certificates(only).pinned_keys(pin(&former)).build().unwrap();
        let error = upload(&client, "{}").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
        assert_eq!(error.reason(), Some("the server's certificate is not trusted"));
        assert!(!error.may_have_taken_effect() && !error.is_transient());
    }
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_pinned_key_makes_no_certificate_trusted() {
    let (config, key) = Authority::new().server_with_key("127.0.0.1");
    let (address, requests) = serve_by(config).await;
    let other = Authority::new().pem();
    let client = to(address).ca_certificate(other).only_custom_certificates(true).pinned_keys(pin(&key)).build().unwrap();
    assert_eq!(get(&client).await.unwrap_err().reason(), Some("the server's certificate is not trusted"));
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[test]
fn what_is_no_pin_is_refused() {
    let good = pin(b"a key");
    let hash = &good["sha256/".len()..];
    for (pins, reason) in [
        (String::new(), "must contain a pin"),
        (" ; ".to_owned(), "must contain a pin"),
        (hash.to_owned(), "a pin must begin with `sha256/`"),
        (format!("sha1/{hash}"), "a pin must begin with `sha256/`"),
        ("sha256/CANARY!".to_owned(), "a pin must be base64"),
        (format!("{good};sha256/"), "a pin must encode 32 bytes"),
        ("sha256/Q0FOQVJZ".to_owned(), "a pin must encode 32 bytes"),
        (format!("{good},{good}"), "a pin must be base64"),
    ] {
        let error = Client::builder().pinned_keys(&pins).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("pinned_keys")), "{pins}");
        assert_eq!(error.reason(), Some(reason));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
}
