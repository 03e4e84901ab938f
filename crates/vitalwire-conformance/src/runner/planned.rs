//! Values of settings and options in a plan. They are `None` if absent or of another type.

use std::time::Duration;

use serde_json::Value;
use vitalwire::client::ArrayStyle;

pub(super) fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

pub(super) fn url(value: Option<&Value>) -> Option<&str> {
    text(value)
}

pub(super) fn pem(value: Option<&Value>) -> Option<&[u8]> {
    text(value).map(str::as_bytes)
}

pub(super) fn flag(value: Option<&Value>) -> Option<bool> {
    value.and_then(Value::as_bool)
}

pub(super) fn bytes(value: Option<&Value>) -> Option<u64> {
    value.and_then(Value::as_u64)
}

pub(super) fn count(value: Option<&Value>) -> Option<u32> {
    bytes(value).and_then(|count| count.try_into().ok())
}

pub(super) fn size(value: Option<&Value>) -> Option<usize> {
    bytes(value).and_then(|count| count.try_into().ok())
}

pub(super) fn duration(value: Option<&Value>) -> Option<Duration> {
    bytes(value).map(Duration::from_millis)
}

/// Reads a multiplier. Numbers that JSON cannot represent are texts.
pub(super) fn factor(value: Option<&Value>) -> Option<f64> {
    value.and_then(|value| value.as_f64().or_else(|| value.as_str()?.parse().ok()))
}

pub(super) fn style(value: Option<&Value>) -> Option<ArrayStyle> {
    match text(value) {
        Some("comma") => Some(ArrayStyle::Comma),
        Some("repeated") => Some(ArrayStyle::Repeated),
        _ => None,
    }
}
