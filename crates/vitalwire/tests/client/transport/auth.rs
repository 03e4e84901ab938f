//! Tests of tokens: fixed ones, token providers, renewal after a 401, and parallel calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use http::Method;
use vitalwire::client::{CallOptions, Client, RefreshReason, Service, Token};
use vitalwire::error::{BoxError, ErrorKind};
use vitalwire_testkit::{Reply, Request, Server, json};

use crate::transport::{builder, client, get, upload};

type Counter = Arc<AtomicUsize>;

/// A server that responds with 200 to this token and with 401 to others.
fn server_accepting(token: &'static str) -> Server {
    Server::with_script(
        move |seen: &Request, _| {
            if seen.header("authorization") == Some(&format!("Bearer {token}")) { json(200, "{}") } else { unauthorized() }
        },
    )
}

fn unauthorized() -> Reply {
    json(401, r#"{"title":"Unauthorized","status":401,"detail":"expired jwt"}"#)
}

/// A client with a slow provider of the tokens `t-1`, `t-2` and so on.
fn client_with_numbered_tokens(server: &Server) -> (Client, Counter) {
    let provider_runs = Counter::default();
    let counter = Arc::clone(&provider_runs);
    let provider = move |_| {
        let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
        async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            Ok::<_, BoxError>(Token::new(&format!("t-{number}")))
        }
    };
    (builder(server).token_provider(provider).build().unwrap(), provider_runs)
}

#[tokio::test]
async fn each_service_gets_its_own_token() {
    let server = Server::always(json(200, "{}"));
    let client = builder(&server).care_base_url(server.url() + "/gate").care_token("care-key\n").build().unwrap();
    get(&client).await.unwrap();
    client.request(Method::GET, Service::Care, "/public/v1/x").await.unwrap();
    get(&client).options(CallOptions::new().token("mine")).await.unwrap();
    get(&client).unauthenticated().await.unwrap();
    let seen = server.requests();
    let tokens: Vec<_> = seen.iter().map(|seen| seen.header("authorization")).collect();
    assert_eq!(tokens, [Some("Bearer token-0"), Some("Bearer care-key"), Some("Bearer mine"), None]);
    assert_eq!(seen[1].line(), "GET /gate/public/v1/x HTTP/1.1");
}

#[tokio::test]
async fn a_missing_option_is_a_configuration_error() {
    let server = Server::always(json(200, "{}"));
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::Configuration, Some("token"), 0));
    let error = client.request(Method::GET, Service::Care, "/x").await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("care_base_url")));
    for bad in ["", "two words", "line\nbreak"] {
        let error = Client::builder().token(bad).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("token")));
    }
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn parallel_calls_run_the_provider_once() {
    let server = server_accepting("t-1");
    let (client, provider_runs) = client_with_numbered_tokens(&server);
    let calls: Vec<_> = (0..50).map(|_| tokio::spawn(get(&client).send())).collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap().meta.attempts, 1);
    }
    assert_eq!((provider_runs.load(Ordering::SeqCst), server.count()), (1, 50));
}

#[tokio::test]
async fn a_rejected_token_is_renewed_once_for_all_calls() {
    let server = server_accepting("t-2");
    let (client, provider_runs) = client_with_numbered_tokens(&server);
    let calls: Vec<_> = (0..20).map(|_| tokio::spawn(get(&client).send())).collect();
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
    assert_eq!(provider_runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_upload_is_sent_again_after_a_rejected_token() {
    let server = server_accepting("t-2");
    let (client, provider_runs) = client_with_numbered_tokens(&server);
    let response = upload(&client, "{\"a\":1}").options(CallOptions::new().max_retries(0)).await.unwrap();
    assert_eq!((response.meta.attempts, provider_runs.load(Ordering::SeqCst)), (2, 2));
    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, [b"{\"a\":1}", b"{\"a\":1}"]);
}

#[tokio::test]
async fn a_second_401_ends_the_call() {
    let server = Server::always(unauthorized());
    let (client, provider_runs) = client_with_numbered_tokens(&server);
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Authentication, Some(401), 2));
    assert_eq!((provider_runs.load(Ordering::SeqCst), server.count()), (2, 2));
    assert_eq!(error.to_string(), "authentication: expired jwt, status 401, GET (raw), 2 attempts");
}

