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
mod tests;
