//! Nested structs of client settings.

use super::spelling;
use crate::ir::features::Setting;

/// A nested struct of client settings.
pub(super) struct Group {
    /// Property of `ClientOptions`.
    pub(super) property: &'static str,
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) redacted: bool,
    /// Names of settings in the core, each with its property in the group. Several settings can share a property.
    pub(super) members: &'static [(&'static str, &'static str)],
}

/// Settings of groups. All others are properties of `ClientOptions`, as they are of `CallOptions`.
pub(super) const GROUPS: &[Group] = &[
    Group {
        property: "timeouts",
        name: "Timeouts",
        about: "Timeouts of a client's calls.",
        redacted: false,
        members: &[
            ("connect_timeout", "connect"),
            ("attempt_timeout", "attempt"),
            ("timeout", "call"),
            ("upload_attempt_timeout", "uploadAttempt"),
            ("upload_timeout", "upload"),
            ("timeout_scale", "scale"),
        ],
    },
    Group {
        property: "retry",
        name: "Retry",
        about: "Retries of a client's calls.",
        redacted: false,
        members: &[
            ("max_retries", "maxRetries"),
            ("retry_base_delay", "baseDelay"),
            ("retry_max_delay", "maxDelay"),
            ("retry_after_cap", "retryAfterCap"),
            ("retry_budget", "budget"),
            ("retry_delay_scale", "delayScale"),
        ],
    },
    Group {
        property: "network",
        name: "Network",
        about: "Connections of a client: proxy, certificates, user agent, limits.",
        redacted: true,
        members: &[
            ("proxy", "proxy"),
            ("no_proxy", "proxy"),
            ("ca_certificate", "trust"),
            ("ca_file", "trust"),
            ("ca_environment", "trust"),
            ("only_custom_certificates", "trust"),
            ("pinned_keys", "pinnedKeys"),
            ("client_certificate", "clientCertificate"),
            ("client_certificate_file", "clientCertificate"),
            ("user_agent", "userAgent"),
            ("max_connections", "maxConnections"),
            ("accept_gzip", "acceptGzip"),
            ("allow_plain_http", "allowPlainHttp"),
        ],
    },
];

/// Returns the group of a client setting, and its property there.
pub(super) fn group_of(core: &str) -> Option<(&'static Group, &'static str)> {
    GROUPS.iter().find_map(|group| group.members.iter().find(|(name, _)| *name == core).map(|(_, property)| (group, *property)))
}

/// Returns the path of a client setting for the conformance runner. `None` for settings that are parts of a value.
pub(super) fn planned_property(row: &Setting) -> Option<String> {
    let Some((group, property)) = group_of(row.name) else { return (!row.per_service).then(|| spelling::name(row.name)) };
    let is_shared = group.members.iter().filter(|(_, other)| *other == property).count() > 1;
    (!is_shared).then(|| format!("{}.{property}", group.property))
}
