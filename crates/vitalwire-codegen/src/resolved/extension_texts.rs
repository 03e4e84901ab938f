//! Describes our extensions in words.

use serde_json::{Map, Value};

/// Returns a sentence for each extension of an object. Extensions that only concern our clients have none.
pub(super) fn sentences(members: &Map<String, Value>) -> Vec<String> {
    members.iter().filter_map(|(name, value)| sentence(name.strip_prefix("x-vitalwire-")?, value)).collect()
}

fn sentence(extension: &str, value: &Value) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    Some(match extension {
        "unit" => match vitalwire_spec::unit::in_words(text) {
            Some(words) => format!("Unit: {words} ({text})."),
            None => format!("Unit: {text}."),
        },
        "basis" => match text {
            "per_serving" => "The nutritional numbers of the response are for its serving size.".to_owned(),
            "per_100" => "The nutritional numbers of the response are documented as per 100 g or 100 ml.".to_owned(),
            _ => "The basis of the response's nutritional numbers is unknown.".to_owned(),
        },
        "open-set" => "The service may add values. Treat an unknown value as text.".to_owned(),
        "number-map" | "series-map" => "The service may add names.".to_owned(),
        "aliases" => aliases(value),
        "sensitivity" => "A secret, which must not be logged.".to_owned(),
        _ => return None,
    })
}

fn aliases(value: &Value) -> String {
    let texts = value.as_object().into_iter().flatten().map(|(name, others)| {
        let others: Vec<String> =
            others.as_array().into_iter().flatten().filter_map(Value::as_str).map(|text| format!("`{text}`")).collect();
        format!("`{name}` may also be spelled {}.", others.join(" or "))
    });
    texts.collect::<Vec<_>>().join(" ")
}
