//! Proxies: a given one, none, or those of the environment.

use reqwest::{ClientBuilder, NoProxy, Proxy, Url};

use crate::error::Error;

/// Which proxy a client uses.
pub(crate) enum ProxyChoice {
    /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`; without them the system's settings, if any.
    Environment,
    Never,
    /// This one, for everything. It may hold a password and is never shown.
    Fixed(String),
}

/// Never sent through a proxy of the environment: plain http to this machine would carry the token there, readable.
const LOOPBACK: &str = "localhost,.localhost,127.0.0.0/8,::1";

pub(crate) fn apply(builder: ClientBuilder, choice: &ProxyChoice) -> Result<ClientBuilder, Error> {
    match choice {
        ProxyChoice::Never => Ok(builder.no_proxy()),
        ProxyChoice::Fixed(url) => {
            let proxy = checked(url).and_then(|url| Proxy::all(url).ok());
            Ok(builder.proxy(proxy.ok_or_else(|| Error::setting("proxy", "not the URL of an http or https proxy, its host in ASCII"))?))
        }
        ProxyChoice::Environment => from_environment(builder, |name| std::env::var(name).ok().filter(|value| !value.is_empty())),
    }
}

/// Reads the environment as curl does: small letters first, and `HTTP_PROXY` not where a web server could set it from a request.
fn from_environment(builder: ClientBuilder, variable: impl Fn(&str) -> Option<String>) -> Result<ClientBuilder, Error> {
    let cgi = variable("REQUEST_METHOD").is_some();
    let all = || variable("all_proxy").or_else(|| variable("ALL_PROXY"));
    let https = variable("https_proxy").or_else(|| variable("HTTPS_PROXY")).or_else(all);
    let http = variable("http_proxy").or_else(|| variable("HTTP_PROXY").filter(|_| !cgi)).or_else(all);
    if https.is_none() && http.is_none() {
        return Ok(builder);
    }
    let excepted = variable("no_proxy").or_else(|| variable("NO_PROXY")).unwrap_or_default();
    let excepted = NoProxy::from_string(&format!("{LOOPBACK},{excepted}"));
    let mut builder = builder;
    for (value, setting, make) in
        [(https, "HTTPS_PROXY", Proxy::https::<Url> as fn(Url) -> reqwest::Result<Proxy>), (http, "HTTP_PROXY", Proxy::http::<Url>)]
    {
        let Some(value) = value else { continue };
        let proxy = checked(&value).and_then(|url| make(url).ok());
        let proxy = proxy.ok_or_else(|| Error::setting(setting, "not the URL of an http or https proxy, its host in ASCII"))?;
        builder = builder.proxy(proxy.no_proxy(excepted.clone()));
    }
    Ok(builder)
}

/// A proxy's URL; without a scheme it is an http proxy.
fn checked(text: &str) -> Option<Url> {
    let text = text.trim();
    let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("http://{text}")) };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn what_is_no_proxy_is_refused_without_quoting_it() {
        for bad in ["", "socks5://CANARY:1080", "http://", "ftp://CANARY", "http://user:CANARY@:80"] {
            let error = apply(reqwest::Client::builder(), &ProxyChoice::Fixed(bad.to_owned())).expect_err(bad);
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert!(!format!("{error} {error:?}").contains("CANARY"));
        }
        let error = from_environment(reqwest::Client::builder(), |name| (name == "all_proxy").then(|| "socks5://CANARY".to_owned()))
            .expect_err("socks is not supported");
        assert_eq!(error.argument(), Some("HTTPS_PROXY"));
        assert!(checked("proxy.example.org:3128").is_some());
    }
}