#[tokio::test]
async fn a_call_is_not_retried_without_a_new_token() {
    let server = Server::always(unauthorized());
    let same = |_: RefreshReason| async { Ok::<_, BoxError>(Token::new("same")) };
    let providing = builder(&server).token_provider(same).build().unwrap();
    assert_eq!(get(&providing).await.unwrap_err().attempts(), 1);
    assert_eq!(get(&client(&server)).await.unwrap_err().attempts(), 1);
    let (numbered, _) = client_with_numbered_tokens(&server);
    assert_eq!(get(&numbered).options(CallOptions::new().token("mine")).await.unwrap_err().attempts(), 1);
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn the_provider_receives_the_reason() {
    let server = Server::in_order([unauthorized(), json(200, "{}"), json(200, "{}")]);
    let reasons = Arc::new(std::sync::Mutex::new(Vec::new()));
    let recorded = Arc::clone(&reasons);
    let provider = move |reason| {
        recorded.lock().unwrap().push(reason);
        let number = recorded.lock().unwrap().len();
        // Each token is expired from the start.
        async move { Ok::<_, BoxError>(Token::expiring(&format!("t-{number}"), SystemTime::now() - Duration::from_secs(1))) }
    };
    let client = builder(&server).token_provider(provider).build().unwrap();
    get(&client).await.unwrap();
    get(&client).await.unwrap();
    assert_eq!(*reasons.lock().unwrap(), [RefreshReason::Missing, RefreshReason::Rejected, RefreshReason::Expiring]);
}

#[tokio::test]
async fn all_waiting_calls_fail_with_the_error_of_the_provider() {
    let server = Server::always(json(200, "{}"));
    let provider_runs = Counter::default();
    let counter = Arc::clone(&provider_runs);
    let provider = move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err::<Token, BoxError>("CANARY: jane's password is wrong".into())
        }
    };
    let client = builder(&server).token_provider(provider).build().unwrap();
    let calls: Vec<_> = (0..10).map(|_| tokio::spawn(get(&client).send())).collect();
    for call in calls {
        let error = call.await.unwrap().unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Authentication, 0));
        assert!(!format!("{error} {error:?}").contains("CANARY"));
        let source = std::error::Error::source(&error).unwrap();
        assert!(!format!("{source} {source:?}").contains("CANARY"));
        assert!(source.source().unwrap().to_string().contains("CANARY"), "the error of the provider is the last source");
    }
    assert_eq!((provider_runs.load(Ordering::SeqCst), server.count()), (1, 0));
}

#[tokio::test]
async fn the_401_is_returned_if_the_provider_fails_afterwards() {
    let server = Server::always(unauthorized());
    let provider =
        |reason| async move { if reason == RefreshReason::Missing { Ok(Token::new("t")) } else { Err::<Token, BoxError>("down".into()) } };
    let client = builder(&server).token_provider(provider).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Authentication, Some(401), 1));
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test]
async fn a_panic_or_invalid_token_of_the_provider_is_an_authentication_error() {
    let server = Server::always(json(200, "{}"));
    for panics in [true, false] {
        let provider = move |_: RefreshReason| async move {
            assert!(!panics, "a panic of the provider");
            Ok::<_, BoxError>(Token::new("CANARY two words"))
        };
        let client = builder(&server).token_provider(provider).build().unwrap();
        for _ in 0..2 {
            let error = get(&client).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Authentication);
            assert!(!error.to_string().contains("CANARY"));
        }
    }
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn the_next_call_runs_the_provider_after_a_call_is_dropped() {
    let server = server_accepting("t-2");
    let provider_runs = Counter::default();
    let counter = Arc::clone(&provider_runs);
    let provider = move |_| {
        let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
        async move {
            if number == 1 {
                std::future::pending::<()>().await;
            }
            Ok::<_, BoxError>(Token::new(&format!("t-{number}")))
        }
    };
    let client = builder(&server).token_provider(provider).build().unwrap();
    let first = tokio::spawn(get(&client).send());
    while provider_runs.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let second = tokio::spawn(get(&client).send());
    tokio::time::sleep(Duration::from_millis(20)).await;
    first.abort();
    let response = tokio::time::timeout(Duration::from_secs(5), second).await.unwrap().unwrap();
    assert!(response.is_ok());
    assert_eq!(provider_runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_hanging_provider_ends_at_the_total_deadline() {
    let server = Server::always(json(200, "{}"));
    let provider = |_: RefreshReason| std::future::pending::<Result<Token, BoxError>>();
    let client = builder(&server).token_provider(provider).timeout(Duration::from_millis(100)).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 0));
}
