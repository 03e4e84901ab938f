use super::*;

const BASE: &str = "http://127.0.0.1:8080";

fn ask(method: &str, headers: &[(&str, &str)]) -> Result<(), StatusCode> {
    let mut request = http::Request::builder().method(method).uri("/_sandbox/state");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    check_access(BASE, None, &request.body(()).unwrap()).map_err(|problem| problem.into_response().status())
}

#[test]
fn only_own_hosts_are_accepted() {
    for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
        assert_eq!(ask("GET", &[("host", host)]), Ok(()), "{host}");
    }
    for host in
        ["127.0.0.1", "localhost:80", "evil.test:8080", "localhost.evil.test:8080", "127.0.0.1.evil.test:8080", "a@localhost:8080", ""]
    {
        assert_eq!(ask("GET", &[("host", host)]), Err(StatusCode::FORBIDDEN), "{host}");
    }
    assert_eq!(ask("GET", &[]), Err(StatusCode::FORBIDDEN));
    assert_eq!(ask("GET", &[("host", "localhost:8080"), ("host", "evil.test:8080")]), Err(StatusCode::FORBIDDEN));
}

#[test]
fn an_absolute_target_overrides_the_host_header() {
    let request =
        |uri: &str| check_access(BASE, None, &http::Request::builder().uri(uri).header("host", "localhost:8080").body(()).unwrap()).is_ok();
    assert!(request("http://localhost:8080/_sandbox/state"));
    assert!(!request("http://evil.test:8080/_sandbox/state"));
}

#[test]
fn only_own_origins_are_accepted() {
    let host = ("host", "localhost:8080");
    for origin in ["http://localhost:8080", "http://127.0.0.1:8080"] {
        assert_eq!(ask("GET", &[host, ("origin", origin)]), Ok(()), "{origin}");
    }
    for origin in ["null", "", "http://localhost:3000", "https://localhost:8080", "http://evil.test", "localhost:8080"] {
        assert_eq!(ask("GET", &[host, ("origin", origin)]), Err(StatusCode::FORBIDDEN), "{origin}");
    }
}

#[test]
fn writes_must_be_json_of_the_same_origin() {
    let host = ("host", "localhost:8080");
    let json = ("content-type", "application/json; charset=utf-8");
    assert_eq!(ask("POST", &[host, json]), Ok(()));
    assert_eq!(ask("POST", &[host, json, ("sec-fetch-site", "same-origin")]), Ok(()));
    assert_eq!(ask("POST", &[host, json, ("sec-fetch-site", "cross-site")]), Err(StatusCode::FORBIDDEN));
    assert_eq!(ask("POST", &[host, json, ("sec-fetch-site", "same-site")]), Err(StatusCode::FORBIDDEN));
    for form in ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/jsonp"] {
        assert_eq!(ask("POST", &[host, ("content-type", form)]), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE), "{form}");
    }
    assert_eq!(ask("PUT", &[host]), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    assert_eq!(ask("DELETE", &[host]), Ok(()));
}

#[test]
fn addresses_and_localhost_cannot_be_rebound() {
    for (host, fixed) in [
        ("localhost:8080", true),
        ("LOCALHOST", true),
        ("127.0.0.1:9", true),
        ("[::1]:8080", true),
        ("192.0.2.7", true),
        ("rebound.test", false),
        ("localhost.test:8080", false),
        ("127.0.0.1.test:8080", false),
        ("a@localhost", false),
    ] {
        assert_eq!(is_fixed(&host.parse().unwrap()), fixed, "{host}");
    }
}

#[test]
fn foreign_pages_may_link_to_the_page_but_read_nothing() {
    let read = |path: &str, site: &str| {
        let request = http::Request::builder().uri(path).header("host", "localhost:8080").header("sec-fetch-site", site);
        check_access(BASE, None, &request.body(()).unwrap()).is_ok()
    };
    for path in ["/_sandbox/state", "/_sandbox/requests/stream", "/_sandbox/files/page.js"] {
        assert!(read(path, "same-origin") && read(path, "none"), "{path}");
        assert!(!read(path, "cross-site") && !read(path, "same-site"), "{path}");
    }
    assert!(read("/", "cross-site"));
}

#[test]
fn the_default_port_of_the_base_url_is_accepted() {
    let admits = |base: &str, host: &str| OwnAddresses::new(base, None).contains(&host.parse().unwrap());
    assert!(admits("http://sandbox.test", "sandbox.test"));
    assert!(admits("http://sandbox.test", "sandbox.test:80"));
    assert!(admits("https://sandbox.test", "sandbox.test:443"));
    assert!(!admits("https://sandbox.test", "sandbox.test:80"));
    assert!(!admits("nonsense", "nonsense"));
}

#[test]
fn the_local_address_of_the_connection_is_accepted() {
    let own = OwnAddresses::new("http://127.0.0.1:8080", "192.0.2.7:8080".parse().ok());
    let contains = |authority: &str| own.contains(&authority.parse().unwrap());
    assert!(contains("192.0.2.7:8080") && contains("localhost:8080"));
    assert!(!contains("192.0.2.8:8080") && !contains("192.0.2.7:80") && !contains("a@192.0.2.7:8080"));
    assert!(own.is_origin("http://192.0.2.7:8080"));
}
