//! Generation of JSON from a schema: mostly valid, sometimes not.

use fastrand::Rng;
use serde_json::{Map, Value};

use crate::json::Node;
use crate::openapi::OPENAPI;

/// Maximum nesting of generated values. Values in the specifications are nested less than 8 deep.
const MAX_DEPTH: usize = 10;

/// Numbers at the limits of integers, doubles and number parsers.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "72",
    "72.0",
    "72.5",
    "-1",
    "1e2",
    "1E-7",
    "0.1",
    "9007199254740991",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "1e308",
    "1e309",
    "5e-324",
    "123456789012345678901234567890",
    "1.7976931348623157e308",
];

/// Texts that almost have another type or meaning.
const TEXTS: [&str; 22] = [
    "",
    " ",
    "null",
    "72",
    "true",
    "2025-01-31",
    "2025-02-29",
    "2024-02-29",
    "0000-01-01",
    "9999-12-31",
    "2025-01-31T06:30:00",
    "2025-01-31T06:30:00Z",
    "2025-01-31T06:30:00.123456789+02:00",
    "2025-01-31 06:30:00-14:00",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "2016-12-31T23:59:60Z",
    "6f1c9a52-0000-4000-8000-000000000000",
    "person@example.org",
    "\u{0}\u{1f}\"\\/",
    "\u{e9}\u{1f600}\u{fffd}",
    "a text that is longer than what is kept inline",
];

fn pick<'a, T: ?Sized>(rng: &mut Rng, items: &[&'a T]) -> &'a T {
    items[rng.usize(..items.len())]
}

/// Generates a number as text.
pub fn number(rng: &mut Rng) -> Node {
    Node::Literal(match rng.u8(..4) {
        0 => pick(rng, &NUMBERS).to_owned(),
        1 => rng.u16(..).to_string(),
        // Seventeen digits: the most that a double needs, where parsers are often off by one.
        2 => Value::from(f64::from_bits(rng.u64(..))).to_string(),
        _ => Value::from(rng.f64() * 1000.0).to_string(),
    })
}

/// Generates a text.
pub fn text(rng: &mut Rng) -> Node {
    Node::Text(match rng.u8(..4) {
        0 => (0..rng.usize(..40)).map(|_| rng.char(..)).collect(),
        1 => name(rng),
        _ => pick(rng, &TEXTS).to_owned(),
    })
}

/// Returns a declared name in most cases.
pub fn name(rng: &mut Rng) -> String {
    let known = OPENAPI.names.iter().nth(rng.usize(..OPENAPI.names.len().max(1)));
    match (rng.u8(..5), known) {
        (1.., Some(name)) => name.clone(),
        (_, Some(name)) => format!("{name}_{}", rng.alphanumeric()),
        (_, None) => String::new(),
    }
}

/// Generates a value without regard to any schema.
pub fn arbitrary(rng: &mut Rng, depth: usize) -> Node {
    match rng.u8(..if depth < MAX_DEPTH { 8 } else { 6 }) {
        0 => Node::Literal("null".to_owned()),
        1 => Node::Literal(rng.bool().to_string()),
        2 | 3 => number(rng),
        4 | 5 => text(rng),
        6 => Node::List((0..rng.usize(..3)).map(|_| arbitrary(rng, depth + 1)).collect()),
        _ => Node::Object((0..rng.usize(..3)).map(|_| (name(rng), arbitrary(rng, depth + 1))).collect()),
    }
}

/// Generates a value for a field with this name.
pub fn field(rng: &mut Rng, name: &str, depth: usize) -> Node {
    let schemas = OPENAPI.schemas_of_field(name);
    if schemas.is_empty() {
        return arbitrary(rng, depth);
    }
    let at = rng.usize(..schemas.len());
    value(rng, &schemas[at], depth)
}

/// Generates a value for a schema. One in sixteen values has any type, and one is null.
pub fn value(rng: &mut Rng, schema: &Value, depth: usize) -> Node {
    match rng.u8(..16) {
        0 => Node::Literal("null".to_owned()),
        1 => arbitrary(rng, depth),
        _ => valid(rng, schema, depth),
    }
}

