//! Tests of TLS with generated certificates.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::ServerConfig;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;
use vitalwire::client::{Client, ClientBuilder};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Authority, response_bytes};

use crate::transport::{get, in_child};

const UNKNOWN_ISSUER: &str = "the server's certificate is not trusted: its issuer is unknown; set a CA certificate to trust it";

/// Starts a server with a certificate for `name`.
async fn serve(authority: &Authority, name: &str) -> SocketAddr {
    serve_with(authority.server(name)).await.0
}

/// Starts a server that responds to all requests with 200 and `{}`. Also returns the number of its requests.
pub(super) async fn serve_with(config: Arc<ServerConfig>) -> (SocketAddr, Arc<AtomicUsize>) {
    let acceptor = TlsAcceptor::from(config);
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&requests);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, counter) = (acceptor.clone(), Arc::clone(&counter));
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut buffer = [0; 4096];
                while matches!(stream.read(&mut buffer).await, Ok(1..)) {
                    counter.fetch_add(1, Ordering::SeqCst);
                    if stream.write_all(&response_bytes(200, &[], b"{}")).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, requests)
}

pub(super) fn builder_to(address: SocketAddr) -> ClientBuilder {
    Client::builder().base_url(format!("https://{address}")).token("t").no_proxy().retry_delay_scale(0.0)
}

#[tokio::test]
async fn a_custom_authority_is_trusted_with_and_without_those_of_the_platform() {
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    for only in [false, true] {
        let client = builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(only).build().unwrap();
        assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
    }
}

#[tokio::test]
async fn certificates_of_files_and_folders_are_trusted() {
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    let folder = std::env::temp_dir().join(format!("vitalwire-ca-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("folder")).unwrap();
    let file = folder.join("ca.pem");
    // A bundle can contain more than certificates.
    let unusable = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
    std::fs::write(&file, format!("# Some text\n{unusable}{}", authority.pem())).unwrap();
    std::fs::write(folder.join("index.txt"), "text").unwrap();
    for path in [&file, &folder] {
        for only in [false, true] {
            let client = builder_to(address).ca_file(path).only_custom_certificates(only).build().unwrap();
            assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
        }
    }
    std::fs::write(&file, unusable).unwrap();
    for path in [file.clone(), folder.clone(), folder.join("CANARY")] {
        let error = builder_to(address).ca_file(path).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("ca_certificate")));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn platform_trust_replaces_the_roots_of_the_platform() {
    let (authority, other) = (Authority::new(), Authority::new());
    let address = serve(&authority, "127.0.0.1").await;
    let unusable = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
    let trusted = builder_to(address).platform_trust(format!("{unusable}{}", authority.pem()));
    assert!(get(&trusted.build().unwrap()).await.is_ok());
    let beside = builder_to(address).platform_trust(other.pem()).ca_certificate(authority.pem());
    assert!(get(&beside.build().unwrap()).await.is_ok());
    let another = builder_to(address).platform_trust(other.pem());
    let left_out = builder_to(address).platform_trust(authority.pem()).ca_certificate(other.pem()).only_custom_certificates(true);
    for client in [another, left_out] {
        assert_eq!(get(&client.build().unwrap()).await.unwrap_err().reason(), Some(UNKNOWN_ISSUER));
    }
    for pem in ["", unusable] {
        let error = builder_to(address).platform_trust(pem).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("platform_trust")));
    }
}

