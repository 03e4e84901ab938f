//! Tokens: fixed, from a provider, renewed after a 401, asked for once by many.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use http::Method;
use vitalwire::client::{CallOptions, Client, Service, Token, TokenReason};
use vitalwire::error::{BoxError, ErrorKind};
use vitalwire_testkit::{Reply, Request, Server, json};

use crate::transport::{builder, client, get, upload};

type Counter = Arc<AtomicUsize>;

/// 200 for this token, 401 for others.
fn accepting(token: &'static str) -> Server {
    Server::with_script(
        move |seen: &Request, _| if seen.header("authorization") == Some(&format!("Bearer {token}")) { json(200, "{}") } else { refusal() },
    )
}

fn refusal() -> Reply {
    json(401, r#"{"title":"Unauthorized","status":401,"detail":"expired jwt"}"#)
}

/// A client whose provider numbers its tokens, `t-1` first, and takes a while for each.
fn numbering(server: &Server) -> (Client, Counter) {
    let asked = Counter::default();
    let counter = Arc::clone(&asked);
    let provider = move |_| {
        let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
        async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            Ok::<_, BoxError>(Token::new(&format!("t-{number}")))
        }
    };
    (builder(server).token_provider(provider).build().unwrap(), asked)
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
async fn what_is_not_set_is_a_configuration_error() {
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
async fn fifty_calls_ask_the_provider_once() {
    let server = accepting("t-1");
    let (client, asked) = numbering(&server);
    let calls: Vec<_> = (0..50).map(|_| tokio::spawn(get(&client).send())).collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap().meta.attempts, 1);
    }
    assert_eq!((asked.load(Ordering::SeqCst), server.count()), (1, 50));
}

#[tokio::test]
async fn a_refused_token_is_renewed_once_for_all() {
    let server = accepting("t-2");
    let (client, asked) = numbering(&server);
    let calls: Vec<_> = (0..20).map(|_| tokio::spawn(get(&client).send())).collect();
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_upload_is_sent_again_after_a_refused_token() {
    let server = accepting("t-2");
    let (client, asked) = numbering(&server);
    let answer = upload(&client, "{\"a\":1}").options(CallOptions::new().max_retries(0)).await.unwrap();
    assert_eq!((answer.meta.attempts, asked.load(Ordering::SeqCst)), (2, 2));
    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, [b"{\"a\":1}", b"{\"a\":1}"]);
}

#[tokio::test]
async fn a_second_refusal_is_final() {
    let server = Server::always(refusal());
    let (client, asked) = numbering(&server);
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Authentication, Some(401), 2));
    assert_eq!((asked.load(Ordering::SeqCst), server.count()), (2, 2));
    assert_eq!(error.to_string(), "authentication: expired jwt, status 401, GET (raw), 2 attempts");
}

#[tokio::test]
async fn nothing_is_sent_again_without_another_token() {
    let server = Server::always(refusal());
    let same = |_: TokenReason| async { Ok::<_, BoxError>(Token::new("same")) };
    let providing = builder(&server).token_provider(same).build().unwrap();
    assert_eq!(get(&providing).await.unwrap_err().attempts(), 1);
    assert_eq!(get(&client(&server)).await.unwrap_err().attempts(), 1);
    let (numbered, _) = numbering(&server);
    assert_eq!(get(&numbered).options(CallOptions::new().token("mine")).await.unwrap_err().attempts(), 1);
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn the_provider_is_told_why() {
    let server = Server::in_order([refusal(), json(200, "{}"), json(200, "{}")]);
    let reasons = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&reasons);
    let provider = move |reason| {
        kept.lock().unwrap().push(reason);
        let number = kept.lock().unwrap().len();
        // Each is over as soon as it is given.
        async move { Ok::<_, BoxError>(Token::expiring(&format!("t-{number}"), SystemTime::now() - Duration::from_secs(1))) }
    };
    let client = builder(&server).token_provider(provider).build().unwrap();
    get(&client).await.unwrap();
    get(&client).await.unwrap();
    assert_eq!(*reasons.lock().unwrap(), [TokenReason::Missing, TokenReason::Rejected, TokenReason::Expiring]);
}

#[tokio::test]
async fn a_provider_that_fails_is_an_authentication_error_shared_by_those_who_waited() {
    let server = Server::always(json(200, "{}"));
    let asked = Counter::default();
    let counter = Arc::clone(&asked);
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
        assert!(source.source().unwrap().to_string().contains("CANARY"), "the provider's own error is at the end of the chain");
    }
    assert_eq!((asked.load(Ordering::SeqCst), server.count()), (1, 0));
}

#[tokio::test]
async fn a_provider_that_fails_after_a_refusal_leaves_the_refusal() {
    let server = Server::always(refusal());
    let provider =
        |reason| async move { if reason == TokenReason::Missing { Ok(Token::new("t")) } else { Err::<Token, BoxError>("down".into()) } };
    let client = builder(&server).token_provider(provider).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Authentication, Some(401), 1));
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test]
async fn a_provider_that_panics_or_gives_nonsense_is_an_authentication_error() {
    let server = Server::always(json(200, "{}"));
    for panics in [true, false] {
        let provider = move |_: TokenReason| async move {
            assert!(!panics, "the provider's own defect");
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
async fn a_dropped_call_leaves_the_provider_to_the_next() {
    let server = accepting("t-2");
    let asked = Counter::default();
    let counter = Arc::clone(&asked);
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
    while asked.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let second = tokio::spawn(get(&client).send());
    tokio::time::sleep(Duration::from_millis(20)).await;
    first.abort();
    let answer = tokio::time::timeout(Duration::from_secs(5), second).await.unwrap().unwrap();
    assert!(answer.is_ok());
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_provider_that_hangs_is_bounded_by_the_total_deadline() {
    let server = Server::always(json(200, "{}"));
    let provider = |_: TokenReason| std::future::pending::<Result<Token, BoxError>>();
    let client = builder(&server).token_provider(provider).timeout(Duration::from_millis(100)).build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 0));
}
