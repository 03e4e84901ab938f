//! Memory budget of large bodies that are built to use much more memory than their size.

use vitalwire::fuzzing::{decode, decode_list};
use vitalwire::models::{DailyStatistics, IntegratedProvider, NutritionRecord, SleepRecord};
use vitalwire_fuzz::allocations::measure_peak;

/// Minimum size of a body, in bytes.
const SIZE: usize = 2 << 20;

/// Maximum memory of a body. The core's budget is 32 MiB plus four times the size. While a list doubles its capacity, its old and new
/// buffers exist together, which takes three times the memory charged for its items.
const LIMIT: usize = 3 * ((32 << 20) + 4 * SIZE);

const START: &str = r#"{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","#;

/// Returns a body of `open`, distinct names with this value until `SIZE` is reached, and `close`.
fn names(open: &str, value: &str, close: &str) -> String {
    let mut body = open.to_owned();
    let mut at = 0;
    while body.len() < SIZE {
        body.push_str(&format!("\"{at:x}\":{value},"));
        at += 1;
    }
    body.push_str(&format!("\"\":{value}{close}"));
    body
}

fn items(open: &str, item: &str, close: &str) -> String {
    let mut body = format!("{open}{item}");
    while body.len() < SIZE {
        body.push(',');
        body.push_str(item);
    }
    body + close
}

/// Checks the peak memory. Success and failure are both allowed.
#[track_caller]
fn check_peak<T>(body: &str, read: impl Fn(&[u8]) -> T) {
    let (_, peak) = measure_peak(|| read(body.as_bytes()));
    assert!(peak <= LIMIT, "{} MiB of `{}..` took {} MiB", body.len() >> 20, &body[..90], peak >> 20);
}

#[test]
fn names_in_maps_stay_within_the_budget() {
    check_peak(&names(&format!("{START}\"metrics\":{{"), "1", "}}"), decode::<SleepRecord>);
    check_peak(&names(&format!("{START}\"metrics\":{{"), "{}", "}}"), decode::<SleepRecord>);
    check_peak(&names(&format!("{START}\"samples\":{{\"values\":{{"), "[]", "}}}"), decode::<SleepRecord>);
    check_peak(&names(&format!("{START}\"samples\":{{\"values\":{{"), "[1]", "}}}"), decode::<SleepRecord>);
}

#[test]
fn undeclared_names_stay_within_the_budget() {
    check_peak(&names(START, "1", "}"), decode::<SleepRecord>);
    check_peak(&names(START, "{}", "}"), decode::<SleepRecord>);
    check_peak(&names(&format!("{START}\"x\":{{"), "1", "}}"), decode::<SleepRecord>);
    check_peak(&names(&format!("{START}\"score\":{{"), "\"\"", "}}"), decode::<SleepRecord>);
}

#[test]
fn list_items_stay_within_the_budget() {
    check_peak(&items(&format!("{START}\"stages\":["), "{}", "]}"), decode::<SleepRecord>);
    check_peak(&items(&format!("{START}\"stages\":["), "{\"a\":1}", "]}"), decode::<SleepRecord>);
    check_peak(&items(&format!("{START}\"record_ids\":["), "\"\"", "]}"), decode::<SleepRecord>);
    check_peak(&items(&format!("{START}\"x\":["), "[]", "]}"), decode::<SleepRecord>);
    check_peak(&items(&format!("{START}\"x\":["), "{\"\":0}", "]}"), decode::<SleepRecord>);
    check_peak(&items("[", "{\"provider_slug\":\"\"}", "]"), decode_list::<IntegratedProvider>);
    check_peak(&items("{\"statistics\":[", "{\"values\":{\"steps\":1,\"a\":2}}", "]}"), decode::<DailyStatistics>);
    let record = r#"{"record_id":"","status":"","modified_at":"2025-01-01T00:00:00Z","ingredients":[{}],"a":0}"#;
    check_peak(&items("[", record, "]"), decode_list::<NutritionRecord>);
}
