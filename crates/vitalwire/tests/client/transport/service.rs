//! Tests of what a client knows about a service from its last response.

use vitalwire::client::{CloseMode, Service};
use vitalwire_testkit::{Server, response};

use crate::transport::{builder, client, get};

#[tokio::test]
async fn every_response_states_the_time_of_the_service() {
    let server = Server::with_script(|_, number| match number {
        0 => response(200, &[("date", "yesterday")], b"{}"),
        1 => response(401, &[("date", "Fri, 21 Nov 2025 12:00:00 GMT")], b"{}"),
        2 => response(500, &[("date", "Sat, 22 Nov 2025 12:00:00 GMT"), ("vitalwire-sandbox", "seed=7")], b"{}"),
        3 => response(200, &[("date", "Fri, 99 Nov 2025 12:00:00 GMT"), ("vitalwire-sandbox", "seed=8")], b"{}"),
        _ => response(200, &[], b"{}"),
    });
    let client = builder(&server).max_retries(0).build().unwrap();
    let hour = |client: &vitalwire::Client| client.service_time().map(|time| time.to_string()[..13].to_owned());
    assert_eq!((hour(&client), client.sandbox()), (None, None));
    get(&client).await.unwrap();
    assert_eq!(hour(&client), None);
    get(&client).await.unwrap_err();
    assert_eq!((hour(&client).as_deref(), client.sandbox()), (Some("2025-11-21T12"), None));
    get(&client).await.unwrap_err();
    assert_eq!((hour(&client).as_deref(), client.sandbox().as_deref()), (Some("2025-11-22T12"), Some("seed=7")));
    get(&client).await.unwrap();
    assert_eq!((hour(&client).as_deref(), client.sandbox().as_deref()), (Some("2025-11-22T12"), Some("seed=8")));
    get(&client).await.unwrap();
    assert_eq!((hour(&client).as_deref(), client.sandbox()), (Some("2025-11-22T12"), None));
    // Other services have clocks of their own.
    assert_eq!(client.engine().service_time(Service::Care.meta()), None);
}

#[tokio::test]
async fn the_clock_of_a_service_continues() {
    let server = Server::with_script(|_, _| response(200, &[("date", "Fri, 21 Nov 2025 12:00:00 GMT")], b"{}"));
    let client = client(&server);
    get(&client).await.unwrap();
    let first = client.service_time().unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    assert!(client.clone().service_time().unwrap() > first);
    client.close(CloseMode::Drain);
    assert_eq!((client.service_time(), client.sandbox()), (None, None));
}
