//! [`RedirectSettings`]: allowed redirect targets of the consent flow.

use url::{Host, Url};

use crate::outbound;

/// Default redirect target with the documented placeholders.
const DEFAULT_REDIRECT: &str =
    "https://app.example.com/integrated/{provider_slug}?user={application_user_id}&at_provider={provider_user_id}";

/// Domains that are allowed, subdomains included, in addition to this machine.
const DOMAINS: [&str; 3] = ["example.com", "example.org", "example.net"];

/// Schemes that belong to no application.
const OTHER_SCHEMES: [&str; 7] = ["blob", "data", "file", "ftp", "javascript", "ws", "wss"];

/// Redirect settings of an application: its allowed domains and its default target.
#[derive(Clone, Debug)]
pub(crate) struct RedirectSettings {
    default: String,
    domains: Vec<String>,
}

impl Default for RedirectSettings {
    fn default() -> Self {
        Self { default: DEFAULT_REDIRECT.to_owned(), domains: DOMAINS.map(str::to_owned).to_vec() }
    }
}

impl RedirectSettings {
    pub(crate) fn set_default(&mut self, template: String) {
        self.default = template;
    }

    pub(crate) fn allow_domain(&mut self, domain: &str) {
        self.domains.push(domain.trim_start_matches('.').to_ascii_lowercase());
    }

    /// Whether the default target is a valid URL.
    pub(crate) fn has_default(&self) -> bool {
        self.default_url("user", "oura", "account").is_some()
    }

    /// Returns the default target for a user. Values are escaped, so they cannot add a parameter or leave their path segment.
    pub(crate) fn default_url(&self, user: &str, slug: &str, at_provider: &str) -> Option<Url> {
        let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let text = self
            .default
            .replace("{application_user_id}", &encode(user))
            .replace("{provider_slug}", slug)
            .replace("{provider_user_id}", &encode(at_provider));
        Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    }

    /// Parses a caller's redirect target. Returns `None` unless its domain is allowed and its scheme is http, https or an application's.
    pub(crate) fn parse(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let host = url.host()?;
        let known = match &host {
            Host::Domain(name) => {
                self.domains.iter().any(|domain| name.strip_suffix(&**domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
            }
            _ => false,
        };
        let allowed = match url.scheme() {
            "http" | "https" => known || outbound::loopback_address(&host).is_some(),
            scheme => known && !OTHER_SCHEMES.contains(&scheme),
        };
        allowed.then_some(url)
    }
}

#[cfg(test)]
mod tests;
