//! Describes our extensions in words.

use serde_json::{Map, Value};

/// Returns a sentence for each extension of an object. Extensions that only concern our clients have none.
pub(super) fn of(members: &Map<String, Value>) -> Vec<String> {
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
            "per_serving" => "The answer's nutritional numbers are for the given serving size.".to_owned(),
            "per_100" => "The answer's nutritional numbers are described as being per 100 g or 100 ml.".to_owned(),
            _ => "What the answer's nutritional numbers refer to is not known.".to_owned(),
        },
        "open-set" => "Further values may come: read an unknown one as its text.".to_owned(),
        "number-map" | "series-map" => "Further names may come.".to_owned(),
        "aliases" => aliases(value),
        "sensitivity" => "A secret: it belongs in no log.".to_owned(),
        _ => return None,
    })
}

fn aliases(value: &Value) -> String {
    let spelled = value.as_object().into_iter().flatten().map(|(name, others)| {
        let others: Vec<String> =
            others.as_array().into_iter().flatten().filter_map(Value::as_str).map(|text| format!("`{text}`")).collect();
        format!("`{name}` may also be spelled {}.", others.join(" or "))
    });
    spelled.collect::<Vec<_>>().join(" ")
}
