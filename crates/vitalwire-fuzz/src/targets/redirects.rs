//! Target for the redirect of the consent flow.

use form_urlencoded::Serializer;
use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::{Error, ErrorKind};

use crate::oracle::text;

/// State with which the flow began. It does not occur in any corpus.
const STATE: &str = "k3Vt9-of-no-flow";

/// Reads any text as a redirect, and its lines as the parameters of one.
pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    check(text, &ConsentRedirect::parse);
    check_parameters(text, &ConsentRedirect::parse);
}

/// Parses a redirect.
pub type Parse<'a> = &'a dyn Fn(&str, Option<&str>) -> Result<ConsentRedirect, Error>;

/// Checks that a redirect of another flow is rejected, and that texts contain no input.
pub fn check(text: &str, parse: Parse<'_>) {
    let free = parse(text, None);
    match &free {
        Ok(redirect) => text::check_debug(redirect, text.len()),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Decode);
            text::check_error(error, text.len());
        }
    }
    let state = free.as_ref().ok().and_then(|redirect| redirect.state().map(str::to_owned));
    match parse(text, Some(STATE)) {
        Ok(redirect) => assert_eq!(redirect.state(), Some(STATE), "a redirect of another flow is accepted"),
        Err(error) => {
            assert!(state.as_deref() != Some(STATE), "the redirect of the flow is rejected");
            text::check_error(&error, text.len());
        }
    }
    if let Some(state) = state.filter(|state| !state.is_empty()) {
        assert!(parse(text, Some(&state)).is_ok_and(|redirect| free.as_ref().is_ok_and(|free| *free == redirect)));
        assert!(parse(text, Some(&format!("{state}x"))).is_err_and(|error| error.kind() == ErrorKind::Signature));
    }
    assert!(parse(text, Some("")).is_err_and(|error| error.kind() == ErrorKind::InvalidArgument));
}

/// Checks that parameters survive encoding, in whatever form the query arrives.
pub fn check_parameters(text: &str, parse: Parse<'_>) {
    let mut lines = text.lines().map(str::to_owned);
    let mut next = || lines.next().filter(|line| !line.contains(char::REPLACEMENT_CHARACTER));
    let (user, provider, failure, extra) = (next(), next(), next(), next());
    let mut query = Serializer::new(String::new());
    query.append_pair("state", STATE);
    for (name, value) in [("user_id", &user), ("provider_slug", &provider), ("error", &failure), ("mine", &extra)] {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    let query = query.finish();
    for form in [
        query.clone(),
        format!("?{query}"),
        format!("/back?{query}#part?state=other"),
        format!("https://app.example.org/back?{query}"),
        format!("org.example.app:/back?{query}#part"),
        format!(" {}\n", query.replace('+', "%20")),
    ] {
        let redirect = parse(&form, Some(STATE)).expect("a redirect of the flow");
        assert_eq!(redirect.user_id(), user.as_deref().filter(|text| !text.is_empty()));
        assert_eq!(redirect.provider_slug().map(AsRef::as_ref), provider.as_deref().filter(|text| !text.is_empty()));
        let failed = match redirect.outcome() {
            Outcome::Failed(failure) => Some(failure.text()),
            _ => None,
        };
        assert_eq!(failed, failure.as_deref());
        assert_eq!(redirect.extra().map(|(_, value)| value).collect::<Vec<_>>(), extra.as_deref().into_iter().collect::<Vec<_>>());
        text::check_debug(&redirect, form.len());
    }
}
