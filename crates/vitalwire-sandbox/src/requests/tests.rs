use super::*;

fn entry() -> LoggedRequest {
    LoggedRequest {
        number: 0,
        at: Timestamp::UNIX_EPOCH,
        method: Method::GET,
        operation: None,
        status: Some(200),
        attempt: 1,
        duration: Duration::from_nanos(1_234_567),
        bytes: 5,
        fault: None,
        closed_early: false,
        request_id: String::new(),
        path: None,
    }
}

#[test]
fn the_oldest_entries_are_removed_and_numbers_continue() {
    let requests = Requests::default();
    assert!(requests.after(0).is_empty());
    for _ in 0..MAX_REQUESTS + 5 {
        requests.push(entry());
    }
    let all = requests.after(0);
    assert_eq!((all.len(), all[0].number, requests.last()), (MAX_REQUESTS, 6, 1_005));
    let late: Vec<u64> = requests.after(1_003).iter().map(|entry| entry.number).collect();
    assert_eq!(late, [1_004, 1_005]);
    assert!(requests.after(u64::MAX).is_empty());
    let changed = requests.subscribe();
    requests.clear();
    assert!(changed.has_changed().unwrap() && requests.after(0).is_empty());
    requests.push(entry());
    assert_eq!((requests.last(), requests.after(0)[0].number), (1, 1));
}

#[test]
fn durations_are_milliseconds() {
    assert_eq!(entry().json()["duration_ms"], 1.235);
}
