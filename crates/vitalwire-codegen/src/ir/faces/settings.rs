//! Settings of a client.

use super::{APPS, Face, Has, Takes, Told, WRAPPERS};

/// In the order in which they are given and shown.
pub const SETTINGS: &[Told] = &[
    Told::new("base_url", Takes::Text, "Base URL of the {service} service").more("A path in it is kept.").of_service(),
    Told::new("token", Takes::Secret, "Token of the {service} service, fixed")
        .more("It is never shown, and overwritten when the client is gone.")
        .of_service(),
    Told::new("token_provider", Takes::Provider, "Where the {service} service's tokens come from").of_service().elsewhere(&[
        (&[Face::Python], Has::ByHand("`token` may be a callable")),
        (APPS, Has::ByHand("given to the client beside its options")),
    ]),
    Told::new("connect_timeout", Takes::Duration, "How long making a connection may take, TLS included").default("10 s"),
    Told::new("attempt_timeout", Takes::Duration, "How long one attempt may take, from sending to the end of the answer")
        .default("30 s by default, 180 s for an upload"),
    Told::new("timeout", Takes::Duration, "How long a call may take in all: attempts, waits between them and getting a token")
        .default("60 s by default, 240 s for an upload"),
    Told::new("long_attempt_timeout", Takes::Duration, "How long one attempt of an upload may take, where that is not `attempt_timeout`"),
    Told::new("long_timeout", Takes::Duration, "How long an upload may take in all, where that is not `timeout`"),
    Told::new("deadline_scale", Takes::Factor, "What every default timeout is multiplied by, of waits too, where networks are slow")
        .more("What is given is not multiplied.")
        .default("1"),
    Told::new("max_retries", Takes::Count, "How often a failed attempt is tried again at most, where 0 is never").default("2"),
    Told::new("retry_policy", Takes::Policy, "The whole retry policy")
        .elsewhere(&[(WRAPPERS, Has::Never("its parts are settings: `max_retries` and `retry_*`"))]),
    Told::new("retry_base_delay", Takes::Duration, "Upper bound of the first wait before a retry, doubled at each further one")
        .more("The wait is drawn evenly from 0 to that bound.")
        .default("250 ms"),
    Told::new("retry_max_delay", Takes::Duration, "Largest such bound").default("8 s"),
    Told::new("retry_after_cap", Takes::Duration, "Longest wait that a service may ask for")
        .more("A longer one ends the call; the error has the wait.")
        .default("60 s"),
    Told::new("retry_budget", Takes::Count, "How many retries all calls of the client may make while nothing succeeds")
        .more("Successes fill it up again.")
        .default("100"),
    Told::new("retry_delay_scale", Takes::Factor, "Multiplies every wait between attempts")
        .more("For tests that cannot wait.")
        .default("1")
        .hidden()
        .elsewhere(&[(&[Face::Python], Has::ByHand("`_with_retry_delay_scale`: keywords are for users"))]),
    Told::new("proxy", Takes::Proxy, "URL of a proxy for everything (`http://` or `https://`, with a user and password if it wants them)")
        .default("that of the environment"),
    Told::new("no_proxy", Takes::Switch, "Uses no proxy, whatever the environment says")
        .elsewhere(&[(&[Face::Python], Has::ByHand("`proxy=\"none\"`"))]),
    Told::new("ca_certificate", Takes::Pem, "Trusts the certificates of this PEM text too, beside the platform's"),
    Told::new("ca_file", Takes::Path, "Trusts the certificates of a PEM file, or of the PEM files of a folder, too")
        .more("It is read when the client is made; certificates in it that nothing can be trusted by are passed over.")
        .elsewhere(&[(&[Face::Python], Has::ByHand("`ca_certificate` may be a path"))]),
    Told::new("ca_environment", Takes::Flag, "Whether the file or folder that `REQUESTS_CA_BUNDLE` names is trusted too")
        .more("So are those of `SSL_CERT_FILE` and `SSL_CERT_DIR` on systems that do not read these themselves.")
        .default("false")
        .elsewhere(&[(&[Face::Python], Has::ByHand("always true, as users of Python expect"))]),
    Told::new("platform_trust", Takes::Pem, "Trusts the certificates of this PEM text in place of the platform's own")
        .more("It has what the platform trusts, where only the application's code can ask it, as on Android.")
        .elsewhere(&[
            (APPS, Has::ByHand("in Kotlin a flag: the package asks the JVM or Android; in Swift the engine asks the platform itself")),
            (&[Face::Python, Face::C], Has::Never("the engine asks the platform itself")),
        ]),
    Told::new("only_given_certificates", Takes::Flag, "Trusts the given certificates and no others").default("false"),
    Told::new("pinned_keys", Takes::Text, "Accepts servers whose certificate, trusted as ever, has one of these keys, and no others").more(
        "It is pins such as `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=` with `;` between them, each the SHA-256 of a key (its \
             SubjectPublicKeyInfo) in base64. Give a key in reserve too, and those of every service and https proxy.",
    ),
    Told::new("user_agent", Takes::Text, "Text after this library's own name in the `User-Agent` header, such as `my-app/2.1`"),
    Told::new("max_connections", Takes::Size, "How many attempts may be on their way at once, each on a connection of its own")
        .more("Further calls are queued, outside of the attempt's deadline and inside of the total one.")
        .default("64"),
    Told::new("max_response_bytes", Takes::Bytes, "Largest body of an answer, inflated, in bytes")
        .more("A larger one is a `too_large` error.")
        .default("64 MiB"),
    Told::new("gzip", Takes::Flag, "Whether answers may come compressed").default("true"),
    Told::new("array_style", Takes::Style, "How lists travel in the query").default("repeated keys"),
    Told::new("local_checks", Takes::Flag, "Whether arguments that the service is known to refuse are refused before sending")
        .default("true"),
    Told::new("strict_lists", Takes::Flag, "Whether a list item that cannot be decoded is a decode error instead of being left out")
        .more("What is left out is listed in the response's skipped items.")
        .default("false"),
    Told::new("allow_plain_http", Takes::Flag, "Allows plain http to any host")
        .more("Tokens and health data then travel readable: for emulators and closed test networks.")
        .default("false"),
    Told::new(
        "mock_responses",
        Takes::MockResponses,
        "Mock responses that answer every call from memory, for tests and previews; no service is called",
    )
    .more("What is not set of base URLs and tokens is made up.")
    .elsewhere(&[
        (APPS, Has::ByHand("given to the client beside its options")),
        (&[Face::C], Has::ByHand("`vitalwire_client_builder_set_mock_responses`")),
    ]),
    Told::new("on_attempt", Takes::Hook, "What is told of every attempt, on the task that makes the call: keep it short")
        .more("The call goes on when it returns.")
        .elsewhere(&[
            (APPS, Has::ByHand("given to the client beside its options")),
            (&[Face::C], Has::ByHand("`vitalwire_client_builder_set_on_attempt`")),
        ]),
];
