//! The plan for a runner: the client and call of each case, without the expected outcome.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::canonical::without_any_nulls;
use crate::case::{Call, Case, Service, Token, Webhook};

/// Multiplier for retry delays.
pub const RETRY_DELAY_SCALE: f64 = 0.01;

/// Addresses of the judge for a plan.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Base URL of the health service.
    pub health: String,
    /// Base URL of the care service.
    pub care: String,
    /// URL of the proxy, if the case has one.
    pub proxy: Option<String>,
    /// The authority's certificate, as PEM.
    pub ca: String,
}

/// Returns a case in the form that runners get. It has no null.
///
/// # Errors
///
/// If a webhook body cannot be read.
pub fn planned_case(
    case: &Case,
    addresses: &Addresses,
    fixtures: &std::path::Path,
    token: impl Fn(Service) -> &'static str,
) -> anyhow::Result<Value> {
    let client = &case.client;
    let base_url = |service: Service, start: &str, path: &str| (client.without != Some(service)).then(|| format!("{start}{path}"));
    Ok(without_any_nulls(json!({
        "id": case.id,
        "client": {
            "base_url": base_url(Service::Health, &addresses.health, &client.base_path),
            "care_base_url": base_url(Service::Care, &addresses.care, &client.care_base_path),
            "token": resolve_token(&client.token, token(Service::Health)),
            "care_token": resolve_token(&client.care_token, token(Service::Care)),
            "retry_delay_scale": RETRY_DELAY_SCALE,
            "array_style": client.array_style,
            "client_side_validation": client.client_side_validation,
            "strict_lists": client.strict_lists,
            "max_response_bytes": client.max_response_bytes,
            "max_connections": client.max_connections,
            "timeout_scale": client.timeout_scale,
            "accept_gzip": client.accept_gzip,
            "user_agent": client.user_agent,
            "ca": client.ca.then_some(&addresses.ca),
            "proxy": addresses.proxy,
            "on_attempt": case.expected_attempts.is_some().then_some(true),
        },
        "call": call(&case.call, fixtures)?,
    })))
}

/// Returns a call, with webhook bodies converted to base64.
fn call(call: &Call, fixtures: &std::path::Path) -> anyhow::Result<Value> {
    let mut value = serde_json::to_value(call)?;
    if let (Call::Webhook(Webhook { body, .. }), Some(slot)) = (call, value.pointer_mut("/webhook/body")) {
        use base64::Engine;
        *slot = json!({ "base64": base64::prelude::BASE64_STANDARD.encode(crate::bytes::body_bytes(body, fixtures)?) });
    }
    Ok(value)
}

fn resolve_token(token: &Token, default_token: &str) -> impl Serialize {
    match token {
        Token::Usual => Token::Text(default_token.to_owned()),
        other => other.clone(),
    }
}

/// Returns the plan as lines, for languages without JSON: `case` and the id, then pointer, type and value of each leaf, separated by tabs.
/// Types are `s` text, `n` number, `b` boolean, `z` null, `o` empty object and `a` empty array. Texts escape tab, line feed, carriage
/// return and backslash as `\t`, `\n`, `\r` and `\\`.
#[must_use]
pub fn to_lines(cases: &[Value]) -> String {
    let mut text = String::new();
    for case in cases {
        text.push_str(&format!("case\t{}\n", case["id"].as_str().unwrap_or_default()));
        for part in ["client", "call"] {
            write_leaves(&case[part], &mut format!("/{part}"), &mut text);
        }
    }
    text
}

fn write_leaves(value: &Value, pointer: &mut String, text: &mut String) {
    let length = pointer.len();
    let (kind, shown) = match value {
        Value::Object(members) if !members.is_empty() => {
            // Sorted, because the order of serde_json depends on a feature.
            for (name, value) in members.iter().collect::<BTreeMap<_, _>>() {
                pointer.push_str(&format!("/{}", escape(name)));
                write_leaves(value, pointer, text);
                pointer.truncate(length);
            }
            return;
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                pointer.push_str(&format!("/{index}"));
                write_leaves(value, pointer, text);
                pointer.truncate(length);
            }
            return;
        }
        Value::Object(_) => ('o', String::new()),
        Value::Array(_) => ('a', String::new()),
        Value::Null => ('z', String::new()),
        Value::Bool(value) => ('b', value.to_string()),
        Value::Number(number) => ('n', number.to_string()),
        Value::String(value) => ('s', escape(value)),
    };
    text.push_str(&format!("{pointer}\t{kind}\t{shown}\n"));
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_contain_every_leaf() {
        let case =
            json!({"id": "a.b.c", "client": {"ca": "one\ntwo\t\\"}, "call": {"operation": {"arguments": {"types": ["x", 2.5], "e": {}}}}});
        let expected = "case\ta.b.c\n/client/ca\ts\tone\\ntwo\\t\\\\\n/call/operation/arguments/e\to\t\n\
            /call/operation/arguments/types/0\ts\tx\n/call/operation/arguments/types/1\tn\t2.5\n";
        assert_eq!(to_lines(&[case]), expected);
    }
}