#[tokio::test]
async fn an_unknown_authority_is_an_error_without_retries() {
    let address = serve(&Authority::new(), "127.0.0.1").await;
    let client = builder_to(address).ca_certificate(Authority::new().pem()).only_custom_certificates(true).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
    assert_eq!(error.reason(), Some(UNKNOWN_ISSUER));
    assert!(!error.is_transient());
    // With the roots of the platform, the certificate is not trusted either, or there are no roots.
    let error = get(&builder_to(address).build().unwrap()).await.unwrap_err();
    assert_eq!(error.attempts(), 1);
    assert!(matches!(error.kind(), ErrorKind::Transport | ErrorKind::Configuration), "{error}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_an_error() {
    let authority = Authority::new();
    let address = serve(&authority, "other.example.org").await;
    let client = builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(true).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!(error.reason(), Some("the server's certificate is not trusted: it is for another host name; check the URL"));
}

#[tokio::test]
async fn a_certificate_out_of_its_time_is_an_error_without_retries() {
    let authority = Authority::new();
    for (years, expected) in [
        (2001..2002, "the server's certificate is not trusted: it has expired; check this machine's clock"),
        (2400..2401, "the server's certificate is not trusted: it is not valid yet; check this machine's clock"),
    ] {
        let (address, requests) = serve_with(authority.server_valid_in("127.0.0.1", years)).await;
        for only in [false, true] {
            let client = builder_to(address).ca_certificate(authority.pem()).only_custom_certificates(only).build().unwrap();
            let error = get(&client).await.unwrap_err();
            assert_eq!((error.reason(), error.attempts(), error.is_transient()), (Some(expected), 1, false));
        }
        assert_eq!(requests.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn a_server_without_tls_is_a_transport_error() {
    let server = vitalwire_testkit::Server::always(vitalwire_testkit::Reply::SendAndClose(b"plain".to_vec()));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let error = get(&builder_to(address).build().unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transport);
    assert_eq!(error.status(), None);
    assert_eq!(server.count(), 0);
}

#[test]
fn an_invalid_certificate_is_an_error() {
    for pem in ["", "CANARY", "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n!\n"] {
        let error = Client::builder().ca_certificate(pem).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("ca_certificate")));
    }
    let error = Client::builder().only_custom_certificates(true).build().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("only_custom_certificates")));
}

/// A client for plain HTTP does not load certificates. A client for HTTPS reports missing ones.
#[cfg(target_os = "linux")]
#[test]
fn missing_system_certificates_are_reported_by_the_first_https_call() {
    in_child("transport::tls::child_without_roots", &[("SSL_CERT_FILE", "/nonexistent"), ("SSL_CERT_DIR", "/nonexistent")]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by missing_system_certificates_are_reported_by_the_first_https_call"]
async fn child_without_roots() {
    let server = vitalwire_testkit::Server::always(vitalwire_testkit::json(200, "{}"));
    assert!(get(&crate::transport::client(&server)).await.is_ok());
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    let error = get(&builder_to(address).build().unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Configuration, 1));
    assert!(get(&builder_to(address).ca_certificate(authority.pem()).build().unwrap()).await.is_ok());
}

/// The certificate store of the platform is replaced by a file with known certificates.
#[cfg(target_os = "linux")]
#[test]
fn only_custom_certificates_ignores_those_of_the_platform() {
    let authority = Authority::new();
    let file = std::env::temp_dir().join(format!("vitalwire-roots-{}.pem", std::process::id()));
    // The child process needs the key to sign.
    std::fs::write(&file, authority.pem() + &authority.key_pem()).unwrap();
    in_child("transport::tls::child_with_roots", &[("SSL_CERT_FILE", file.to_str().unwrap()), ("SSL_CERT_DIR", "/nonexistent")]);
    std::fs::remove_file(file).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by only_custom_certificates_ignores_those_of_the_platform"]
async fn child_with_roots() {
    let stored = std::fs::read_to_string(std::env::var("SSL_CERT_FILE").unwrap()).unwrap();
    let platform = Authority::from_key(&stored[stored.find("-----BEGIN PRIVATE KEY").unwrap()..]);
    let address = serve(&platform, "127.0.0.1").await;
    assert!(get(&builder_to(address).build().unwrap()).await.is_ok());
    let beside = builder_to(address).ca_certificate(Authority::new().pem());
    assert!(get(&beside.build().unwrap()).await.is_ok());
    let alone = builder_to(address).ca_certificate(Authority::new().pem()).only_custom_certificates(true);
    let instead = builder_to(address).platform_trust(Authority::new().pem());
    for client in [alone, instead] {
        assert_eq!(get(&client.build().unwrap()).await.unwrap_err().reason(), Some(UNKNOWN_ISSUER));
    }
}
