//! Large bodies made to become a multiple of themselves: the budget of a body holds, whatever it is spent on.

use vitalwire::fuzzing::{decode, decode_list};
use vitalwire::models::{DailyStatistics, IntegratedProvider, NutritionRecord, SleepRecord};
use vitalwire_fuzz::allocations::peak;

/// Bytes of a body.
const SIZE: usize = 2 << 20;

/// What a body may become by the core's own rule: 32 MiB and four times its size. A list grows by doubling, and at that moment the
/// old half is beside the new whole: three times what its items were charged.
const LIMIT: usize = 3 * ((32 << 20) + 4 * SIZE);

const START: &str = r#"{"modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","#;

/// `open`, as many different names with this value as fit, `close`.
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

/// Either an answer or an error: the memory counts.
#[track_caller]
fn within<T>(body: &str, read: impl Fn(&[u8]) -> T) {
    let (_, peak) = peak(|| read(body.as_bytes()));
    assert!(peak <= LIMIT, "{} MiB of `{}..` took {} MiB", body.len() >> 20, &body[..90], peak >> 20);
}

#[test]
fn names_in_maps() {
    within(&names(&format!("{START}\"metrics\":{{"), "1", "}}"), decode::<SleepRecord>);
    within(&names(&format!("{START}\"metrics\":{{"), "{}", "}}"), decode::<SleepRecord>);
    within(&names(&format!("{START}\"samples\":{{\"values\":{{"), "[]", "}}}"), decode::<SleepRecord>);
    within(&names(&format!("{START}\"samples\":{{\"values\":{{"), "[1]", "}}}"), decode::<SleepRecord>);
}

#[test]
fn names_nobody_declared() {
    within(&names(START, "1", "}"), decode::<SleepRecord>);
    within(&names(START, "{}", "}"), decode::<SleepRecord>);
    within(&names(&format!("{START}\"x\":{{"), "1", "}}"), decode::<SleepRecord>);
    within(&names(&format!("{START}\"score\":{{"), "\"\"", "}}"), decode::<SleepRecord>);
}

#[test]
fn items_of_lists() {
    within(&items(&format!("{START}\"stages\":["), "{}", "]}"), decode::<SleepRecord>);
    within(&items(&format!("{START}\"stages\":["), "{\"a\":1}", "]}"), decode::<SleepRecord>);
    within(&items(&format!("{START}\"record_ids\":["), "\"\"", "]}"), decode::<SleepRecord>);
    within(&items(&format!("{START}\"x\":["), "[]", "]}"), decode::<SleepRecord>);
    within(&items(&format!("{START}\"x\":["), "{\"\":0}", "]}"), decode::<SleepRecord>);
    within(&items("[", "{\"provider_slug\":\"\"}", "]"), decode_list::<IntegratedProvider>);
    within(&items("{\"statistics\":[", "{\"values\":{\"steps\":1,\"a\":2}}", "]}"), decode::<DailyStatistics>);
    let record = r#"{"record_id":"","status":"","modified_at":"2025-01-01T00:00:00Z","ingredients":[{}],"a":0}"#;
    within(&items("[", record, "]"), decode_list::<NutritionRecord>);
}
