//! An interface for the unit tests of this crate.

use super::{EMPTY_INTERFACE, Interface, ServiceMeta};

/// Two services, like those of a generated client.
pub(crate) static INTERFACE: Interface = Interface {
    client: "tests",
    version: "0",
    variables: "TESTS_",
    services: &[
        ServiceMeta {
            name: "first",
            index: 0,
            base_url: "base_url",
            token: "token",
            no_base_url: "no base URL is set for the first service",
            path_prefix: "/v3",
            prefixed_base_url: "must not end in /v3",
            other_origin: "must have the same origin as TESTS_BASE_URL, because TESTS_TOKEN is sent only to that origin",
            no_token: "no token is set for the first service",
        },
        ServiceMeta {
            name: "second",
            index: 1,
            base_url: "second_base_url",
            token: "second_token",
            no_base_url: "no base URL is set for the second service",
            path_prefix: "/v3",
            prefixed_base_url: "must not end in /v3",
            other_origin: "must have the same origin as TESTS_SECOND_BASE_URL, because TESTS_SECOND_TOKEN is sent only to that origin",
            no_token: "no token is set for the second service",
        },
    ],
    ..EMPTY_INTERFACE
};
