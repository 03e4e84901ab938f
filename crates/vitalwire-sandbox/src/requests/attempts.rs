//! [`AttemptCounter`]: recognition of retries of the same call. Only keyed hashes are kept.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::header::{self, HeaderName};
use http::{HeaderValue, Method, Uri};

use crate::tokens;

/// Request header that identifies a call: requests with the same value are its attempts. For tests of clients only.
const HEADER: HeaderName = HeaderName::from_static("x-sandbox-call");

/// Request header that selects a fault for its own request. For tests of clients only. All attempts of a call have the same one.
pub(crate) const FAULT_HEADER: HeaderName = HeaderName::from_static("x-sandbox-fault");

/// Maximum time between a failed attempt and the next one.
const WINDOW: Duration = Duration::from_secs(60);
/// Maximum number of failed calls kept.
const MAX_CALLS: usize = 10_000;

/// Identity of a call. Cheap to create: it is hashed only if the call fails or other failed calls are pending.
#[derive(Clone, Debug)]
pub(crate) struct CallIdentity {
    name: Option<HeaderValue>,
    method: Method,
    target: Uri,
    authorization: Option<HeaderValue>,
    length: Option<HeaderValue>,
    fault: Option<HeaderValue>,
}

impl CallIdentity {
    pub(crate) fn new<B>(request: &http::Request<B>) -> Self {
        let headers = request.headers();
        Self {
            name: headers.get(HEADER).cloned(),
            method: request.method().clone(),
            target: request.uri().clone(),
            authorization: headers.get(header::AUTHORIZATION).cloned(),
            length: headers.get(header::CONTENT_LENGTH).cloned(),
            fault: headers.get(FAULT_HEADER).cloned(),
        }
    }
}

/// Calls that may be retried.
#[derive(Debug, Default)]
pub(crate) struct AttemptCounter {
    state: RandomState,
    count: AtomicUsize,
    failed: Mutex<HashMap<u64, (u32, Instant)>>,
}

impl AttemptCounter {
    fn failed(&self) -> MutexGuard<'_, HashMap<u64, (u32, Instant)>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hash(&self, call: &CallIdentity) -> u64 {
        let mut hasher = self.state.build_hasher();
        match &call.name {
            Some(name) => name.hash(&mut hasher),
            None => {
                call.method.hash(&mut hasher);
                call.target.hash(&mut hasher);
                // A retry may send a fresh token of the same user.
                call.authorization.as_ref().map(tokens::token_user).hash(&mut hasher);
                call.length.hash(&mut hasher);
                call.fault.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Returns the attempt number of a request, counted from 1.
    pub(crate) fn attempt_number(&self, call: &CallIdentity) -> u32 {
        if self.count.load(Ordering::Acquire) == 0 {
            return 1;
        }
        let hash = self.hash(call);
        self.failed().get(&hash).filter(|(_, at)| at.elapsed() < WINDOW).map_or(1, |(attempt, _)| attempt.saturating_add(1))
    }

    pub(crate) fn clear(&self) {
        let mut calls = self.failed();
        calls.clear();
        self.count.store(0, Ordering::Release);
    }

    pub(crate) fn record_outcome(&self, call: &CallIdentity, attempt: u32, failed: bool) {
        let may_be_retried = failed || call.name.is_some();
        if !may_be_retried && attempt == 1 {
            return;
        }
        let hash = self.hash(call);
        let mut calls = self.failed();
        if may_be_retried {
            if calls.len() >= MAX_CALLS {
                calls.retain(|_, (_, at)| at.elapsed() < WINDOW);
            }
            if calls.len() >= MAX_CALLS {
                calls.clear();
            }
            calls.insert(hash, (attempt, Instant::now()));
        } else {
            calls.remove(&hash);
        }
        self.count.store(calls.len(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests;
