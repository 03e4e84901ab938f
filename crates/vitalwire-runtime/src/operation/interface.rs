//! What an interface's services have of their own; the generator writes one of these for each client.

/// An interface that a client is generated from.
#[derive(Debug)]
pub struct Interface {
    /// Name of the client, for the `User-Agent` header.
    pub client: &'static str,
    /// Version of the client, for the `User-Agent` header.
    pub version: &'static str,
    /// What the names of the client's environment variables begin with, such as `VITALWIRE_`.
    pub variables: &'static str,
    /// Its services, each with a base URL and a token of its own; at least one.
    pub services: &'static [ServiceMeta],
    /// Every member name that the specifications declare, sorted: places in error texts are made of these alone.
    pub members: &'static [&'static str],
    /// The fixed sentences of problem details. Any other `detail` may quote the input and is never shown.
    pub details: &'static [&'static str],
}

/// One of an interface's services.
#[derive(Debug)]
pub struct ServiceMeta {
    /// Its name, such as `health`.
    pub name: &'static str,
    /// Its place in [`Interface::services`].
    pub index: usize,
    /// The name of the setting of its base URL, such as `base_url`.
    pub base_url: &'static str,
    /// The name of the setting of its token, such as `token`.
    pub token: &'static str,
    /// What is said where its base URL is not set.
    pub no_base_url: &'static str,
    /// Start of the path of every operation, such as `/v3`. A base URL must not end in it.
    pub path_prefix: &'static str,
    /// Reason of the error for a base URL that ends in the prefix.
    pub prefixed_base_url: &'static str,
    /// What is said where its token is not set.
    pub no_token: &'static str,
}

/// Two are the same where they are one and the same.
impl PartialEq for ServiceMeta {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for ServiceMeta {}

/// No interface: for reading JSON by the rules alone.
pub const NO_INTERFACE: Interface = Interface { client: "", version: "", variables: "", services: &[], members: &[], details: &[] };
