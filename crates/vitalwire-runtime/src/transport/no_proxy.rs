//! Proxy exclusions from the environment: the entries of `NO_PROXY`.
//!
//! Not parsed by the HTTP library, which silently ignores `*.example.org` and `host:port`.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;
use reqwest::Url;
use url::Host;

use super::loopback::is_loopback;

/// The entries of `NO_PROXY`. Loopback hosts are always excluded: plain http would show the access token to the proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProxyExclusions(Vec<Exclusion>);

/// One entry. An entry without a port excludes all ports.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Exclusion {
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    All,
    /// A domain and all names below it, in lower case.
    Domain(String),
    Network(IpNet),
}

impl ProxyExclusions {
    /// Parses the value of the variable: entries separated by commas or white space. Invalid entries exclude nothing. They are reported
    /// by position, because their text may contain a password.
    pub(super) fn parse(variable: &'static str, value: &str) -> Self {
        let entries = value.split(|c: char| c == ',' || c.is_whitespace()).filter(|entry| !entry.is_empty());
        let parsed = entries.enumerate().filter_map(|(index, entry)| {
            let exclusion = Exclusion::parse(entry);
            if exclusion.is_none() {
                tracing::warn!(
                    variable,
                    position = index + 1,
                    "an entry of the proxy exclusions is ignored: write example.org, *.example.org, host:port, an IP address, a CIDR block or *"
                );
            }
            exclusion
        });
        Self(parsed.collect())
    }

    /// Whether requests to a URL bypass the proxy.
    pub(super) fn excludes(&self, url: &Url) -> bool {
        is_loopback(url) || self.0.iter().any(|exclusion| exclusion.matches(url))
    }
}

impl Exclusion {
    fn parse(entry: &str) -> Option<Self> {
        // An IPv6 address contains colons, so try it before splitting off a port.
        if let Some(network) = network(entry) {
            return Some(Self { hosts: Hosts::Network(network), port: None });
        }
        let (host, port) = match entry.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, Some(port.parse().ok()?)),
            Some(_) => return None,
            None => (entry, None),
        };
        let hosts = match host {
            "*" => Hosts::All,
            host => match address(host) {
                Some(address) => Hosts::Network(address.into()),
                None => Hosts::Domain(domain(host)?),
            },
        };
        Some(Self { hosts, port })
    }

    fn matches(&self, url: &Url) -> bool {
        if self.port.is_some_and(|port| url.port_or_known_default() != Some(port)) {
            return false;
        }
        match (&self.hosts, url.host()) {
            (Hosts::All, _) => true,
            (Hosts::Domain(domain), Some(Host::Domain(host))) => {
                let host = host.strip_suffix('.').unwrap_or(host).as_bytes();
                let start = host.len().checked_sub(domain.len());
                start.is_some_and(|start| host[start..].eq_ignore_ascii_case(domain.as_bytes()) && (start == 0 || host[start - 1] == b'.'))
            }
            (Hosts::Network(network), Some(Host::Ipv4(host))) => network.contains(&IpAddr::V4(host)),
            (Hosts::Network(network), Some(Host::Ipv6(host))) => network.contains(&host.to_canonical()),
            _ => false,
        }
    }
}

/// Parses an IP address or a CIDR block. IPv6 addresses may have brackets.
fn network(entry: &str) -> Option<IpNet> {
    match entry.split_once('/') {
        Some((host, length)) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            IpNet::new(plain_address(host)?, length.parse().ok()?).ok()
        }
        Some(_) => None,
        None => address(entry).map(IpNet::from),
    }
}

/// Parses an IP address. IPv4-mapped IPv6 addresses become IPv4.
fn address(host: &str) -> Option<IpAddr> {
    plain_address(host).map(|address| address.to_canonical())
}

fn plain_address(host: &str) -> Option<IpAddr> {
    match host.strip_prefix('[') {
        Some(bracketed) => bracketed.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => host.parse().ok(),
    }
}

