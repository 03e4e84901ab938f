//! Oracle for lossless decoding: only list items may be skipped, and nothing may be moved, coerced or invented.

use serde_json::Value;
use vitalwire::value::Timestamp;

/// Compares the written value with the original. Permitted differences: a null that counts as absent or as an empty list, a skipped list
/// item, and the format of numbers and instants.
pub fn check_lossless(read: &Value, written: &Value) {
    if let Err(path) = compare(read, written) {
        panic!("not kept as received, at {path}");
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
            if read.len() == written.len() {
                for (at, (read, written)) in read.iter().zip(written).enumerate() {
                    compare(read, written).map_err(|path| format!("[{at}]{path}"))?;
                }
                return Ok(());
            }
            // A series loses no values. A list of another type may lose all numbers.
            if !written.is_empty() && read.iter().all(|item| item.is_number() || item.is_null()) {
                return Err(String::new());
            }
            // Items that cannot be decoded are skipped. The others keep their order.
            let mut rest = read.iter();
            for (at, written) in written.iter().enumerate() {
                if !rest.any(|read| compare(read, written).is_ok()) {
                    return Err(format!("[{at}]"));
                }
            }
            true
        }
        (Value::Object(read), Value::Object(written)) => {
            for (name, read) in read {
                match written.get(name) {
                    Some(written) => compare(read, written).map_err(|path| format!(".{name}{path}"))?,
                    None if read.is_null() => {}
                    None => return Err(format!(".{name} (dropped)")),
                }
            }
            if let Some(name) = written.keys().find(|name| !read.contains_key(*name)) {
                return Err(format!(".{name} (invented)"));
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
