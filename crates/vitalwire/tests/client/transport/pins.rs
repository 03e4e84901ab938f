//! Tests of pinned keys with real sockets.

use std::sync::atomic::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::Authority;

use super::tls::{builder_to, serve_with};
use crate::transport::{get, upload};

/// Pin of a key, as in `openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
fn pin(key: &[u8]) -> String {
    format!("sha256/{}", STANDARD.encode(Sha256::digest(key)))
}

#[tokio::test]
async fn a_pinned_key_is_accepted() {
    let authority = Authority::new();
    let (config, key) = authority.server_with_key("127.0.0.1");
    let (address, _) = serve_with(config).await;
    let backup = pin(b"another");
    for pins in [pin(&key), format!("{backup};{}", pin(&key)), format!(" {} ; {backup}; ", pin(&key))] {
        for only in [false, true] {
            let client =
                builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(only).pinned_keys(&pins).build().unwrap();
            assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
        }
    }
}

#[tokio::test]
async fn no_request_is_sent_to_a_server_with_another_key() {
    let authority = Authority::new();
    let (config, key) = authority.server_with_key("127.0.0.1");
    let (address, requests) = serve_with(config).await;
    // Key of the certificate before its renewal.
    let (_, former) = authority.server_with_key("127.0.0.1");
    assert_ne!(key, former);
    for only in [false, true] {
        let client =
            builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(only).pinned_keys(pin(&former)).build().unwrap();
        let error = upload(&client, "{}").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
        assert_eq!(error.reason(), Some("the server's certificate is not trusted: its key is not one of pinned_keys"));
        assert!(!error.may_have_taken_effect() && !error.is_transient());
    }
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_pinned_key_does_not_replace_a_trusted_certificate() {
    let (config, key) = Authority::new().server_with_key("127.0.0.1");
    let (address, requests) = serve_with(config).await;
    let other = Authority::new().pem();
    let client = builder_to(address).ca_certificate(other).only_custom_certificates(true).pinned_keys(pin(&key)).build().unwrap();
    assert_eq!(
        get(&client).await.unwrap_err().reason(),
        Some("the server's certificate is not trusted: its issuer is unknown; set a CA certificate to trust it")
    );
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[test]
fn an_invalid_pin_is_an_error() {
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
