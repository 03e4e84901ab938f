//! Tokens of one service: a fixed one, or a cache over a provider (single flight, early refresh).

use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;

use super::provider_context::CacheId;
use super::provider_failure::SharedFailure;
use super::{Secret, Token, TokenProvider, TokenReason};
use crate::error::Error;

/// A token is renewed this long before it expires, or at 90 % of its lifetime if that is later.
const EARLY: Duration = Duration::from_secs(60);
/// After a failed early renewal, the current token is used this long before the provider is called again.
const EARLY_PAUSE: Duration = Duration::from_secs(5);

/// The reason of a call that a provider makes to its own client, and of the provider's failure.
const REENTRY: &str = "the token provider called the client that asked it: it would wait for its own token";

/// The source of the token of a service's requests.
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

    /// The same source with nothing cached, for another process.
    pub(crate) fn anew(&self) -> Self {
        match self {
            Self::Fixed(secret) => Self::Fixed(secret.clone()),
            Self::Provider(cache) => Self::provider(Arc::clone(&cache.provider)),
        }
    }

    /// Returns the token to send, if no provider needs to be called.
    pub(crate) fn cached(&self) -> Option<Secret> {
        match self {
            Self::Fixed(secret) => Some(secret.clone()),
            Self::Provider(cache) => {
                let state = cache.state();
                state.held.as_ref().filter(|held| held.is_fresh(SystemTime::now())).map(|held| held.secret.clone())
            }
        }
    }

    /// Returns the token to send.
    pub(crate) async fn current(&self) -> Result<Secret, Error> {
        match self {
            Self::Fixed(secret) => Ok(secret.clone()),
            Self::Provider(cache) => cache.current().await,
        }
    }

    /// Returns another token than the one that the service just rejected; `None` if there is no other.
    pub(crate) async fn replace_rejected(&self, refused: &Secret) -> Result<Option<Secret>, Error> {
        match self {
            Self::Fixed(_) => Ok(None),
            Self::Provider(cache) => cache.replace_rejected(refused).await,
        }
    }
}

/// The provider and its last token.
pub(crate) struct TokenCache {
    id: CacheId,
    provider: Arc<dyn TokenProvider>,
    /// Never held across an await.
    state: Mutex<State>,
    /// Held by the one call that calls the provider. If that call is dropped, the lock is free, and the next one calls.
    flight: tokio::sync::Mutex<()>,
    /// Whether the provider that runs called its own client.
    reentered: AtomicBool,
}

#[derive(Default)]
struct State {
    held: Option<Held>,
    /// Number of completed rounds with the provider, successful or not.
    rounds: u64,
    /// The error of the last round, if it failed: shared by all calls that waited for it, and dropped with the last of them, because its
    /// cause may keep much alive.
    failure: Option<SharedFailure>,
    /// Number of calls that call the provider or wait.
    waiting: usize,
}

/// A call that calls the provider, or waits for one that does.
struct Waiting<'a>(&'a TokenCache);

impl<'a> Waiting<'a> {
    fn begin(cache: &'a TokenCache, state: &mut State) -> Self {
        state.waiting += 1;
        Self(cache)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let unneeded = {
            let mut state = self.0.state();
            state.waiting -= 1;
            if state.waiting == 0 { state.failure.take() } else { None }
        };
        // A cause of anybody's making: not under the lock.
        drop(unneeded);
    }
}

#[derive(Clone)]
struct Held {
    secret: Secret,
    renew_at: Option<SystemTime>,
    expires_at: Option<SystemTime>,
}

