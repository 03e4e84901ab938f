//! Starting, stopping and embedding a sandbox.

use vitalwire_sandbox::{Error, Sandbox};

use super::support::{Service, TODAY, http};

#[tokio::test]
async fn a_remote_address_needs_permission() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let error = Sandbox::builder().bind(address).start().await.unwrap_err();
        assert!(matches!(error, Error::NotLoopback(_)), "{error}");
    }
    let sandbox = Sandbox::builder().bind("0.0.0.0:0").allow_remote(true).start().await.unwrap();
    assert!(sandbox.base_url().starts_with("http://127.0.0.1:"));
    sandbox.shutdown().await;
    let error = Sandbox::builder().bind("nonsense").start().await.unwrap_err();
    assert!(matches!(error, Error::Address(_)));
}

#[tokio::test]
async fn a_taken_port_is_an_error() {
    let first = Sandbox::builder().start().await.unwrap();
    let error = Sandbox::builder().bind(first.address().to_string()).start().await.unwrap_err();
    assert!(matches!(error, Error::Bind(_)));
}

#[tokio::test]
async fn shutdown_stops_listening() {
    let service = Service::new().await;
    service.get("/userinfo").await.ok();
    let address = service.sandbox.address();
    let before = std::time::Instant::now();
    service.sandbox.shutdown().await;
    assert!(before.elapsed().as_secs() < 3, "an idle connection must not delay the shutdown");
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn dropping_stops_listening() {
    let service = Service::new().await;
    let address = service.sandbox.address();
    drop(service);
    for _ in 0..1_000 {
        if tokio::net::TcpStream::connect(address).await.is_err() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("still listening");
}

#[tokio::test]
async fn the_seed_determines_all_data_and_keys() {
    let (one, two) = (Service::new().await, Service::new().await);
    assert_eq!(one.sandbox.token(), two.sandbox.token());
    let path = "/queries/statistics/daily?from_date=2025-11-01&to_date=2025-11-21&types=steps,heartrate";
    assert_eq!(one.get(path).await.text, two.get(path).await.text);
    let other = Sandbox::builder().seed(8).today(TODAY).start().await.unwrap();
    assert_ne!(other.token(), one.sandbox.token());
    assert_ne!(other.application_key(), one.sandbox.application_key());
    assert_ne!(other.care_token(), one.sandbox.care_token());
    assert_ne!(other.people()[0].sleep_id(TODAY), one.sandbox.people()[0].sleep_id(TODAY));
}

#[tokio::test]
async fn the_router_can_be_served_by_another_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let app = Sandbox::builder().today(TODAY).app(&base).unwrap();
    assert_eq!(app.base_url(), base);
    assert_eq!(app.today(), TODAY);
    let router = app.router();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let service = hyper_util::service::TowerToHyperService::new(router);
        let io = hyper_util::rt::TokioIo::new(stream);
        hyper::server::conn::http1::Builder::new().serve_connection(io, service).await
    });
    let response = http().get(format!("{base}/v3/userinfo")).bearer_auth(app.token()).header("connection", "close").send().await.unwrap();
    assert_eq!(response.status(), 200);
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn people_differ_and_debug_output_hides_their_secrets() {
    let service = Service::with_builder(Sandbox::builder().people(6)).await;
    let people = service.sandbox.people();
    assert_eq!(people.len(), 6);
    let zones: std::collections::HashSet<_> = people.iter().map(|person| person.time_zone.clone()).collect();
    assert_eq!(zones.len(), 6);
    let text = format!("{:?} {:?}", people, service.sandbox);
    assert!(!text.contains(service.sandbox.token()));
    assert!(!text.contains(service.sandbox.application_key()));
    assert!(!text.contains(service.sandbox.care_token()));
}
