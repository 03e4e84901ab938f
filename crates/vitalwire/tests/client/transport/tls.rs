//! TLS with certificates made here: trusted when given, refused when not.

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

/// A server with a certificate of an authority for one name.
async fn serve(authority: &Authority, name: &str) -> SocketAddr {
    serve_by(authority.server(name)).await.0
}

/// A server, which answers every request with 200 and `{}`, and how often it was sent something.
pub(super) async fn serve_by(config: Arc<ServerConfig>) -> (SocketAddr, Arc<AtomicUsize>) {
    let acceptor = TlsAcceptor::from(config);
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, counted) = (acceptor.clone(), Arc::clone(&counted));
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut buffer = [0; 4096];
                while matches!(stream.read(&mut buffer).await, Ok(1..)) {
                    counted.fetch_add(1, Ordering::SeqCst);
                    if stream.write_all(&response_bytes(200, &[], b"{}")).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, requests)
}

pub(super) fn to(address: SocketAddr) -> ClientBuilder {
    Client::builder().base_url(format!("https://{address}")).token("t").no_proxy().retry_delay_scale(0.0)
}

#[tokio::test]
async fn a_given_authority_is_trusted_beside_the_platform_s_or_alone() {
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    for only in [false, true] {
        let client = to(address).ca_certificate(authority.pem()).only_custom_certificates(only).build().unwrap();
        assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
    }
}

#[tokio::test]
async fn a_file_and_a_folder_of_certificates_are_trusted() {
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    let folder = std::env::temp_dir().join(format!("vitalwire-ca-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("folder")).unwrap();
    let file = folder.join("ca.pem");
    // A bundle holds more than certificates.
    let unusable = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
    std::fs::write(&file, format!("# Some text\n{unusable}{}", authority.pem())).unwrap();
    std::fs::write(folder.join("index.txt"), "text").unwrap();
    for path in [&file, &folder] {
        for only in [false, true] {
            let client = to(address).ca_file(path).only_custom_certificates(only).build().unwrap();
            assert_eq!(&get(&client).await.unwrap().body[..], b"{}");
        }
    }
    std::fs::write(&file, unusable).unwrap();
    for path in [file.clone(), folder.clone(), folder.join("CANARY")] {
        let error = to(address).ca_file(path).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("ca_certificate")));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn what_stands_in_for_the_platform_s_roots_is_trusted_unless_only_given_ones_are() {
    let (authority, other) = (Authority::new(), Authority::new());
    let address = serve(&authority, "127.0.0.1").await;
    let unusable = "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n";
    let trusted = to(address).platform_trust(format!("{unusable}{}", authority.pem()));
    assert!(get(&trusted.build().unwrap()).await.is_ok());
    let beside = to(address).platform_trust(other.pem()).ca_certificate(authority.pem());
    assert!(get(&beside.build().unwrap()).await.is_ok());
    let another = to(address).platform_trust(other.pem());
    let left_out = to(address).platform_trust(authority.pem()).ca_certificate(other.pem()).only_custom_certificates(true);
    for client in [another, left_out] {
        assert_eq!(get(&client.build().unwrap()).await.unwrap_err().reason(), Some("the server's certificate is not trusted"));
    }
    for pem in ["", unusable] {
        let error = to(address).platform_trust(pem).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("platform_trust")));
    }
}

#[tokio::test]
async fn an_unknown_authority_is_refused_and_not_tried_again() {
    let address = serve(&Authority::new(), "127.0.0.1").await;
    let client = to(address).ca_certificate(Authority::new().pem()).only_custom_certificates(true).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
    assert_eq!(error.reason(), Some("the server's certificate is not trusted"));
    assert!(!error.is_transient());
    // With the platform's roots: refused too, or there are none.
    let error = get(&to(address).build().unwrap()).await.unwrap_err();
    assert_eq!(error.attempts(), 1);
    assert!(matches!(error.kind(), ErrorKind::Transport | ErrorKind::Configuration), "{error}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    let address = serve(&authority, "other.example.org").await;
    let client = to(address).ca_certificate(authority.pem()).only_custom_certificates(true).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!(error.reason(), Some("the server's certificate is not trusted"));
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
    let error = get(&to(address).build().unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transport);
    assert_eq!(error.status(), None);
    assert_eq!(server.count(), 0);
}

#[test]
fn what_is_no_certificate_is_refused() {
    for pem in ["", "CANARY", "-----BEGIN CERTIFICATE-----\nQ0FOQVJZ\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n!\n"] {
        let error = Client::builder().ca_certificate(pem).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("ca_certificate")));
    }
    let error = Client::builder().only_custom_certificates(true).build().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("only_custom_certificates")));
}

/// A client for plain http never looks for certificates, and one for https says what is missing.
#[cfg(target_os = "linux")]
#[test]
fn a_system_without_certificates_is_told_at_the_first_https_call() {
    in_child("transport::tls::child_without_roots", &[("SSL_CERT_FILE", "/nonexistent"), ("SSL_CERT_DIR", "/nonexistent")]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by a_system_without_certificates_is_told_at_the_first_https_call"]
async fn child_without_roots() {
    let server = vitalwire_testkit::Server::always(vitalwire_testkit::json(200, "{}"));
    assert!(get(&crate::transport::client(&server)).await.is_ok());
    let authority = Authority::new();
    let address = serve(&authority, "127.0.0.1").await;
    let error = get(&to(address).build().unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Configuration, 1));
    assert!(get(&to(address).ca_certificate(authority.pem()).build().unwrap()).await.is_ok());
}

/// The platform's store is one file here, so that it is known whom the platform trusts.
#[cfg(target_os = "linux")]
#[test]
fn only_custom_certificates_leaves_the_platform_s_out() {
    let authority = Authority::new();
    let file = std::env::temp_dir().join(format!("vitalwire-roots-{}.pem", std::process::id()));
    // The key goes along for the child, which must sign with it.
    std::fs::write(&file, authority.pem() + &authority.key_pem()).unwrap();
    in_child("transport::tls::child_with_roots", &[("SSL_CERT_FILE", file.to_str().unwrap()), ("SSL_CERT_DIR", "/nonexistent")]);
    std::fs::remove_file(file).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by only_custom_certificates_leaves_the_platform_s_out"]
async fn child_with_roots() {
    let stored = std::fs::read_to_string(std::env::var("SSL_CERT_FILE").unwrap()).unwrap();
    let platform = Authority::from_key(&stored[stored.find("-----BEGIN PRIVATE KEY").unwrap()..]);
    let address = serve(&platform, "127.0.0.1").await;
    assert!(get(&to(address).build().unwrap()).await.is_ok());
    let beside = to(address).ca_certificate(Authority::new().pem());
    assert!(get(&beside.build().unwrap()).await.is_ok());
    let alone = to(address).ca_certificate(Authority::new().pem()).only_custom_certificates(true);
    let instead = to(address).platform_trust(Authority::new().pem());
    for client in [alone, instead] {
        assert_eq!(get(&client.build().unwrap()).await.unwrap_err().reason(), Some("the server's certificate is not trusted"));
    }
}
