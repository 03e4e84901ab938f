use super::*;

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(20);

async fn acquire_within(connections: &Arc<Connections>, timeout: Duration) -> Option<ConnectionSlot> {
    tokio::time::timeout(timeout, connections.acquire()).await.ok().flatten()
}

/// Waits until the connection is asked to close, confirms, and frees its slot.
async fn close_when_requested(slot: ConnectionSlot) {
    loop {
        slot.close_requested().await;
        if slot.confirm_close() {
            return;
        }
    }
}

#[tokio::test]
async fn the_longest_idle_connection_is_evicted() {
    let connections = Connections::new(3);
    let (first, second, third) =
        (connections.acquire().await.unwrap(), connections.acquire().await.unwrap(), connections.acquire().await.unwrap());
    first.activity().mark_busy();
    third.activity().mark_busy();
    third.activity().mark_responded();
    third.activity().mark_flushed();
    let (second, third) = (tokio::spawn(close_when_requested(second)), tokio::spawn(close_when_requested(third)));
    let fourth = acquire_within(&connections, LONG).await.unwrap();
    second.await.unwrap();
    assert!(!third.is_finished());
    fourth.activity().mark_busy();
    let fifth = acquire_within(&connections, LONG).await.unwrap();
    third.await.unwrap();
    fifth.activity().mark_busy();
    // All are busy: the next connection waits until one becomes idle or closes.
    assert!(acquire_within(&connections, SHORT).await.is_none());
    let waiting = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move { connections.acquire().await.unwrap() }
    });
    tokio::time::sleep(SHORT).await;
    assert!(!waiting.is_finished());
    first.activity().mark_responded();
    first.activity().mark_flushed();
    close_when_requested(first).await;
    waiting.await.unwrap().activity().mark_busy();
    drop(fourth);
    assert!(acquire_within(&connections, LONG).await.is_some());
}

#[tokio::test]
async fn a_connection_that_becomes_busy_declines_to_close() {
    let connections = Connections::new(2);
    let (first, second) = (connections.acquire().await.unwrap(), connections.acquire().await.unwrap());
    let newcomer = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move { connections.acquire().await.is_some() }
    });
    first.close_requested().await;
    first.activity().mark_busy();
    assert!(!first.confirm_close());
    close_when_requested(second).await;
    assert!(tokio::time::timeout(LONG, newcomer).await.unwrap().unwrap());
    assert!(!first.confirm_close(), "a busy connection stays open");
}

#[tokio::test]
async fn a_new_connection_is_not_evicted_at_once() {
    let connections = Connections::new(1);
    let (begun, first) = (Instant::now(), connections.acquire().await.unwrap());
    let newcomer = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move { connections.acquire().await.is_some() }
    });
    close_when_requested(first).await;
    assert!(begun.elapsed() >= MIN_IDLE, "{:?}", begun.elapsed());
    assert!(newcomer.await.unwrap());
}

#[tokio::test]
async fn no_connection_is_evicted_while_a_slot_is_free() {
    let connections = Connections::new(2);
    let first = connections.acquire().await.unwrap();
    let _second = connections.acquire().await.unwrap();
    assert!(tokio::time::timeout(SHORT, first.close_requested()).await.is_err());
    drop(first);
    assert_eq!(connections.idle().longest_first.len(), 1);
}
