//! Hosts of this machine, which plain http may reach without a setting.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::{ClientBuilder, Url};
use url::Host;

/// Whether a URL's host is this machine: 127.0.0.0/8, `::1`, `localhost` and names under it (RFC 6761).
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Connects the names of this machine to it without asking the system, whose resolver may name another machine.
pub(crate) fn pin(builder: ClientBuilder, url: &Url) -> ClientBuilder {
    match url.host() {
        // Port 0 stands for the port of the URL.
        Some(Host::Domain(name)) if is_loopback(url) => {
            builder.resolve_to_addrs(name, &[SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))])
        }
        _ => builder,
    }
}
