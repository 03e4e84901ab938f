use super::*;
use crate::error::ErrorKind;
use crate::operation::testing::INTERFACE;

fn builder_with(pairs: &[(&str, &str)]) -> Result<ClientBuilder, Error> {
    ClientBuilder::from_variables(&INTERFACE, |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
}

#[test]
fn each_variable_sets_its_setting() {
    let ca = std::env::temp_dir().join(format!("vitalwire-runtime-env-{}.pem", std::process::id()));
    std::fs::write(&ca, "pem").expect("a temporary file");
    let builder = builder_with(&[
        ("TESTS_BASE_URL", "http://192.0.2.1/a"),
        ("TESTS_SECOND_BASE_URL", "https://care.example.org"),
        ("TESTS_TOKEN", "t1"),
        ("TESTS_SECOND_TOKEN", "t2"),
        ("TESTS_PROXY", "http://192.0.2.9:3128"),
        ("TESTS_CA_FILE", ca.to_str().expect("text")),
        ("TESTS_CONNECT_TIMEOUT", "1.5"),
        ("TESTS_ATTEMPT_TIMEOUT", "7"),
        ("TESTS_TIMEOUT", "20"),
        ("TESTS_MAX_RETRIES", "5"),
        ("TESTS_MAX_RESPONSE_BYTES", "1000"),
        ("TESTS_USER_AGENT", "app/1"),
        ("TESTS_ARRAY_STYLE", "comma"),
        ("TESTS_CLIENT_SIDE_VALIDATION", "no"),
        ("TESTS_ALLOW_PLAIN_HTTP", "true"),
    ])
    .expect("all are valid");
    std::fs::remove_file(ca).expect("it exists");
    assert_eq!(builder.services[0].base_url.as_deref(), Some("http://192.0.2.1/a"));
    assert_eq!(builder.services[1].base_url.as_deref(), Some("https://care.example.org"));
    assert!(builder.services.iter().all(|service| service.token.is_some()));
    assert_eq!(builder.certificates, [b"pem".to_vec()]);
    let deadlines = builder.deadlines.or_defaults();
    assert_eq!(deadlines.connect, Duration::from_millis(1500));
    assert_eq!((deadlines.attempt, deadlines.long_attempt), (Duration::from_secs(7), Duration::from_secs(7)));
    assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), Duration::from_secs(20)));
    let upload = Duration::from_secs(9);
    let (before, after) = (
        builder_with(&[("TESTS_TIMEOUT", "20")]).expect("valid").upload_timeout(upload),
        ClientBuilder::new(&INTERFACE).upload_timeout(upload),
    );
    for builder in [before, after.timeout(Duration::from_secs(20))] {
        let deadlines = builder.deadlines.or_defaults();
        assert_eq!((deadlines.total, deadlines.long_total), (Duration::from_secs(20), upload), "in either order");
    }
    assert_eq!(builder.retry.max_retries, 5);
    assert_eq!(builder.max_response_bytes, 1000);
    assert_eq!(builder.user_agent.as_deref(), Some("app/1"));
    assert_eq!(builder.array_style, ArrayStyle::Comma);
    assert!(!builder.client_side_validation && builder.allow_plain_http);
    assert!(matches!(builder.proxy, crate::transport::proxy::ProxyChoice::Fixed(_)));
}

#[test]
fn the_error_of_an_invalid_value_names_its_variable_only() {
    for (name, value) in [
        ("TESTS_TIMEOUT", "soon"),
        ("TESTS_TIMEOUT", "-1"),
        ("TESTS_TIMEOUT", "0"),
        ("TESTS_TIMEOUT", "inf"),
        ("TESTS_TIMEOUT", "NaN"),
        ("TESTS_MAX_RETRIES", "-1"),
        ("TESTS_ARRAY_STYLE", "CANARY"),
        ("TESTS_ALLOW_PLAIN_HTTP", "CANARY"),
        ("TESTS_ONLY_CUSTOM_CERTIFICATES", "CANARY"),
        ("TESTS_CA_FILE", "/nowhere/CANARY.pem"),
        ("TESTS_CLIENT_CERTIFICATE_FILE", "/nowhere/CANARY.pem"),
    ] {
        let error = builder_with(&[(name, value)]).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert_eq!(error.argument(), Some(name));
        assert!(!error.to_string().contains("CANARY"));
    }
    assert!(builder_with(&[("TESTS_TIMEOUT", ""), ("TESTS_BASE_URL", "")]).expect("empty is unset").services[0].base_url.is_none());
}

#[test]
fn a_token_of_the_environment_is_only_for_the_origin_beside_it() {
    const HOME: &str = "https://a.example/gate";
    let service = &INTERFACE.services[1];
    let from = |url: &str| builder_with(&[("TESTS_SECOND_BASE_URL", url), ("TESTS_SECOND_TOKEN", "CANARY")]).expect("valid");
    for other in ["https://b.example", "https://a.example:444/gate", "http://127.0.0.1:1", "https://a.example.b.example/gate"] {
        let error = from(HOME).base_url(service, other).build().expect_err(other);
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("second_base_url")));
        assert_eq!(error.reason(), Some(service.other_origin));
        assert!(from(HOME).base_url(service, other).token(service, "own").build().is_ok());
        assert!(from("").base_url(service, other).build().is_ok(), "the token has no other home");
    }
    for same in ["https://a.example", "https://A.example:443/other/path", HOME] {
        assert!(from(HOME).base_url(service, same).build().is_ok(), "{same}");
    }
    assert!(builder_with(&[("TESTS_SECOND_BASE_URL", HOME)]).expect("valid").base_url(service, "https://b.example").build().is_ok());
}

#[cfg(unix)]
#[test]
fn a_value_that_is_not_utf8_is_a_path_or_an_error() {
    use std::os::unix::ffi::OsStringExt;
    let folder = std::env::temp_dir().join(format!("vitalwire-runtime-env-{}-not-utf8", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(OsString::from_vec(b"caf\xff.pem".to_vec()));
    std::fs::write(&path, "pem").expect("a file");
    let names: Vec<String> = ClientBuilder::variables(&INTERFACE).collect();
    assert!(names.iter().any(|name| name == "TESTS_CA_FILE") && names.len() > 15, "{names:?}");
    for name in names {
        let built = ClientBuilder::from_variables(&INTERFACE, |asked| (asked == name).then(|| path.clone().into_os_string()));
        if name == "TESTS_CA_FILE" {
            assert_eq!(built.expect("a path").certificates, [b"pem".to_vec()]);
        } else if name == "TESTS_CLIENT_CERTIFICATE_FILE" {
            assert!(built.expect("a path").client_certificate.is_some());
        } else {
            let error = built.expect_err(&name);
            assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some(name.as_str())));
            assert!(!error.to_string().contains("caf"), "{error}");
        }
    }
    std::fs::remove_dir_all(folder).expect("it exists");
}
