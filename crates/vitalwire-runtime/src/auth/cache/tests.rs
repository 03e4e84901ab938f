//! Renewal of cached tokens, and calls that wait for it.

use super::*;
use crate::error::{BoxError, ErrorKind};

#[test]
fn a_token_is_renewed_a_minute_early_or_at_nine_tenths_of_its_life() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let secret = Secret::parse("t").expect("valid");
    for (life, early) in [(3600, 60), (600, 60), (300, 30), (10, 1)] {
        let end = now + Duration::from_secs(life);
        let cached = CachedToken::new(secret.clone(), Some(end), now);
        assert_eq!(cached.renew_at, Some(end - Duration::from_secs(early)), "{life} s");
    }
    assert!(CachedToken::new(secret.clone(), None, now).is_fresh(now + Duration::from_secs(1 << 40)));
    let past = CachedToken::new(secret, Some(now - Duration::from_secs(5)), now);
    assert!(!past.is_fresh(now) && !past.is_valid(now));
}

/// Creates a cache whose provider numbers its tokens. The runs in `failing` fail.
fn cache(failing: &'static [u64]) -> TokenCache {
    let runs = std::sync::atomic::AtomicU64::new(0);
    let provider = move |_: RefreshReason| {
        let run = runs.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
        async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            if failing.contains(&run) { Err::<Token, BoxError>("down".into()) } else { Ok(Token::new(&format!("t-{run}"))) }
        }
    };
    TokenCache::new(Arc::new(provider))
}

/// Makes the cached token due for renewal but still valid.
fn age(cache: &TokenCache) {
    let now = SystemTime::now();
    let mut state = cache.state();
    let cached = state.token.as_mut().expect("a token");
    cached.renew_at = Some(now - Duration::from_secs(1));
    cached.expires_at = Some(now + Duration::from_secs(30));
}

fn is_token(secret: &Secret, text: &str) -> bool {
    secret.same_as(&Secret::parse(text).expect("valid"))
}

#[tokio::test]
async fn one_call_renews_an_expiring_token_while_the_others_use_it() {
    let cache = cache(&[]);
    assert!(is_token(&cache.current().await.expect("a token"), "t-1"));
    age(&cache);
    let (first, second, third) = tokio::join!(cache.current(), cache.current(), cache.current());
    assert!(is_token(&first.expect("a token"), "t-2"));
    assert!(is_token(&second.expect("a token"), "t-1") && is_token(&third.expect("a token"), "t-1"));
    assert!(is_token(&cache.current().await.expect("a token"), "t-2"));
    assert_eq!(cache.state().runs, 2);
}

#[tokio::test]
async fn an_expiring_token_is_used_if_its_renewal_fails() {
    let cache = cache(&[2]);
    cache.current().await.expect("a token");
    age(&cache);
    // The provider is not called again at once after a failure.
    for _ in 0..3 {
        assert!(is_token(&cache.current().await.expect("a token"), "t-1"));
    }
    assert_eq!(cache.state().runs, 2);
}

#[tokio::test]
async fn the_call_after_a_failure_runs_the_provider_again() {
    let cache = cache(&[1, 3]);
    assert_eq!(cache.current().await.expect_err("run 1").kind(), ErrorKind::Authentication);
    let token = cache.current().await.expect("run 2");
    assert!(cache.replace_rejected(&token).await.is_err());
    assert!(is_token(&cache.current().await.expect("run 4"), "t-4"));
    assert!(cache.replace_rejected(&token).await.expect("no run").is_some_and(|other| is_token(&other, "t-4")));
    assert_eq!(cache.state().runs, 4);
}

#[tokio::test]
async fn a_failure_is_dropped_with_the_last_call_that_waits_for_it() {
    let cache = cache(&[1, 2]);
    let (first, second) = tokio::join!(cache.current(), cache.current());
    for error in [first.expect_err("run 1"), second.expect_err("run 1")] {
        assert_eq!(error.kind(), ErrorKind::Authentication);
    }
    let remaining = |cache: &TokenCache| {
        let state = cache.state();
        (state.failure.is_some(), state.waiting, state.runs)
    };
    assert_eq!(remaining(&cache), (false, 0, 1));
    // A call that timed out no longer counts as waiting.
    assert!(tokio::time::timeout(Duration::from_millis(1), cache.current()).await.is_err());
    assert_eq!(remaining(&cache), (false, 0, 1));
}

#[tokio::test]
async fn a_provider_that_requests_its_own_token_gets_an_error() {
    let own = Arc::new(std::sync::OnceLock::<TokenCache>::new());
    let inner = Arc::clone(&own);
    let provider = move |_: RefreshReason| {
        let inner = Arc::clone(&inner);
        async move {
            let error = inner.get().ok_or("not set")?.current().await;
            // Return the error kind as a token, so that the test can check it.
            Ok::<_, BoxError>(Token::new(error.expect_err("it waits for its own token").kind().as_str()))
        }
    };
    assert!(own.set(TokenCache::new(Arc::new(provider))).is_ok());
    let cache = own.get().expect("set");
    assert!(is_token(&cache.current().await.expect("a token"), "configuration"));
}

/// Creates a cache whose provider requests its own token with `request`, and fails if that fails.
fn reentrant_cache<F, Fut>(request: F) -> Arc<std::sync::OnceLock<TokenCache>>
where
    F: Fn(Arc<std::sync::OnceLock<TokenCache>>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Secret, Error>> + Send + 'static,
{
    let own = Arc::new(std::sync::OnceLock::<TokenCache>::new());
    let inner = Arc::clone(&own);
    let provider = move |_: RefreshReason| {
        let inner = request(Arc::clone(&inner));
        async move { inner.await.map(|_| Token::new("never")).map_err(BoxError::from) }
    };
    assert!(own.set(TokenCache::new(Arc::new(provider))).is_ok());
    own
}

#[tokio::test]
async fn an_error_names_a_provider_that_requested_its_own_token() {
    let direct = reentrant_cache(async |own| own.get().expect("set").current().await);
    let in_a_task = reentrant_cache(async |own| {
        let context = crate::auth::ProviderContext::current().expect("within a provider");
        tokio::spawn(context.run_async(async move { own.get().expect("set").current().await })).await.expect("no panic")
    });
    for own in [direct, in_a_task] {
        let error = own.get().expect("set").current().await.expect_err("a provider must not request its own token");
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert!(error.to_string().contains(REENTRANT), "{error}");
    }
    assert!(crate::auth::ProviderContext::current().is_none());
}

#[tokio::test]
async fn a_task_that_outlives_its_provider_may_wait_for_a_token() {
    let own = Arc::new(std::sync::OnceLock::<TokenCache>::new());
    let (send, receive) = tokio::sync::oneshot::channel();
    let (inner, send) = (Arc::clone(&own), Mutex::new(Some(send)));
    let provider = move |_: RefreshReason| {
        let (inner, context) = (Arc::clone(&inner), crate::auth::ProviderContext::current().expect("within a provider"));
        if let Some(send) = send.lock().expect("no panic").take() {
            tokio::spawn(context.run_async(async move {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let cache = inner.get().expect("set");
                cache.state().token = None;
                let _ = send.send(cache.current().await);
            }));
        }
        async { Ok::<_, BoxError>(Token::new("t")) }
    };
    assert!(own.set(TokenCache::new(Arc::new(provider))).is_ok());
    own.get().expect("set").current().await.expect("a token");
    assert!(is_token(&receive.await.expect("a result").expect("a token"), "t"));
}
