//! Tests of client certificates with real sockets, and of invalid ones.

use std::sync::atomic::Ordering;

use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::Authority;

use super::tls::{builder_to, serve_with};
use crate::transport::{get, in_child, upload};

/// Both forms of an encrypted key.
const ENCRYPTED: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nQ0FOQVJZ\n-----END ENCRYPTED PRIVATE KEY-----\n";
const LEGACY_ENCRYPTED: &str =
    "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,CANARY\n\nQ0FOQVJZ\n-----END EC PRIVATE KEY-----\n";

/// A certificate of X.509 version 1, as `openssl x509 -req` writes it.
const VERSION_1: &str = "-----BEGIN CERTIFICATE-----\nMIIBFzCBvQIUP75In6rxBSRnvP5I0OzPNoQwF6owCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCdjEwIBcNMjYxMTI5MDI0MjUwWhgPMjEyNjExMDUwMjQyNTBa\n\
    MA0xCzAJBgNVBAMMAnYxMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEt9EEIqYes5TBlXu4jy+2XC4LiH9fbJNWJQaZNjFNHC2l0yz4w99MdpivZ3jFk1W2\n\
    zmDwv9dnXi8vtPJpDY7l/jAKBggqhkjOPQQDAgNJADBGAiEAvWrMkcHMGmq7dCvy7Q9O3jJ9yj241H93IC8UaqSnpbsCIQCxO4Yz5OHfWCAgBwAHZnWZ+ng6\n\
    d1mNdjF50bcB9PGlCQ==\n-----END CERTIFICATE-----\n";

#[tokio::test]
async fn a_client_certificate_is_presented_from_text_and_file() {
    let authority = Authority::new();
    let (certificate, key) = authority.client("client.example");
    let (address, requests) = serve_with(authority.server_for_clients("127.0.0.1")).await;
    let path = std::env::temp_dir().join(format!("vitalwire-client-certificate-{}.pem", std::process::id()));
    std::fs::write(&path, format!("{key}{certificate}")).unwrap();
    // The key may stand before or after the chain.
    let texts = [format!("{certificate}{key}"), format!("{key}{certificate}{}", authority.pem())];
    let builder = || builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(true);
    for builder in texts.map(|pem| builder().client_certificate(pem)).into_iter().chain([builder().client_certificate_file(&path)]) {
        assert!(!format!("{builder:?}").contains("PRIVATE"));
        get(&builder.build().unwrap()).await.unwrap();
    }
    assert_eq!(requests.load(Ordering::SeqCst), 3);
    let variables = [
        ("VITALWIRE_BASE_URL", format!("https://{address}")),
        ("VITALWIRE_TOKEN", "t".to_owned()),
        ("VITALWIRE_CLIENT_CERTIFICATE_FILE", path.display().to_string()),
        ("VITALWIRE_ONLY_CUSTOM_CERTIFICATES", "true".to_owned()),
        ("CHILD_AUTHORITY", authority.pem()),
    ];
    let child = tokio::task::spawn_blocking(move || {
        in_child("transport::client_certificate::child_from_env", &variables.each_ref().map(|(name, value)| (*name, value.as_str())));
    });
    child.await.unwrap();
    assert_eq!(requests.load(Ordering::SeqCst), 4);
    std::fs::remove_file(path).unwrap();
}

#[tokio::test]
#[ignore = "run by a_client_certificate_is_presented_from_text_and_file"]
async fn child_from_env() {
    let builder = vitalwire::client::ClientBuilder::from_env().unwrap().no_proxy();
    get(&builder.ca_certificate(std::env::var("CHILD_AUTHORITY").unwrap()).build().unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_missing_or_foreign_client_certificate_is_an_error_without_retries() {
    let authority = Authority::new();
    let (address, requests) = serve_with(authority.server_for_clients("127.0.0.1")).await;
    let (certificate, key) = Authority::new().client("client.example");
    let builder = || builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(true);
    let reason = "the server requires a client certificate that it accepts; set client_certificate";
    for builder in [builder(), builder().client_certificate(certificate + &key)] {
        let error = upload(&builder.build().unwrap(), "{}").await.unwrap_err();
        assert_eq!((error.reason(), error.attempts(), error.is_transient()), (Some(reason), 1, false));
        assert!(!error.may_have_taken_effect());
    }
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[test]
fn an_invalid_client_certificate_is_an_error() {
    let authority = Authority::new();
    let ((certificate, key), (other, other_key)) = (authority.client("a.example"), authority.client("b.example"));
    let unusable = "-----BEGIN PRIVATE KEY-----\nQ0FOQVJZ\n-----END PRIVATE KEY-----\n";
    let garbage = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
    const V3: &str = "must contain a valid X.509 certificate of version 3; openssl x509 -req writes one with -extfile";
    for (pem, reason) in [
        (String::new(), "must contain a certificate"),
        ("CANARY".to_owned(), "must contain a certificate"),
        (key.clone(), "must contain a certificate"),
        ("-----BEGIN CERTIFICATE-----\n!\n".to_owned(), "must be valid PEM"),
        (certificate.clone(), "must contain the private key of the certificate"),
        (format!("{certificate}{key}{key}"), "must contain only one private key"),
        (format!("{certificate}{key}{other_key}"), "must contain only one private key"),
        (format!("{certificate}{other_key}"), "the private key must belong to the first certificate"),
        (format!("{other}{certificate}{key}"), "the private key must belong to the first certificate"),
        (format!("{certificate}{ENCRYPTED}"), "the private key must not be encrypted; decrypt it with openssl pkey"),
        (format!("{certificate}{LEGACY_ENCRYPTED}"), "the private key must not be encrypted; decrypt it with openssl pkey"),
        (
            format!("{certificate}{unusable}"),
            "the private key must be RSA, Ed25519 or ECDSA (P-256 or P-384), and an ECDSA key must include its public key; \
             openssl ec adds the public key",
        ),
        (format!("{garbage}{key}"), V3),
        (format!("{VERSION_1}{key}"), V3),
    ] {
        let error = Client::builder().client_certificate(pem).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("client_certificate")));
        assert_eq!(error.reason(), Some(reason));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    let error = Client::builder().client_certificate_file("/nowhere/CANARY.pem").build().unwrap_err();
    assert_eq!((error.argument(), error.reason()), (Some("client_certificate"), Some("the file cannot be read")));
    assert!(!format!("{error} {error:?}").contains("CANARY"));
}
