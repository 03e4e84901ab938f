//! Static description of an interface and its services, generated for each client.

/// An interface that a client is generated from.
#[derive(Debug)]
pub struct Interface {
    /// Name of the client in the `User-Agent` header.
    pub client: &'static str,
    /// Version of the client in the `User-Agent` header.
    pub version: &'static str,
    /// Prefix of the client's environment variables, such as `VITALWIRE_`.
    pub variables: &'static str,
    /// Services, each with its own base URL and token. At least one.
    pub services: &'static [ServiceMeta],
    /// All field names that the specifications declare, sorted. Paths in error texts contain no other names.
    pub field_names: &'static [&'static str],
    /// Fixed sentences of problem details. Any other `detail` may quote input and is never shown.
    pub details: &'static [&'static str],
}

/// A service of an interface.
#[derive(Debug)]
pub struct ServiceMeta {
    /// Name, such as `health`.
    pub name: &'static str,
    /// Index in [`Interface::services`].
    pub index: usize,
    /// Name of the setting of the base URL, such as `base_url`.
    pub base_url: &'static str,
    /// Name of the setting of the token, such as `token`.
    pub token: &'static str,
    /// Reason of the error for a call without a base URL.
    pub no_base_url: &'static str,
    /// Common prefix of all operation paths, such as `/v3`. A base URL must not end in it.
    pub path_prefix: &'static str,
    /// Reason of the error for a base URL that ends in the prefix.
    pub prefixed_base_url: &'static str,
    /// Error reason if the token of the environment belongs to another origin than the base URL.
    pub other_origin: &'static str,
    /// Reason of the error for a call without a token.
    pub no_token: &'static str,
}

/// Compares by identity.
impl PartialEq for ServiceMeta {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for ServiceMeta {}

/// An empty interface, for decoding JSON without a client.
pub const EMPTY_INTERFACE: Interface = Interface { client: "", version: "", variables: "", services: &[], field_names: &[], details: &[] };
