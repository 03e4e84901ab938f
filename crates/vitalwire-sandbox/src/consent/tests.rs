use super::*;

fn consent() -> Consent {
    Consent {
        user_id: "u.1".to_owned(),
        name: "Alva Sample".to_owned(),
        slug: "oura".to_owned(),
        redirect_uri: Some("https://example.com/back?keep=1#end".to_owned()),
        state: Some("a&b=\"<c>".to_owned()),
        provider_user_id: None,
        expires_at: Timestamp::UNIX_EPOCH,
    }
}

fn redirect(consent: &Consent, choice: ConsentChoice) -> String {
    consent.redirect_url(&RedirectSettings::default(), choice).unwrap().into()
}

#[test]
fn the_redirect_url_keeps_its_query_and_fragment() {
    let consent = consent();
    let common = "https://example.com/back?keep=1&user_id=u.1&provider_slug=oura&state=a%26b%3D%22%3Cc%3E";
    assert_eq!(redirect(&consent, ConsentChoice::Allow), format!("{common}#end"));
    assert_eq!(redirect(&consent, ConsentChoice::Refuse), format!("{common}&error=access+denied#end"));
    assert_eq!(redirect(&consent, ConsentChoice::Fail), format!("{common}&error=provider+unavailable#end"));
    let plain = Consent { state: None, ..consent };
    assert_eq!(redirect(&plain, ConsentChoice::Allow), "https://example.com/back?keep=1&user_id=u.1&provider_slug=oura#end");
}

#[test]
fn the_default_redirect_fills_its_placeholders() {
    let consent = Consent { redirect_uri: None, state: None, provider_user_id: Some("a&b@example.com".to_owned()), ..consent() };
    assert_eq!(
        redirect(&consent, ConsentChoice::Allow),
        "https://app.example.com/integrated/oura?user=u.1&at_provider=a%26b%40example.com&user_id=u.1&provider_slug=oura"
    );
    let unknown = Consent { provider_user_id: None, ..consent };
    assert!(redirect(&unknown, ConsentChoice::Refuse).contains("&at_provider=&user_id="));
    let account = redirect(&unknown, ConsentChoice::Allow);
    let account = account.split_once("at_provider=").unwrap().1.split_once('&').unwrap().0;
    assert!(account.parse::<uuid::Uuid>().is_ok(), "{account}");
}

#[test]
fn choices_round_trip_through_their_names() {
    for choice in [ConsentChoice::Allow, ConsentChoice::Refuse, ConsentChoice::Fail] {
        assert_eq!(ConsentChoice::from_name(choice.name()), Some(choice));
    }
    assert_eq!(ConsentChoice::from_name("ALLOW"), None);
}
