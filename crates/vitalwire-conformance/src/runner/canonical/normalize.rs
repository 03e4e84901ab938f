//! The canonical form of numbers, alone and in values of any type.

use serde_json::{Number, Value};

/// Upper limit up to which every integer has its own double: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns a double as the shortest decimal that reads back the same. Integers have no decimal point; a gap in a series is null.
pub(super) fn normalize_number(double: f64) -> Value {
    if double.fract() == 0.0 && double.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and within 2^53")]
        return Value::from(double as i64);
    }
    if double.is_nan() {
        return Value::Null;
    }
    // Infinities, which JSON cannot represent, become texts.
    Number::from_f64(double).map_or_else(|| Value::from(double.to_string()), Value::Number)
}

/// Returns a value of any type with its numbers in canonical form.
pub(super) fn normalize(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().map_or(Value::Null, normalize_number),
        Value::Array(items) => items.iter().map(normalize).collect(),
        Value::Object(fields) => Value::Object(fields.iter().map(|(name, value)| (name.clone(), normalize(value))).collect()),
        other => other.clone(),
    }
}
