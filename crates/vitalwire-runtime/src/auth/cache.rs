//! The token of a service: a fixed one, or a cache in front of a token provider. The cache calls the provider once for many calls (single
//! flight) and renews tokens early.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;

use super::provider_context::CacheId;
use super::provider_failure::SharedFailure;
use super::{RefreshReason, Secret, Token, TokenProvider};
use crate::error::Error;

/// How long before its expiry a token is renewed. Tokens that live less than 10 minutes are renewed after 90 % of their lifetime.
const RENEWAL_MARGIN: Duration = Duration::from_secs(60);
/// Delay before the provider is called again after a failed early renewal. Until then, the current token is used.
const RENEWAL_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Reason of the error if a provider makes a call that needs the token being provided.
const REENTRANT: &str = "the token provider called the client that requested the token; it must not make a call that needs this token";

/// Source of the token for a service's requests.
pub(crate) enum Auth {
    Fixed(Secret),
    Provider(TokenCache),
}

impl Auth {
    pub(crate) fn fixed(secret: Secret) -> Self {
        Self::Fixed(secret)
    }

    pub(crate) fn provider(provider: Arc<dyn TokenProvider>) -> Self {
        Self::Provider(TokenCache::new(provider))
    }

    /// Returns the same source with an empty cache, for another process.
    pub(crate) fn for_new_process(&self) -> Self {
        match self {
            Self::Fixed(secret) => Self::Fixed(secret.clone()),
            Self::Provider(cache) => Self::provider(Arc::clone(&cache.provider)),
        }
    }

    /// Returns a fresh token without calling the provider, if there is one.
    pub(crate) fn cached(&self) -> Option<Secret> {
        match self {
            Self::Fixed(secret) => Some(secret.clone()),
            Self::Provider(cache) => {
                let state = cache.state();
                state.fresh(SystemTime::now()).map(|cached| cached.secret.clone())
            }
        }
    }

    /// Marks the token with this fingerprint as rejected outside of a call, so that the next call requests a new one. Has no effect if the
    /// cache has another token.
    pub(crate) fn reject(&self, fingerprint: &str) {
        if let Self::Provider(cache) = self {
            let mut state = cache.state();
            state.is_rejected |= state.token.as_ref().is_none_or(|cached| cached.secret.fingerprint() == fingerprint);
        }
    }

    /// Returns the instant at which the current token expires, if it is this one and the provider stated it.
    pub(crate) fn expires_at(&self, secret: &Secret) -> Option<SystemTime> {
        match self {
            Self::Fixed(_) => None,
            Self::Provider(cache) => cache.state().token.as_ref().filter(|cached| cached.secret.same_as(secret))?.expires_at,
        }
    }

    /// Returns a valid token. Calls the provider if necessary.
    pub(crate) async fn current(&self) -> Result<Secret, Error> {
        match self {
            Self::Fixed(secret) => Ok(secret.clone()),
            Self::Provider(cache) => cache.current().await,
        }
    }

    /// Returns a replacement for a token that the service rejected. Returns `None` if there is no other token.
    pub(crate) async fn replace_rejected(&self, rejected: &Secret) -> Result<Option<Secret>, Error> {
        match self {
            Self::Fixed(_) => Ok(None),
            Self::Provider(cache) => cache.replace_rejected(rejected).await,
        }
    }
}

/// A token provider with its last token.
pub(crate) struct TokenCache {
    id: CacheId,
    provider: Arc<dyn TokenProvider>,
    /// Never held across an await.
    state: Mutex<State>,
    /// Held by the call that runs the provider. If that call is dropped, the lock is released and the next call runs the provider.
    provider_lock: tokio::sync::Mutex<()>,
    /// Whether the running provider made a call that needs its own token.
    reentered: AtomicBool,
}

#[derive(Default)]
struct State {
    token: Option<CachedToken>,
    /// Whether the service rejected the token outside of a call.
    is_rejected: bool,
    /// Number of completed provider runs, successful or not.
    runs: u64,
    /// Error of the last run, if it failed. Shared by all calls that waited for the run. Dropped with the last of them, because the cause
    /// may keep much memory alive.
    failure: Option<SharedFailure>,
    /// Number of calls that run the provider or wait for it.
    waiting: usize,
}

/// Counts a call that runs the provider or waits for it.
struct Waiter<'a>(&'a TokenCache);

impl<'a> Waiter<'a> {
    fn new(cache: &'a TokenCache, state: &mut State) -> Self {
        state.waiting += 1;
        Self(cache)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let failure = {
            let mut state = self.0.state();
            state.waiting -= 1;
            if state.waiting == 0 { state.failure.take() } else { None }
        };
        // Drop outside of the lock: the cause is user code.
        drop(failure);
    }
}

#[derive(Clone)]
struct CachedToken {
    secret: Secret,
    renew_at: Option<SystemTime>,
    expires_at: Option<SystemTime>,
}

impl CachedToken {
    fn new(secret: Secret, expires_at: Option<SystemTime>, now: SystemTime) -> Self {
        let renew_at = expires_at.map(|end| {
            let life = end.duration_since(now).unwrap_or_default();
            end.checked_sub(RENEWAL_MARGIN.min(life / 10)).unwrap_or(now)
        });
        Self { secret, renew_at, expires_at }
    }

    fn is_fresh(&self, now: SystemTime) -> bool {
        self.renew_at.is_none_or(|at| now < at)
    }

