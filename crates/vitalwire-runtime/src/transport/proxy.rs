//! Proxy selection: a configured proxy, none, or the proxies of the environment.

use std::ffi::OsString;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, Proxy, Url};

use super::loopback::{self, is_loopback};
use super::no_proxy::ProxyExclusions;
use crate::error::Error;

pub(crate) enum ProxyChoice {
    /// Uses `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, or else the system's settings.
    Environment,
    Never,
    /// Uses this proxy URL for all requests. Requests to this machine bypass a proxy on another machine, which would see the token.
    /// The URL may contain a password and is never shown.
    Fixed(String),
}

pub(crate) fn apply(builder: ClientBuilder, choice: &ProxyChoice) -> Result<ClientBuilder, Error> {
    match choice {
        ProxyChoice::Never => Ok(builder.no_proxy()),
        ProxyChoice::Fixed(url) => {
            let proxy = parse_proxy_url(url).ok_or_else(|| Error::invalid_setting("proxy", NOT_A_PROXY))?;
            let local = is_loopback(&proxy);
            let builder = loopback::pin(builder, &proxy);
            Ok(builder.proxy(Proxy::custom(move |url| (local || !is_loopback(url)).then(|| proxy.clone()))))
        }
        ProxyChoice::Environment => from_environment(builder, |name| std::env::var_os(name)),
    }
}

/// Rule for the values of variables that are text.
pub(crate) const NOT_UTF8: &str = "must be UTF-8";

/// Rule for the URL of a proxy.
const NOT_A_PROXY: &str = "must be the URL of an http or https proxy, with an ASCII host name";

/// Variables of the proxy for https URLs and for http URLs, and of hosts to reach without one. The first one that is set applies.
const HTTPS: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const HTTP: [&str; 4] = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
const EXCLUSIONS: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// Reads the environment as curl does: lower-case names take precedence. `HTTP_PROXY` is ignored under CGI, where a request header could
/// set it.
fn from_environment(builder: ClientBuilder, lookup: impl Fn(&str) -> Option<OsString>) -> Result<ClientBuilder, Error> {
    let value = |name: &str| lookup(name).filter(|value| !value.is_empty());
    let cgi = value("REQUEST_METHOD").is_some();
    let first = |names: &[&'static str]| {
        names.iter().filter(|name| !(cgi && **name == "HTTP_PROXY")).find_map(|name| value(name).map(|value| (*name, value)))
    };
    let proxy = |names: &[&'static str]| match first(names) {
        Some((name, value)) => match value.to_str().and_then(parse_proxy_url) {
            Some(url) => Ok(Some(url)),
            None => Err(Error::invalid_setting(name, NOT_A_PROXY)),
        },
        None => Ok(None),
    };
    let (https, http) = (proxy(&HTTPS)?, proxy(&HTTP)?);
    if https.is_none() && http.is_none() {
        return Ok(if cfg!(any(target_os = "macos", windows)) { from_system(builder) } else { builder });
    }
    let builder = [&https, &http].into_iter().flatten().fold(builder, loopback::pin);
    let exclusions = match first(&EXCLUSIONS) {
        Some((name, value)) => ProxyExclusions::parse(name, value.to_str().ok_or_else(|| Error::invalid_setting(name, NOT_UTF8))?),
        None => ProxyExclusions::default(),
    };
    Ok(builder.proxy(Proxy::custom(move |url| {
        let proxy = if url.scheme() == "https" { &https } else { &http };
        proxy.clone().filter(|_| !exclusions.excludes(url))
    })))
}

/// Uses the proxies of the system's settings, which need not exclude loopback hosts.
fn from_system(builder: ClientBuilder) -> ClientBuilder {
    let system = Matcher::from_system();
    builder.proxy(Proxy::custom(move |url| {
        let proxy = system.intercept(&url.as_str().parse().ok()?)?;
        Url::parse(&proxy.uri().to_string()).ok().filter(|_| !is_loopback(url))
    }))
}

/// Parses the URL of a proxy. A URL without a scheme means http.
fn parse_proxy_url(text: &str) -> Option<Url> {
    let text = text.trim();
    let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("http://{text}")) };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host() && Proxy::all(url.clone()).is_ok())
}

#[cfg(test)]
mod tests {
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
}
