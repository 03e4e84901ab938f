//! Returns from the consent flow.

use serde_json::{Map, Value};
use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::value::OpenSet;

use super::calls::{CallOutcome, CanonicalResponse};
use crate::case::Redirect;

/// Parses a return: `{"user_id"?, "provider_slug"?, "state"?, "error"?}` and its other parameters, all as texts. A repeated parameter is
/// a list of texts.
///
/// # Errors
/// The client's error.
pub fn redirect(case: &Redirect) -> CallOutcome {
    let redirect = ConsentRedirect::parse(&case.url, case.expected_state.as_deref())?;
    let failure = match redirect.outcome() {
        Outcome::Failed(failure) => Some(failure.text()),
        _ => None,
    };
    let known = [
        ("user_id", redirect.user_id()),
        ("provider_slug", redirect.provider_slug().map(OpenSet::as_str)),
        ("state", redirect.state()),
        ("error", failure),
    ];
    let mut object = Map::new();
    for (name, value) in known.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(redirect.extra()) {
        let text = Value::from(value);
        match object.get_mut(name) {
            None => {
                object.insert(name.to_owned(), text);
            }
            Some(Value::Array(values)) => values.push(text),
            Some(one) => *one = Value::Array(vec![one.take(), text]),
        }
    }
    Ok(CanonicalResponse { value: Value::Object(object), ..CanonicalResponse::default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(url: &str, expected_state: Option<&str>) -> Value {
        let case = Redirect { url: url.to_owned(), expected_state: expected_state.map(str::to_owned) };
        redirect(&case).map_or_else(|failure| failure.canonical(), |response| response.value)
    }

    #[test]
    fn parameters_have_their_names() {
        assert_eq!(
            read("https://app.example.org/done?user_id=u%201&provider_slug=new-one&state=s&tab=a&tab=b&tab=c&lang=de", Some("s")),
            json!({"user_id": "u 1", "provider_slug": "new-one", "state": "s", "tab": ["a", "b", "c"], "lang": "de"})
        );
        assert_eq!(read("?user_id=u&error=", None), json!({"user_id": "u", "error": ""}));
    }

    #[test]
    fn a_wrong_state_is_an_error() {
        assert_eq!(read("?state=other", Some("s")), json!({"error": "signature", "code": 1502, "attempts": 0, "is_transient": false}));
    }
}