    fn is_valid(&self, now: SystemTime) -> bool {
        self.expires_at.is_none_or(|at| now < at)
    }
}

impl TokenCache {
    fn new(provider: Arc<dyn TokenProvider>) -> Self {
        Self {
            id: CacheId::new(),
            provider,
            state: Mutex::default(),
            provider_lock: tokio::sync::Mutex::new(()),
            reentered: AtomicBool::new(false),
        }
    }

    /// Waits until no other call runs the provider. Fails for calls of the provider itself, which would wait forever.
    async fn lock_provider(&self) -> Result<tokio::sync::MutexGuard<'_, ()>, Error> {
        if self.id.is_providing() {
            self.reentered.store(true, Relaxed);
            return Err(Error::configuration(REENTRANT));
        }
        Ok(self.provider_lock.lock().await)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn current(&self) -> Result<Secret, Error> {
        let (seen, usable, _waiting) = {
            let now = SystemTime::now();
            let mut state = self.state();
            if let Some(cached) = state.fresh(now) {
                return Ok(cached.secret.clone());
            }
            let usable = state.token.clone().filter(|cached| !state.is_rejected && cached.is_valid(now));
            (state.runs, usable, Waiter::new(self, &mut state))
        };
        let _provider_lock = match &usable {
            // Another call is renewing the token; the current one is still valid.
            Some(cached) => match self.provider_lock.try_lock() {
                Ok(provider_lock) => provider_lock,
                Err(_) => return Ok(cached.secret.clone()),
            },
            None => self.lock_provider().await?,
        };
        let reason = {
            let state = self.state();
            if state.runs != seen {
                // If the other call's renewal failed, the current token is still valid.
                return match (state.last_result(), usable) {
                    (Err(_), Some(cached)) => Ok(cached.secret),
                    (result, _) => result,
                };
            }
            match state.token {
                _ if state.is_rejected => RefreshReason::Rejected,
                Some(_) => RefreshReason::Expiring,
                None => RefreshReason::Missing,
            }
        };
        match (self.run_provider(reason).await, usable) {
            (Err(_), Some(cached)) => {
                let mut state = self.state();
                if let Some(current) = state.token.as_mut().filter(|current| current.secret.same_as(&cached.secret)) {
                    current.renew_at = SystemTime::now().checked_add(RENEWAL_RETRY_DELAY).min(current.expires_at);
                }
                Ok(cached.secret)
            }
            (result, _) => result,
        }
    }

    async fn replace_rejected(&self, rejected: &Secret) -> Result<Option<Secret>, Error> {
        let other = |state: &State| {
            let other = state.token.as_ref().filter(|cached| !state.is_rejected && !cached.secret.same_as(rejected));
            other.map(|cached| cached.secret.clone())
        };
        let (seen, _waiting) = {
            let mut state = self.state();
            if let Some(secret) = other(&state) {
                return Ok(Some(secret));
            }
            (state.runs, Waiter::new(self, &mut state))
        };
        let _provider_lock = self.lock_provider().await?;
        {
            let state = self.state();
            if let Some(secret) = other(&state) {
                return Ok(Some(secret));
            }
            if state.runs != seen {
                return state.last_result().map(|_| None);
            }
        }
        let fresh = self.run_provider(RefreshReason::Rejected).await?;
        Ok((!fresh.same_as(rejected)).then_some(fresh))
    }

    /// Runs the provider and stores the result. The caller must hold `provider_lock`.
    async fn run_provider(&self, reason: RefreshReason) -> Result<Secret, Error> {
        self.reentered.store(false, Relaxed);
        // A panic of the provider must not affect the calls that wait for it.
        let result = AssertUnwindSafe(self.id.providing(async { self.provider.token(reason).await })).catch_unwind().await;
        let result = match result {
            Ok(Ok(Token { secret: Ok(secret), expires_at })) => Ok((secret, expires_at)),
            Ok(Ok(Token { secret: Err(reason), .. })) => Err(SharedFailure { reason, cause: None }),
            Ok(Err(cause)) => {
                let reason = if self.reentered.load(Relaxed) { REENTRANT } else { "the token provider failed" };
                Err(SharedFailure { reason, cause: Some(Arc::new(cause)) })
            }
            Err(_) => Err(SharedFailure { reason: "the token provider panicked", cause: None }),
        };
        let mut state = self.state();
        state.runs += 1;
        match result {
            Ok((secret, expires_at)) => {
                state.token = Some(CachedToken::new(secret.clone(), expires_at, SystemTime::now()));
                (state.is_rejected, state.failure) = (false, None);
                Ok(secret)
            }
            Err(failure) => {
                // A rejected token is useless; an expiring one is still valid.
                if reason == RefreshReason::Rejected {
                    state.token = None;
                }
                state.failure = Some(failure.clone());
                Err(failure.into_error())
            }
        }
    }
}

impl State {
    /// Returns the token, if it need not be renewed.
    fn fresh(&self, now: SystemTime) -> Option<&CachedToken> {
        self.token.as_ref().filter(|cached| !self.is_rejected && cached.is_fresh(now))
    }

    /// Returns the result of the last run, for the calls that waited for it.
    fn last_result(&self) -> Result<Secret, Error> {
        match (&self.failure, &self.token) {
            (None, Some(cached)) => Ok(cached.secret.clone()),
            (Some(failure), _) => Err(failure.clone().into_error()),
            (None, None) => Err(Error::internal("the token provider ended without a result")),
        }
    }
}

#[cfg(test)]
mod tests;