/// Generates a value for a schema, or of any type without one.
pub fn valid_or_arbitrary(rng: &mut Rng, schema: Option<&Value>, depth: usize) -> Node {
    match schema {
        Some(schema) => valid(rng, schema, depth),
        None => arbitrary(rng, depth),
    }
}

/// Generates a value of the schema's own type.
pub fn valid(rng: &mut Rng, schema: &Value, depth: usize) -> Node {
    let schema = OPENAPI.resolve(schema);
    if depth > MAX_DEPTH {
        return Node::Literal("null".to_owned());
    }
    let word = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    match word("type") {
        "object" => Node::Object(fields(rng, schema, depth)),
        "array" => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            Node::List(
                (0..rng.usize(..4)).map(|_| if rng.u8(..12) == 0 { arbitrary(rng, depth) } else { valid(rng, items, depth + 1) }).collect(),
            )
        }
        "integer" => Node::Literal(if rng.bool() { rng.i32(..).to_string() } else { rng.u8(..).to_string() }),
        "number" => number(rng),
        "boolean" => Node::Literal(rng.bool().to_string()),
        "string" => match (word("format"), schema.get("enum").and_then(Value::as_array)) {
            ("date", _) => Node::Text(date(rng)),
            ("date-time", _) => Node::Text(date_time(rng)),
            (_, Some(values)) if !values.is_empty() && rng.u8(..4) > 0 => Node::from(&values[rng.usize(..values.len())]),
            _ => text(rng),
        },
        _ => arbitrary(rng, depth),
    }
}

/// Generates the required fields in nearly all cases, optional ones in half, and occasionally an undeclared or duplicate one.
fn fields(rng: &mut Rng, schema: &Value, depth: usize) -> Vec<(String, Node)> {
    let required: Vec<&str> = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut fields = Vec::new();
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    // A wide object would dominate the output.
    let is_wide = properties.len() > 30;
    for (name, property) in properties {
        if required.contains(&name.as_str()) {
            if rng.u8(..40) > 0 {
                fields.push((name.clone(), valid(rng, property, depth + 1)));
            }
        } else if if is_wide { rng.u8(..12) == 0 } else { rng.bool() } {
            fields.push((name.clone(), value(rng, property, depth + 1)));
        }
    }
    if let Some(property) = schema.get("additionalProperties").filter(|property| property.is_object()) {
        fields.extend((0..rng.usize(..4)).map(|_| (name(rng), value(rng, property, depth + 1))));
    }
    if rng.u8(..6) == 0 {
        fields.push((name(rng), arbitrary(rng, depth + 1)));
    }
    if let Some((name, _)) = fields.first().filter(|_| rng.u8(..10) == 0).cloned() {
        fields.push((name.clone(), field(rng, &name, depth + 1)));
    }
    rng.shuffle(&mut fields);
    fields
}

/// Generates a date that is valid or nearly so.
pub fn date(rng: &mut Rng) -> String {
    format!("{:04}-{:02}-{:02}", pick(rng, &[&2025, &2024, &1, &9999, &1970, &1900, &0]), rng.u8(..14), rng.u8(..33))
}

/// Generates a date-time in one of many formats, valid or nearly so.
pub fn date_time(rng: &mut Rng) -> String {
    let offset = pick(rng, &["Z", "", "z", "+02:00", "-14:00", "+0530", "-00:00", "+23:59", "+25:00", "+02", "+02:00:30", "[UTC]"]);
    let fraction = match rng.u8(..4) {
        0 => format!(".{}", rng.u32(..)),
        1 => pick(rng, &[".5", ".123456789", ".000000001", ".", ",5", ".1234567890"]).to_owned(),
        _ => String::new(),
    };
    let separator = pick(rng, &["T", "T", "T", " ", "t"]);
    format!("{}{separator}{:02}:{:02}:{:02}{fraction}{offset}", date(rng), rng.u8(..26), rng.u8(..62), rng.u8(..62))
}