/// Returns the domain of `example.org`, `.example.org` or `*.example.org`.
fn domain(host: &str) -> Option<String> {
    let name = host.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(host);
    let name = name.strip_prefix('.').unwrap_or(name);
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    // A host whose last label is numeric must be an IP address, and these are not: `10.1`, `192.168.`.
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    (name.split('.').all(is_label) && !name.rsplit('.').next().is_some_and(is_number)).then(|| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    fn excludes(entries: &str, url: &str) -> bool {
        ProxyExclusions::parse("NO_PROXY", entries).excludes(&Url::parse(url).expect(url))
    }

    #[test]
    fn every_form_excludes_its_hosts_and_no_others() {
        for (entries, excluded, proxied) in [
            (
                "example.org",
                &["https://example.org", "https://api.example.org", "https://API.Example.ORG.", "http://a.b.example.org:81"][..],
                &["https://notexample.org", "https://example.org.test", "https://org", "https://example.com"][..],
            ),
            (".example.org", &["https://example.org", "https://api.example.org"], &["https://notexample.org"]),
            ("*.example.org", &["https://example.org", "https://api.example.org", "https://a.b.example.org"], &["https://notexample.org"]),
            ("*.EXAMPLE.org.", &["https://api.example.org"], &["https://example.com"]),
            ("gate", &["http://gate", "http://a.gate"], &["http://gateway"]),
            ("my_host.test", &["https://my_host.test"], &["https://myhost.test"]),
            ("api.example.org:8443", &["https://api.example.org:8443", "https://v.api.example.org:8443"], &["https://api.example.org"]),
            ("*.example.org:443", &["https://api.example.org"], &["http://api.example.org", "https://api.example.org:444"]),
            ("example.org:80", &["http://example.org"], &["https://example.org"]),
            ("192.0.2.7", &["https://192.0.2.7", "http://192.0.2.7:81"], &["https://192.0.2.8"]),
            ("192.0.2.7:8443", &["https://192.0.2.7:8443"], &["https://192.0.2.7"]),
            ("192.0.2.0/24", &["https://192.0.2.7", "https://[::ffff:192.0.2.7]"], &["https://192.0.3.7", "https://[2001:db8::1]"]),
            ("10.1.2.3/8", &["https://10.200.0.1"], &["https://11.1.2.3"]),
            ("0.0.0.0/0", &["https://203.0.113.9"], &["https://[2001:db8::1]", "https://example.org"]),
            ("2001:db8::1", &["https://[2001:db8::1]", "https://[2001:db8:0:0::1]:81"], &["https://[2001:db8::2]"]),
            ("[2001:db8::1]", &["https://[2001:db8::1]"], &["https://[2001:db8::2]"]),
            ("[2001:db8::1]:8443", &["https://[2001:db8::1]:8443"], &["https://[2001:db8::1]"]),
            ("2001:db8::/32", &["https://[2001:db8:9::1]"], &["https://[2001:db9::1]", "https://192.0.2.7"]),
            ("[2001:db8::]/32", &["https://[2001:db8:9::1]"], &["https://[2001:db9::1]"]),
            ("::ffff:192.0.2.7", &["https://192.0.2.7"], &["https://192.0.2.8"]),
            ("*", &["https://example.org", "http://192.0.2.7", "https://[2001:db8::1]:81"], &[]),
            ("*:8443", &["https://example.org:8443"], &["https://example.org"]),
            ("a.test,b.test", &["https://a.test", "https://b.test"], &["https://c.test"]),
            (" a.test , \tb.test\n c.test ,, ", &["https://a.test", "https://b.test", "https://c.test"], &["https://d.test"]),
            ("http://a.test, b.test", &["https://b.test"], &["https://a.test"]),
            ("", &["http://localhost:1", "http://a.localhost", "http://127.8.9.1", "http://[::1]:9"], &["https://example.org"]),
        ] {
            for url in excluded {
                assert!(excludes(entries, url), "{entries:?} excludes {url}");
            }
            for url in proxied {
                assert!(!excludes(entries, url), "{entries:?} does not exclude {url}");
            }
        }
    }

    #[test]
    fn an_invalid_entry_is_reported_by_position_only() {
        let log = Log::default();
        let lines = log.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || lines.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            ProxyExclusions::parse("no_proxy", "good.test, http://user:CANARY@bad.test, 10.0.0.0/8, CANARY*");
        });
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert_eq!(log.matches("WARN").count(), 2, "{log}");
        assert!(log.contains(r#"variable="no_proxy" position=2"#) && log.contains("position=4"), "{log}");
        assert!(!log.contains("CANARY") && !log.contains("bad.test"), "{log}");
    }

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_invalid_entry_excludes_no_host() {
        for entry in [
            "https://example.org",
            "user:CANARY@example.org",
            "example.org:",
            "example.org:https",
            "example.org:65536",
            "*example.org",
            "api.*.org",
            "**",
            ".",
            "*.",
            "a..test",
            "10.*",
            "10.*.*.*",
            "192.168.",
            "10.1",
            "1.2.3.4.5",
            "192.0.2.0/33",
            "192.0.2.0/",
            "example.org/24",
            "2001:db8::/129",
            "[2001:db8::1",
            "2001:db8::1]",
            "fe80::1%eth0",
            "<local>",
            "bücher.example",
            "a/b",
            "-/8",
        ] {
            assert_eq!(Exclusion::parse(entry), None, "{entry}");
        }
    }
}