impl Held {
    fn new(secret: Secret, expires_at: Option<SystemTime>, now: SystemTime) -> Self {
        let renew_at = expires_at.map(|end| {
            let life = end.duration_since(now).unwrap_or_default();
            end.checked_sub(EARLY.min(life / 10)).unwrap_or(now)
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
            flight: tokio::sync::Mutex::new(()),
            reentered: AtomicBool::new(false),
        }
    }

    /// Waits until nobody else calls the provider. Its own calls are refused, which would wait for themselves.
    async fn flight(&self) -> Result<tokio::sync::MutexGuard<'_, ()>, Error> {
        if self.id.is_providing() {
            self.reentered.store(true, Relaxed);
            return Err(Error::configuration(REENTRY));
        }
        Ok(self.flight.lock().await)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn current(&self) -> Result<Secret, Error> {
        let (seen, usable, _waiting) = {
            let now = SystemTime::now();
            let mut state = self.state();
            let usable = match &state.held {
                Some(held) if held.is_fresh(now) => return Ok(held.secret.clone()),
                held => held.clone().filter(|held| held.is_valid(now)),
            };
            (state.rounds, usable, Waiting::begin(self, &mut state))
        };
        let _flight = match &usable {
            // Someone else is renewing it: the present token still does.
            Some(held) => match self.flight.try_lock() {
                Ok(flight) => flight,
                Err(_) => return Ok(held.secret.clone()),
            },
            None => self.flight().await?,
        };
        let reason = {
            let state = self.state();
            if state.rounds != seen {
                // The renewal of another call may have failed; the present token still does.
                return match (state.last_answer(), usable) {
                    (Err(_), Some(held)) => Ok(held.secret),
                    (answer, _) => answer,
                };
            }
            if state.held.is_some() { TokenReason::Expiring } else { TokenReason::Missing }
        };
        match (self.ask(reason).await, usable) {
            (Err(_), Some(held)) => {
                let mut state = self.state();
                if let Some(kept) = state.held.as_mut().filter(|kept| kept.secret.same_as(&held.secret)) {
                    kept.renew_at = SystemTime::now().checked_add(EARLY_PAUSE).min(kept.expires_at);
                }
                Ok(held.secret)
            }
            (answer, _) => answer,
        }
    }

    async fn replace_rejected(&self, refused: &Secret) -> Result<Option<Secret>, Error> {
        let other = |state: &State| state.held.as_ref().filter(|held| !held.secret.same_as(refused)).map(|held| held.secret.clone());
        let (seen, _waiting) = {
            let mut state = self.state();
            if let Some(secret) = other(&state) {
                return Ok(Some(secret));
            }
            (state.rounds, Waiting::begin(self, &mut state))
        };
        let _flight = self.flight().await?;
        {
            let state = self.state();
            if let Some(secret) = other(&state) {
                return Ok(Some(secret));
            }
            if state.rounds != seen {
                return state.last_answer().map(|_| None);
            }
        }
        let fresh = self.ask(TokenReason::Rejected).await?;
        Ok((!fresh.same_as(refused)).then_some(fresh))
    }

    /// Runs one round: calls the provider and stores the result. The caller must hold `flight`.
    async fn ask(&self, reason: TokenReason) -> Result<Secret, Error> {
        self.reentered.store(false, Relaxed);
        // A provider's panic must not take down those who wait for it.
        let answer = AssertUnwindSafe(self.id.providing(async { self.provider.token(reason).await })).catch_unwind().await;
        let answer = match answer {
            Ok(Ok(Token { secret: Ok(secret), expires_at })) => Ok((secret, expires_at)),
            Ok(Ok(Token { secret: Err(reason), .. })) => Err(SharedFailure { reason, cause: None }),
            Ok(Err(cause)) => {
                let reason = if self.reentered.load(Relaxed) { REENTRY } else { "the token provider failed" };
                Err(SharedFailure { reason, cause: Some(Arc::new(cause)) })
            }
            Err(_) => Err(SharedFailure { reason: "the token provider panicked", cause: None }),
        };
        let mut state = self.state();
        state.rounds += 1;
        match answer {
            Ok((secret, expires_at)) => {
                state.held = Some(Held::new(secret.clone(), expires_at, SystemTime::now()));
                state.failure = None;
                Ok(secret)
            }
            Err(failure) => {
                // A refused token is of no more use; an ending one still is.
                if reason == TokenReason::Rejected {
                    state.held = None;
                }
                state.failure = Some(failure.clone());
                Err(failure.into_error())
            }
        }
    }
}

impl State {
    /// Returns the result of the round that has just ended, for those who waited for it.
    fn last_answer(&self) -> Result<Secret, Error> {
        match (&self.failure, &self.held) {
            (None, Some(held)) => Ok(held.secret.clone()),
            (Some(failure), _) => Err(failure.clone().into_error()),
            (None, None) => Err(Error::internal("a round of the token cache left nothing")),
        }
    }
}

#[cfg(test)]
mod tests;
