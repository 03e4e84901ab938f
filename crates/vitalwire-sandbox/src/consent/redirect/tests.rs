use super::*;

#[test]
fn only_allowed_domains_are_accepted() {
    let mut redirects = RedirectSettings::default();
    redirects.allow_domain("App.test");
    for text in [
        "https://example.com/back",
        "https://app.example.org:8443/",
        "http://127.0.0.1:9/x",
        "http://[::1]/",
        "http://localhost/",
        "https://app.test/",
        "https://deep.app.test/",
        "nights://app.example.org/connected",
    ] {
        assert!(redirects.parse(text).is_some(), "{text}");
    }
    for text in [
        "https://notexample.com/",
        "https://example.com.evil.test/",
        "https://example.com@evil.test/",
        "https://evil.test/?example.com",
        "https://myapp.test/",
        "javascript:alert(1)",
        "javascript://example.com/%0aalert(1)",
        "ftp://example.com/",
        "nights://connected",
        "nights://localhost/connected",
        "http://10.0.0.1/",
        "/relative",
        "",
    ] {
        assert!(redirects.parse(text).is_none(), "{text}");
    }
}

#[test]
fn the_default_redirect_must_be_an_http_url() {
    let with = |template: &str| {
        let mut redirects = RedirectSettings::default();
        redirects.set_default(template.to_owned());
        redirects
    };
    assert!(RedirectSettings::default().has_default());
    assert!(with("http://localhost:3000/{provider_slug}").has_default());
    for bad in ["", "nowhere", "javascript:alert(1)", "https://"] {
        assert!(!with(bad).has_default(), "{bad}");
    }
    let url = with("https://app.test/{provider_user_id}/done").default_url("u", "oura", "../a?b=c#d").unwrap();
    assert_eq!(url.as_str(), "https://app.test/..%2Fa%3Fb%3Dc%23d/done");
}
