//! Tests of proxies from options and from the environment. A scripted server is the proxy, so that nothing leaves this machine.

use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, json};

use crate::transport::{get, in_child};

const TARGET: &str = "http://service.invalid";

fn builder_to_target() -> vitalwire::client::ClientBuilder {
    Client::builder().base_url(TARGET).allow_plain_http(true).token("t").max_retries(0)
}

#[tokio::test]
async fn a_proxy_from_the_options_receives_all_requests() {
    let proxy = Server::always(json(200, "{}"));
    let url = format!("http://user:pass@{}", proxy.address());
    get(&builder_to_target().proxy(&url).build().unwrap()).await.unwrap();
    let seen = &proxy.requests()[0];
    assert_eq!(seen.line(), "GET http://service.invalid/v3/thing HTTP/1.1");
    // Base64 of "user:pass".
    assert_eq!(seen.header("proxy-authorization"), Some("Basic dXNlcjpwYXNz"));
}

#[tokio::test]
async fn a_rejected_tunnel_is_a_transport_error() {
    let proxy = Server::always(json(403, "{\"detail\":\"CANARY\"}"));
    let client = Client::builder().base_url("https://service.invalid").token("t").proxy(proxy.url()).max_retries(0).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Transport, None));
    assert_eq!(error.reason(), Some("the proxy made no connection to the service"));
    assert!(error.is_transient());
    assert_eq!(proxy.requests()[0].line(), "CONNECT service.invalid:443 HTTP/1.1");
    assert_eq!(proxy.requests()[0].header("authorization"), None, "the proxy does not receive the token");
}

#[tokio::test]
async fn missing_credentials_of_a_proxy_are_an_error_without_retries() {
    let expected = "the proxy requires valid credentials (status 407); set them in its URL";
    for target in ["https://service.invalid", TARGET] {
        let proxy = Server::always(json(407, "{\"detail\":\"CANARY\"}"));
        let client =
            Client::builder().base_url(target).allow_plain_http(true).token("t").proxy(proxy.url()).max_retries(3).build().unwrap();
        let error = get(&client).await.unwrap_err();
        assert_eq!((error.reason(), error.attempts(), proxy.count()), (Some(expected), 1, 1), "{target}");
        assert!(!error.is_transient() && !error.may_have_taken_effect() && !error.to_string().contains("CANARY"), "{target}");
    }
}

#[test]
fn proxies_of_the_environment_are_used() {
    // This proxy accepts plain requests and rejects tunnels.
    let proxy = Server::with_script(|seen, _| json(if seen.line().starts_with("CONNECT") { 403 } else { 200 }, "{}"));
    let url = proxy.url();
    in_child("transport::proxy::child_through_proxy", &[("HTTP_PROXY", &url)]);
    in_child("transport::proxy::child_through_proxy", &[("all_proxy", &url), ("NO_PROXY", "other.invalid")]);
    assert_eq!(proxy.count(), 2);
    in_child("transport::proxy::child_direct", &[("HTTP_PROXY", &url), ("NO_PROXY", "service.invalid")]);
    in_child("transport::proxy::child_direct", &[("HTTP_PROXY", &url), ("no_proxy", "*")]);
    // A web server sets HTTP_PROXY from the `Proxy` header of a request.
    in_child("transport::proxy::child_direct", &[("HTTP_PROXY", &url), ("REQUEST_METHOD", "GET")]);
    in_child("transport::proxy::child_loopback", &[("HTTP_PROXY", &url), ("HTTPS_PROXY", &url)]);
    assert_eq!(proxy.count(), 2);
    in_child("transport::proxy::child_tunnel", &[("HTTPS_PROXY", &url)]);
    assert_eq!(proxy.count(), 3);
    assert_eq!(proxy.requests()[2].line(), "CONNECT service.invalid:443 HTTP/1.1");
    in_child("transport::proxy::child_with_unsupported_proxy", &[("HTTPS_PROXY", "socks5://127.0.0.1:1")]);
}

#[tokio::test]
#[ignore = "run by proxies_of_the_environment_are_used"]
async fn child_through_proxy() {
    assert!(get(&builder_to_target().build().unwrap()).await.is_ok());
    // `no_proxy` ignores the environment.
    assert!(get(&builder_to_target().no_proxy().build().unwrap()).await.is_err());
}

#[tokio::test]
#[ignore = "run by proxies_of_the_environment_are_used"]
async fn child_direct() {
    // Without a proxy, the host name is looked up and not found.
    assert_eq!(get(&builder_to_target().build().unwrap()).await.unwrap_err().kind(), ErrorKind::Transport);
}

#[tokio::test]
#[ignore = "run by proxies_of_the_environment_are_used"]
async fn child_loopback() {
    let server = Server::always(json(200, "{}"));
    let client = Client::builder().base_url(server.url()).token("t").build().unwrap();
    get(&client).await.unwrap();
    assert_eq!(server.requests()[0].line(), "GET /v3/thing HTTP/1.1");
}

#[tokio::test]
#[ignore = "run by proxies_of_the_environment_are_used"]
async fn child_tunnel() {
    let client = Client::builder().base_url("https://service.invalid").token("t").max_retries(0).build().unwrap();
    assert_eq!(get(&client).await.unwrap_err().kind(), ErrorKind::Transport);
}

#[test]
#[ignore = "run by proxies_of_the_environment_are_used"]
fn child_with_unsupported_proxy() {
    let error = builder_to_target().build().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("HTTPS_PROXY")));
    assert!(builder_to_target().no_proxy().build().is_ok());
}

/// 192.0.2.0/24 is reserved for documentation: a connection to it fails.
#[tokio::test]
async fn only_a_proxy_on_this_machine_sees_requests_to_this_machine() {
    for host in ["127.0.0.1", "localhost", "a.localhost"] {
        let (server, proxy) = (Server::always(json(200, "{}")), Server::always(json(200, "{}")));
        let target = format!("http://{host}:{}", server.address().port());
        let through = |proxy: &str| Client::builder().base_url(&target).token("CANARY").proxy(proxy).max_retries(0).build().unwrap();
        for remote in ["http://192.0.2.2:3128", "https://192.0.2.2:3128", "http://proxy.invalid"] {
            get(&through(remote)).await.unwrap();
        }
        assert_eq!(server.count(), 3, "{host}");
        for local in [proxy.url(), format!("http://proxy.localhost:{}", proxy.address().port())] {
            get(&through(&local)).await.unwrap();
        }
        assert_eq!((server.count(), proxy.count()), (3, 2), "{host}");
    }
}

#[tokio::test]
async fn names_of_this_machine_are_not_looked_up() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(listener) = std::net::TcpListener::bind(address) else { continue };
        let port = listener.local_addr().unwrap().port();
        // `localhost` has both addresses, and another test may use the port on the other one.
        let is_used = address.starts_with('[') && std::net::TcpListener::bind(("127.0.0.1", port)).is_err();
        if is_used {
            continue;
        }
        let server = Server::on_listener(listener, |_, _| json(200, "{}"));
        for name in ["localhost", "sandbox.localhost", "A.b.LOCALHOST"] {
            let url = format!("http://{name}:{}", server.address().port());
            get(&Client::builder().base_url(url).token("t").no_proxy().max_retries(0).build().unwrap()).await.unwrap();
        }
        assert_eq!(server.count(), 3);
    }
}
