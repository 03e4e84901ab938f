use std::time::Duration;

use crate::{Sandbox, Webhook};

#[tokio::test]
async fn a_new_integration_keeps_earlier_data() {
    let app = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).app("http://localhost:1").unwrap();
    let person = app.profile("person-1");
    let begun = app.now().as_second();
    let luna = || app.sources().list(&person).into_iter().find(|source| source.slug == "luna").map(|source| (source.from, source.until));
    // After several removals, the data still begins with the first integration.
    for _ in 0..3 {
        app.integrations().connect(&person, "luna").await.unwrap();
        assert_eq!(luna(), Some((begun, i64::MAX)));
        app.advance(Duration::from_secs(86_400)).unwrap();
        assert!(app.integrations().remove(&person, "luna").await.unwrap());
        assert_eq!(luna(), Some((begun, app.now().as_second())));
        app.advance(Duration::from_secs(86_400)).unwrap();
    }
    // Each integration still has its own creation time.
    let now = app.now();
    app.integrations().connect(&person, "luna").await.unwrap();
    let listed = app.integrations().list(&person).into_iter().find(|integration| integration.slug == "luna").unwrap();
    assert_eq!(listed.created_at, now);
}

#[tokio::test]
async fn concurrent_changes_are_announced_once() {
    let builder = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).webhook(Webhook::Main, "http://127.0.0.1:9/");
    let app = builder.app("http://localhost:1").unwrap();
    let person = app.profile("person-1");
    let connect = || app.integrations().connect(&person, "luna");
    let (one, other) = tokio::join!(connect(), connect());
    one.and(other).unwrap();
    assert_eq!(app.webhooks().deliveries().await.unwrap().len(), 1);
    let end = || app.integrations().remove(&person, "luna");
    let (one, other) = tokio::join!(end(), end());
    assert_eq!((one.unwrap(), other.unwrap()), (true, false));
    assert_eq!(app.webhooks().deliveries().await.unwrap().len(), 2);
}
