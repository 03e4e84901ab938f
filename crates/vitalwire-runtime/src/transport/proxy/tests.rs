use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use super::*;
use crate::error::ErrorKind;

#[test]
fn an_invalid_proxy_url_is_rejected_without_quoting_it() {
    for bad in ["", "socks5://CANARY:1080", "http://", "ftp://CANARY", "http://user:CANARY@:80"] {
        let error = apply(reqwest::Client::builder(), &ProxyChoice::Fixed(bad.to_owned())).expect_err(bad);
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    let error = from_environment(reqwest::Client::builder(), |name| (name == "all_proxy").then(|| "socks5://CANARY".into()))
        .expect_err("socks is not supported");
    assert_eq!(error.argument(), Some("all_proxy"));
    assert!(parse_proxy_url("proxy.example.org:3128").is_some());
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_utf8_is_rejected_by_its_name() {
    use std::os::unix::ffi::OsStringExt;
    for name in HTTPS.into_iter().chain(HTTP).chain(EXCLUSIONS) {
        let variable = |asked: &str| match asked {
            _ if asked == name => Some(OsString::from_vec(b"http://192.0.2.1\xff".to_vec())),
            "HTTP_PROXY" | "ALL_PROXY" => Some("http://192.0.2.2".into()),
            _ => None,
        };
        // Of a variable and its lower-case name, the latter applies.
        let error = from_environment(reqwest::Client::builder(), variable).expect_err(name);
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(name)));
    }
}

/// Responds to every request with 200. Returns the server's address and the request lines it received.
fn serve() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, lines) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let seen = Arc::clone(&lines);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap();
            seen.lock().unwrap().push(String::from_utf8_lossy(&request[..read]).lines().next().unwrap_or_default().to_owned());
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    (address, lines)
}

/// The names resolve to a socket of this machine, because loopback hosts never use a proxy.
#[tokio::test]
async fn excluded_hosts_are_reached_without_the_proxy() {
    for (name, value, host, direct) in [
        ("NO_PROXY", "*.example.test", "api.example.test", true),
        ("no_proxy", "*.example.test", "api.example.test", true),
        ("NO_PROXY", ".example.test", "api.example.test", true),
        ("NO_PROXY", "other.test example.test", "api.example.test", true),
        ("NO_PROXY", "other.test, *.other.test", "api.example.test", false),
        ("NO_PROXY", "user:CANARY@api.example.test", "api.example.test", false),
        ("NO_PROXY", "api.example.test:{port}", "api.example.test", true),
        ("NO_PROXY", "api.example.test:1", "api.example.test", false),
        ("NO_PROXY", "*", "api.example.test", true),
        ("NO_PROXY", "", "api.example.test", false),
    ] {
        let ((service, at_service), (proxy, at_proxy)) = (serve(), serve());
        let variables = [("HTTP_PROXY", format!("http://{proxy}")), (name, value.replace("{port}", &service.port().to_string()))];
        let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|found| OsString::from(&found.1));
        let builder = reqwest::Client::builder().tls_backend_preconfigured(tls()).resolve(host, service);
        let client = from_environment(builder, variable).unwrap().build().unwrap();
        client.get(format!("http://{host}:{}/thing", service.port())).send().await.unwrap();
        let whole = format!("GET http://{host}:{}/thing HTTP/1.1", service.port());
        let expected = if direct { (vec!["GET /thing HTTP/1.1".to_owned()], vec![]) } else { (vec![], vec![whole]) };
        assert_eq!((at_service.lock().unwrap().clone(), at_proxy.lock().unwrap().clone()), expected, "{name}={value}");
    }
}

#[tokio::test]
async fn an_https_request_uses_a_tunnel_unless_its_host_is_excluded() {
    for (excluded, tunnels) in [("*.example.test:443", 0), ("*.example.test:80", 1)] {
        let ((service, _), (proxy, at_proxy)) = (serve(), serve());
        let variables = [("https_proxy", format!("http://{proxy}")), ("NO_PROXY", excluded.to_owned())];
        let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|found| OsString::from(&found.1));
        let builder = reqwest::Client::builder().tls_backend_preconfigured(tls()).resolve("api.example.test", service);
        let client = from_environment(builder, variable).unwrap().build().unwrap();
        client.get("https://api.example.test/thing").send().await.expect_err("no TLS behind it");
        assert_eq!(*at_proxy.lock().unwrap(), vec!["CONNECT api.example.test:443 HTTP/1.1".to_owned(); tunnels], "{excluded}");
    }
}

fn tls() -> rustls::ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    config.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth()
}
