use super::*;

const SPECIFICATIONS: [&str; 2] =
    [include_str!("../../../../../../openapi/resolved/health.v3.yaml"), include_str!("../../../../../../openapi/resolved/care.v1.yaml")];

#[test]
fn a_value_has_one_replacement_in_paths_queries_bodies_and_texts() {
    const UUID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    let mut all = Replacements::default();
    assert_eq!(all.credential("secret-token"), "credential-1");
    assert_eq!(all.path("/v3/queries/sleeps/sleep%2F42-x", Some("/v3/queries/sleeps/{sleep_id}")), "/v3/queries/sleeps/id-2");
    assert_eq!(all.path("/v3/providers/polar/x", Some("/v3/providers/{provider_slug}/x")), "/v3/providers/polar/x");
    assert_eq!(all.path("/v3/new/a77", None), "/v3/new/id-3");
    let body = format!(
        r#"{{"sleep_id":"sleep/42-x","application_id":4711,"note":"of sleep/42-x, see {UUID}.","n":4711,"record_ids":["{UUID}"]}}"#
    );
    let expected = r#"{"sleep_id":"id-2","application_id":900004,"note":"of id-2, see 00000000-0000-4000-8000-000000000005.","n":4711,"record_ids":["00000000-0000-4000-8000-000000000005"]}"#;
    assert_eq!(all.json(&body), expected);
    assert_eq!(all.json(expected), expected, "what was replaced stays");
    assert_eq!(all.query("include_record_ids=true&state=s-1&note=secret-token"), "include_record_ids=true&state=id-6&note=credential-1");
    assert_eq!(all.replace_known("xsecret-token secret-token!"), "xsecret-token credential-1!");
}

#[test]
fn names_are_judged_by_their_words() {
    for name in [
        "patientId",
        "subscriberId",
        "externalID",
        "recordIDs",
        "insuranceIdentifier",
        "insurance_identifier",
        "referenceNumberAndName",
        "member_number",
        "serial_number",
        "mrn",
        "MRN",
        "sub",
        "ids",
        "email",
        "e.mail",
        "contactEmail",
        "phone",
        "homePhone2",
        "username",
        "USERID",
        "sessionid",
        "policynumber",
        "userName",
        "user_name",
        "member_no",
        "emailaddress",
        "patient-id",
        "account",
        "X-Request-Id",
        "uuid",
        "state",
        "instance",
    ] {
        assert!(value_kind(name) == Some(ValueKind::Id), "{name}");
    }
    for name in [
        "apiKey",
        "APIKey",
        "x-api-key",
        "apikey",
        "accessToken",
        "accesstoken",
        "session",
        "password",
        "Set-Cookie",
        "code",
        "authorization",
    ] {
        assert!(value_kind(name) == Some(ValueKind::Credential), "{name}");
    }
    for name in [
        "provider",
        "source",
        "loinc_code",
        "country_code",
        "source_bundle_identifier",
        "authorizationRequired",
        "authorizationObtainedVia",
        "token_type",
        "expires_in",
        "user_time_offset_minutes",
        "valid",
        "lipid",
        "paid",
        "status",
        "timezone",
        "sleep_score",
        "",
    ] {
        assert!(value_kind(name).is_none(), "{name}");
    }
}

#[test]
fn other_fields_of_the_interface_are_recorded() {
    let is_name = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let lines = SPECIFICATIONS.iter().flat_map(|text| text.lines()).map(|line| line.trim().trim_start_matches("- "));
    let names = lines.filter_map(|line| line.trim_start_matches("name: ").split(':').next()).filter(is_name);
    let sensitive: std::collections::BTreeSet<&str> = names.filter(|name| value_kind(name).is_some()).collect();
    // Two schemas and two words of the specification's language, and the sensitive names.
    let expected = "TokenRequest TokenResponse access_token application_id application_user_id bearerAuth clinic_id \
            compat_application_client_id compat_application_client_token email_address id include_record_ids instance insuranceIdentifier \
            lab_report_id nutrition_record_id operationId original_record_id patient_id phone_number policy_id provider_integration_id \
            provider_user_id record_id record_ids referenceNumberAndName signature sleep_id state tokens uid";
    assert_eq!(sensitive.into_iter().collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn values_in_lists_and_flat_objects_of_a_sensitive_field_are_replaced() {
    let mut all = Replacements::default();
    let body = r#"{"ids":["p-7",{"system":"s-1","value":8}],"identifier":{"value":"m-3"},"session":{"steps":12,"days":[{"steps":5}]},"source":{"n":"x"}}"#;
    // Not flat: `session` has a list of objects.
    let expected = r#"{"ids":["id-1",{"system":"id-2","value":900003}],"identifier":{"value":"id-4"},"session":{"steps":12,"days":[{"steps":5}]},"source":{"n":"x"}}"#;
    assert_eq!(all.json(body), expected);
}

#[test]
fn forms_and_urls_in_texts_lose_their_secrets() {
    let mut all = Replacements::default();
    assert!(is_form("username=jane&password=p%20w&steps=7") && !is_form("<id>4</id><a b=\"1\">") && !is_form("a = b") && !is_form("text"));
    assert_eq!(all.query("username=jane&pass%77ord=p%20w&steps=7"), "username=id-1&pass%77ord=credential-2&steps=7");
    assert_eq!(
        all.text("see https://jane:pw@h.example/x?a=1&access_token=abc#n, then (apiKey=k7)"),
        "see https://credential-3@h.example/x?a=1&access_token=credential-4#n, then (apiKey=credential-5)"
    );
    assert_eq!(all.json(r#"{"text":"{\"password\":\"k7\"}"}"#), r#"{"text":"{\"password\":\"credential-5\"}"}"#);
    assert_eq!(all.json(r#"{"link":"https://h/?patientId=p1&day=2"}"#), r#"{"link":"https://h/?patientId=id-6&day=2"}"#);
}

#[test]
fn values_of_headers_are_replaced_wherever_they_stand() {
    let mut all = Replacements::default();
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("x-api-key", "header-key-1"),
        ("cookie", "a=cookie-one; b=cookie-two"),
        ("set-cookie", "c=cookie-new; SameSite=Strict"),
        ("x-steps", "ordinary"),
    ] {
        headers.append(name, value.parse().expect("a header"));
    }
    all.headers(&headers);
    let expected = "credential-1 credential-2 credential-3 credential-4 ordinary Strict";
    assert_eq!(all.text("header-key-1 cookie-one cookie-two cookie-new ordinary Strict"), expected);
}

#[test]
fn tokens_and_uploads_are_replaced() {
    let mut all = Replacements::default();
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln";
    let body = format!(r#"{{"access_token":"{jwt}","path":"https://h/consent/abc","body":"{}","notes":"{jwt}"}}"#, "A".repeat(300));
    let written = all.json(&body);
    assert!(!written.contains("eyJ") && !written.contains("abc") && !written.contains("AAA"), "{written}");
}
