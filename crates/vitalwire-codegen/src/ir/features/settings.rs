//! Settings of a client.

use super::setting::{Availability, Language, MOBILE, Setting, ValueType, WRAPPERS};

/// All settings, in the order in which they are passed and shown.
pub const SETTINGS: &[Setting] = &[
    Setting::new("base_url", ValueType::Text, "Base URL of the {service} service").details("A path in it is kept.").per_service(),
    Setting::new("token", ValueType::Secret, "Fixed access token for the {service} service")
        .details("It is never shown, and its memory is overwritten when the client is released.")
        .per_service(),
    Setting::new("token_provider", ValueType::Provider, "Callback that supplies access tokens for the {service} service")
        .per_service()
        .except(&[
            (&[Language::Python], Availability::HandWritten("`token` may be a callable")),
            (MOBILE, Availability::HandWritten("an argument of the client besides its options")),
        ]),
    Setting::new("connect_timeout", ValueType::Duration, "Maximum time to connect, including the TLS handshake").default("10 seconds"),
    Setting::new(
        "attempt_timeout",
        ValueType::Duration,
        "Maximum time for one attempt, from sending the request to the end of the response",
    )
        .default("30 seconds, or 180 seconds for uploads"),
    Setting::new(
        "timeout",
        ValueType::Duration,
        "Maximum time for a call, including all attempts, the delays between them and getting a token",
    )
    .default("60 seconds, or 240 seconds for uploads"),
    Setting::new("upload_attempt_timeout", ValueType::Duration, "Maximum time for one attempt of an upload")
        .default("the attempt timeout if that is set, otherwise 180 seconds"),
    Setting::new("upload_timeout", ValueType::Duration, "Maximum time for an upload, including all attempts")
        .default("the timeout if that is set, otherwise 240 seconds"),
    Setting::new("timeout_scale", ValueType::Factor, "Multiplier for all default timeouts, including those of waits")
        .details("Use it on slow networks. Timeouts that are set explicitly are not scaled.")
        .default("1"),
    Setting::new("max_retries", ValueType::Count, "Maximum number of retries of a call").details("0 disables retries.").default("2"),
    Setting::new("retry_policy", ValueType::Policy, "Retry policy: replaces all retry settings at once")
        .except(&[(WRAPPERS, Availability::Unsupported("its parts are settings: `max_retries` and `retry_*`"))]),
    Setting::new("retry_base_delay", ValueType::Duration, "Maximum backoff delay before the first retry, doubled for each further retry")
        .details("The actual delay is random between 0 and this maximum.")
        .default("250 milliseconds"),
    Setting::new("retry_max_delay", ValueType::Duration, "Maximum backoff delay").default("8 seconds"),
    Setting::new("retry_after_cap", ValueType::Duration, "Maximum `Retry-After` delay to wait for")
        .details("If the service asks for a longer delay, the call fails and the error has the delay.")
        .default("60 seconds"),
    Setting::new("retry_budget", ValueType::Count, "Maximum number of retries of all calls together while no call succeeds")
        .details("Successful calls refill this budget.")
        .default("100"),
    Setting::new("retry_delay_scale", ValueType::Factor, "Multiplier for all delays between attempts, for tests")
        .default("1")
        .hidden()
        .except(&[(&[Language::Python], Availability::HandWritten("`_with_retry_delay_scale`, because keywords are public"))]),
    Setting::new(
        "proxy",
        ValueType::Proxy,
        "URL of a proxy for all requests (`http://` or `https://`, with a user and password if it requires them)",
    )
    .details("Loopback hosts are contacted directly, unless the proxy is on loopback, too.")
    .default("the proxy of the environment"),
    Setting::new("no_proxy", ValueType::Switch, "Disables proxies, including those of the environment")
        .except(&[(&[Language::Python], Availability::HandWritten("`proxy=\"none\"`"))]),
    Setting::new("ca_certificate", ValueType::Pem, "PEM certificates to trust in addition to the platform's"),
    Setting::new("ca_file", ValueType::Path, "PEM file, or folder of PEM files, with certificates to trust in addition to the platform's")
        .details("It is read when the client is created. Certificates in it that cannot be trust anchors are skipped.")
        .except(&[(&[Language::Python], Availability::HandWritten("`ca_certificate` may be a path"))]),
    Setting::new("ca_environment", ValueType::Flag, "Also trusts the certificates of the file or folder that `REQUESTS_CA_BUNDLE` names")
        .details("The same holds for `SSL_CERT_FILE` and `SSL_CERT_DIR` on systems that do not read these variables themselves.")
        .default("false")
        .except(&[(&[Language::Python], Availability::HandWritten("always true, as is usual in Python"))]),
    Setting::new("platform_trust", ValueType::Pem, "PEM certificates to trust instead of the platform's own")
        .details("Use it if only the application's code can read the platform's trust store, as on Android.")
        .except(&[
            (MOBILE, Availability::HandWritten("a flag in Kotlin, where the package reads the trust store; the engine does so in Swift")),
            (&[Language::Python, Language::C], Availability::Unsupported("the engine reads the platform's trust store itself")),
        ]),
    Setting::new("only_custom_certificates", ValueType::Flag, "Trusts only your own certificates, not the platform's").default("false"),
    Setting::new(
        "pinned_keys",
        ValueType::Text,
        "Public keys to pin: a server's certificate must be trusted and have one of these keys",
    ).details(
        "Pins look like `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=` and are separated by `;`. Each is the base64 SHA-256 hash of \
             a key (its SubjectPublicKeyInfo). Include a backup key, and the keys of every service and https proxy.",
    ),
    Setting::new(
        "client_certificate",
        ValueType::Pem,
        "PEM client certificate, for services that require one: the certificate, its chain and its private key",
    )
    .details(
        "The key must not be encrypted. It is never shown. A proxy with an https URL can request the certificate, too.",
    )
    .secret(),
    Setting::new(
        "client_certificate_file",
        ValueType::Path,
        "PEM file with a client certificate, its chain and its private key, instead of their text",
    )
    .details("It is read when the client is created. Make it readable only by its owner.")
    .secret()
    .except(&[(&[Language::Python], Availability::HandWritten("`client_certificate` may be a path"))]),
    Setting::new("user_agent", ValueType::Text, "Text to append to the `User-Agent` header, such as `my-app/2.1`"),
    Setting::new("max_connections", ValueType::Size, "Maximum number of attempts in flight, each on its own connection")
        .details("Further calls are queued. Time in the queue counts towards the timeout of the call, not of the attempt.")
        .default("64"),
    Setting::new("max_response_bytes", ValueType::Bytes, "Maximum size of a response body after decompression, in bytes")
        .details("A larger body is a `too_large` error.")
        .default("64 MiB"),
    Setting::new("accept_gzip", ValueType::Flag, "Accepts compressed responses").default("true"),
    Setting::new("array_style", ValueType::Style, "Encoding of lists in query strings").default("repeated keys"),
    Setting::new(
        "client_side_validation",
        ValueType::Flag,
        "Validates arguments before sending, and rejects those that the service is known to reject",
    )
        .default("true"),
    Setting::new("strict_lists", ValueType::Flag, "Fails with a decode error if a list item cannot be decoded")
        .details("Otherwise the item is left out and listed in the response's skipped items.")
        .default("false"),
    Setting::new("allow_plain_http", ValueType::Flag, "Allows http URLs of any host")
        .details("Tokens and health data then travel unencrypted. Use it for emulators and closed test networks.")
        .default("false"),
    Setting::new("mock_responses", ValueType::MockResponses, "Mock responses that answer every call from memory, for tests and previews")
        .details("No service is called, retries are not delayed, and base URLs and tokens that are not set get placeholders.")
        .except(&[
            (MOBILE, Availability::HandWritten("an argument of the client besides its options")),
            (&[Language::C], Availability::HandWritten("`vitalwire_client_builder_set_mock_responses`")),
        ]),
    Setting::new("on_attempt", ValueType::Hook, "Called after every attempt, on the task that runs the call")
        .details("The call continues when the callback returns, so it must return quickly.")
        .except(&[
            (MOBILE, Availability::HandWritten("an argument of the client besides its options")),
            (&[Language::C], Availability::HandWritten("`vitalwire_client_builder_set_on_attempt`")),
        ]),
];
