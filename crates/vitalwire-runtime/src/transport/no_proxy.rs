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
mod tests;
