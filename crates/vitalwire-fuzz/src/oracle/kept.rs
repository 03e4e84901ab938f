//! Nothing of an answer is dropped, shifted, coerced or made up: what was read is written back as it came.

use serde_json::Value;
use vitalwire::value::Timestamp;

/// Holds what is written against what was read. What may differ: a null that counts as absent, a null that is an empty list, how a
/// number and an instant are written.
pub fn kept(read: &Value, written: &Value) {
    if let Err(place) = compare(read, written) {
        panic!("not kept as it came, at {place}");
    }
}

fn compare(read: &Value, written: &Value) -> Result<(), String> {
    let same = match (read, written) {
        (Value::Null, Value::Null) => true,
        (Value::Null, Value::Array(items)) => items.is_empty(),
        (Value::Bool(read), Value::Bool(written)) => read == written,
        (Value::Number(read), Value::Number(written)) => read == written || read.as_f64() == written.as_f64(),
        (Value::String(read), Value::String(written)) => read == written || same_instant(read, written),
        (Value::Array(read), Value::Array(written)) => {
            for (at, (read, written)) in read.iter().zip(written).enumerate() {
                compare(read, written).map_err(|place| format!("[{at}]{place}"))?;
            }
            read.len() == written.len()
        }
        (Value::Object(read), Value::Object(written)) => {
            for (name, read) in read {
                match written.get(name) {
                    Some(written) => compare(read, written).map_err(|place| format!(".{name}{place}"))?,
                    None if read.is_null() => {}
                    None => return Err(format!(".{name} (dropped)")),
                }
            }
            if let Some(name) = written.keys().find(|name| !read.contains_key(*name)) {
                return Err(format!(".{name} (made up)"));
            }
            true
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(String::new()) }
}

fn same_instant(read: &str, written: &str) -> bool {
    match (read.parse::<Timestamp>(), written.parse::<Timestamp>()) {
        (Ok(read), Ok(written)) => read == written,
        _ => false,
    }
}
