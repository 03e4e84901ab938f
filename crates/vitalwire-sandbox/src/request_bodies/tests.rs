use futures_util::stream;

use super::*;

const TIMEOUT: Duration = Duration::from_millis(300);

fn sized_body(length: usize) -> Body {
    Body::from(vec![7; length])
}

/// Creates a body without a declared length.
fn chunked_body(pieces: usize, length: usize) -> Body {
    Body::from_stream(stream::iter((0..pieces).map(move |_| Ok::<_, std::io::Error>(vec![7; length]))))
}

#[tokio::test]
async fn a_body_holds_its_budget_until_its_last_copy_is_dropped() {
    let bodies = BodyBudget::default();
    let free = || bodies.0.available_permits();
    let first = bodies.read(sized_body(MAX_BODY_BYTES), TIMEOUT).await.unwrap();
    let copy = first.slice(5..10);
    assert_eq!((first.len(), MAX_TOTAL_BYTES - free()), (MAX_BODY_BYTES, MAX_BODY_BYTES));
    drop(first);
    assert_eq!(MAX_TOTAL_BYTES - free(), MAX_BODY_BYTES);
    drop(copy);
    assert_eq!(free(), MAX_TOTAL_BYTES);
    let small = bodies.read(sized_body(SMALL_BODY_BYTES), TIMEOUT).await.unwrap();
    assert_eq!((small.len(), free()), (SMALL_BODY_BYTES, MAX_TOTAL_BYTES));
    // A body of unknown length keeps only the budget it needs.
    let pieces = bodies.read(chunked_body(3, 50_000), TIMEOUT).await.unwrap();
    assert_eq!((pieces.len(), MAX_TOTAL_BYTES - free()), (150_000, 150_000));
    assert!(matches!(bodies.read(chunked_body(12, 1_048_576), TIMEOUT).await, Err(BodyError::TooLarge)));
    assert!(matches!(bodies.read(sized_body(MAX_BODY_BYTES + 1), TIMEOUT).await, Err(BodyError::TooLarge)));
    assert_eq!(MAX_TOTAL_BYTES - free(), 150_000);
}

#[tokio::test]
async fn only_large_bodies_wait_for_budget() {
    let bodies = BodyBudget::default();
    let mut large = Vec::new();
    for _ in 0..MAX_TOTAL_BYTES / MAX_BODY_BYTES {
        large.push(bodies.read(sized_body(MAX_BODY_BYTES), TIMEOUT).await.unwrap());
    }
    let begun = std::time::Instant::now();
    assert!(matches!(bodies.read(sized_body(MAX_BODY_BYTES), TIMEOUT).await, Err(BodyError::BudgetExhausted)));
    assert!(begun.elapsed() >= TIMEOUT / 3);
    assert!(matches!(bodies.read(chunked_body(2, SMALL_BODY_BYTES), TIMEOUT).await, Err(BodyError::BudgetExhausted)));
    assert!(bodies.read(sized_body(SMALL_BODY_BYTES), TIMEOUT).await.is_ok());
    let (waited, ()) = tokio::join!(bodies.read(sized_body(MAX_BODY_BYTES), Duration::from_secs(60)), async {
        tokio::time::sleep(TIMEOUT / 3).await;
        large.clear();
    });
    assert_eq!(waited.unwrap().len(), MAX_BODY_BYTES);
}
