//! Settings of a client.

use super::rows::{APPS, Face, Has, Setting, Takes, WRAPPERS};

/// All settings, in the order in which they are passed and shown.
pub const SETTINGS: &[Setting] = &[
    Setting::new("base_url", Takes::Text, "Base URL of the {service} service").more("A path in it is kept.").of_service(),
    Setting::new("token", Takes::Secret, "Fixed access token for the {service} service")
        .more("It is never shown, and its memory is overwritten when the client is released.")
        .of_service(),
    Setting::new("token_provider", Takes::Provider, "Callback that supplies access tokens for the {service} service")
        .of_service()
        .elsewhere(&[
            (&[Face::Python], Has::ByHand("`token` may be a callable")),
            (APPS, Has::ByHand("given to the client beside its options")),
        ]),
    Setting::new("connect_timeout", Takes::Duration, "Maximum time to connect, including the TLS handshake").default("10 seconds"),
    Setting::new("attempt_timeout", Takes::Duration, "Maximum time for one attempt, from sending the request to the end of the response")
        .default("30 seconds, or 180 seconds for uploads"),
    Setting::new(
        "timeout",
        Takes::Duration,
        "Maximum time for a call, including all attempts, the delays between them and getting a token",
    )
    .default("60 seconds, or 240 seconds for uploads"),
    Setting::new("upload_attempt_timeout", Takes::Duration, "Maximum time for one attempt of an upload")
        .default("the attempt timeout if that is set, otherwise 180 seconds"),
    Setting::new("upload_timeout", Takes::Duration, "Maximum time for an upload, including all attempts")
        .default("the timeout if that is set, otherwise 240 seconds"),
    Setting::new("deadline_scale", Takes::Factor, "Multiplier for all default timeouts, including those of waits")
        .more("Use it on slow networks. Timeouts that are set explicitly are not scaled.")
        .default("1"),
    Setting::new("max_retries", Takes::Count, "Maximum number of retries of a call").more("0 disables retries.").default("2"),
    Setting::new("retry_policy", Takes::Policy, "Retry policy: replaces all retry settings at once")
        .elsewhere(&[(WRAPPERS, Has::Never("its parts are settings: `max_retries` and `retry_*`"))]),
    Setting::new("retry_base_delay", Takes::Duration, "Maximum backoff delay before the first retry, doubled for each further retry")
        .more("The actual delay is random between 0 and this maximum.")
        .default("250 milliseconds"),
    Setting::new("retry_max_delay", Takes::Duration, "Maximum backoff delay").default("8 seconds"),
    Setting::new("retry_after_cap", Takes::Duration, "Maximum `Retry-After` delay to wait for")
        .more("If the service asks for a longer delay, the call fails and the error has the delay.")
        .default("60 seconds"),
    Setting::new("retry_budget", Takes::Count, "Maximum number of retries of all calls together while no call succeeds")
        .more("Successful calls refill this budget.")
        .default("100"),
    Setting::new("retry_delay_scale", Takes::Factor, "Multiplier for all delays between attempts, for tests")
        .default("1")
        .hidden()
        .elsewhere(&[(&[Face::Python], Has::ByHand("`_with_retry_delay_scale`: keywords are for users"))]),
    Setting::new(
        "proxy",
        Takes::Proxy,
        "URL of a proxy for all requests (`http://` or `https://`, with a user and password if it requires them)",
    )
    .default("the proxy of the environment"),
    Setting::new("no_proxy", Takes::Switch, "Disables proxies, including those of the environment")
        .elsewhere(&[(&[Face::Python], Has::ByHand("`proxy=\"none\"`"))]),
    Setting::new("ca_certificate", Takes::Pem, "PEM certificates to trust in addition to the platform's"),
    Setting::new("ca_file", Takes::Path, "PEM file, or folder of PEM files, with certificates to trust in addition to the platform's")
        .more("It is read when the client is created. Certificates in it that cannot be trust anchors are skipped.")
        .elsewhere(&[(&[Face::Python], Has::ByHand("`ca_certificate` may be a path"))]),
    Setting::new("ca_environment", Takes::Flag, "Also trusts the certificates of the file or folder that `REQUESTS_CA_BUNDLE` names")
        .more("The same holds for `SSL_CERT_FILE` and `SSL_CERT_DIR` on systems that do not read these variables themselves.")
        .default("false")
        .elsewhere(&[(&[Face::Python], Has::ByHand("always true, as users of Python expect"))]),
    Setting::new("platform_trust", Takes::Pem, "PEM certificates to trust instead of the platform's own")
        .more("Use it if only the application's code can read the platform's trust store, as on Android.")
        .elsewhere(&[
            (APPS, Has::ByHand("in Kotlin a flag: the package asks the JVM or Android; in Swift the engine asks the platform itself")),
            (&[Face::Python, Face::C], Has::Never("the engine asks the platform itself")),
        ]),
    Setting::new("only_custom_certificates", Takes::Flag, "Trusts only your own certificates, not the platform's").default("false"),
    Setting::new("pinned_keys", Takes::Text, "Public keys to pin: a server's certificate must be trusted and have one of these keys").more(
        "Pins look like `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=` and are separated by `;`. Each is the base64 SHA-256 hash of \
             a key (its SubjectPublicKeyInfo). Include a backup key, and the keys of every service and https proxy.",
    ),
    Setting::new("user_agent", Takes::Text, "Text to append to the `User-Agent` header, such as `my-app/2.1`"),
    Setting::new("max_connections", Takes::Size, "Maximum number of attempts in flight, each on its own connection")
        .more("Further calls are queued. Time in the queue counts towards the timeout of the call, not of the attempt.")
        .default("64"),
    Setting::new("max_response_bytes", Takes::Bytes, "Maximum size of a response body after decompression, in bytes")
        .more("A larger body is a `too_large` error.")
        .default("64 MiB"),
    Setting::new("gzip", Takes::Flag, "Accepts compressed responses").default("true"),
    Setting::new("array_style", Takes::Style, "Encoding of lists in query strings").default("repeated keys"),
    Setting::new("local_checks", Takes::Flag, "Validates arguments before sending, and rejects those that the service is known to reject")
        .default("true"),
    Setting::new("strict_lists", Takes::Flag, "Fails with a decode error if a list item cannot be decoded")
        .more("Otherwise the item is left out and listed in the response's skipped items.")
        .default("false"),
    Setting::new("allow_plain_http", Takes::Flag, "Allows http URLs of any host")
        .more("Tokens and health data then travel unencrypted. Use it for emulators and closed test networks.")
        .default("false"),
    Setting::new("mock_responses", Takes::MockResponses, "Mock responses that answer every call from memory, for tests and previews")
        .more("No service is called, retries are not delayed, and base URLs and tokens that are not set get placeholders.")
        .elsewhere(&[
            (APPS, Has::ByHand("given to the client beside its options")),
            (&[Face::C], Has::ByHand("`vitalwire_client_builder_set_mock_responses`")),
        ]),
    Setting::new("on_attempt", Takes::Hook, "Callback to call after every attempt, on the task that runs the call")
        .more("The call continues when the callback returns, so it must return quickly.")
        .elsewhere(&[
            (APPS, Has::ByHand("given to the client beside its options")),
            (&[Face::C], Has::ByHand("`vitalwire_client_builder_set_on_attempt`")),
        ]),
];
