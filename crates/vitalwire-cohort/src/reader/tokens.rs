//! Access tokens of users: fixed ones, and exchanged ones that are kept until the service rejects them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use sha2::{Digest as _, Sha256};
use vitalwire::client::{CallOptions, Client};
use vitalwire::error::{Error, ErrorKind};
use vitalwire::operations::TokensExchangeParams;
use vitalwire::signing::sign_user_id;
use zeroize::Zeroizing;

use super::MAX_RETRIES;
use crate::credentials::{Credential, KeySource, Keys, UserCredentials};

/// Tokens of users, and the application keys that sign their exchange.
pub(super) struct Tokens {
    exchanged: Mutex<HashMap<String, Zeroizing<String>>>,
    /// Users by the digest of their token.
    owners: Mutex<HashMap<[u8; 32], String>>,
    keys: Mutex<Keys>,
}

impl Tokens {
    pub(super) fn new(keys: Keys) -> Self {
        Self { exchanged: Mutex::default(), owners: Mutex::default(), keys: Mutex::new(keys) }
    }

    /// Returns the token of a user. Exchanges a signature for it if necessary.
    pub(super) async fn get(&self, client: &Client, credentials: &UserCredentials, user: &str) -> Result<Zeroizing<String>, Error> {
        let unknown = || Error::invalid_argument("credentials", "must contain every user of the plan");
        let credential = credentials.credential(user).ok_or_else(unknown)?;
        if let Credential::Token(token) = credential {
            return Ok(token.clone());
        }
        if let Some(token) = lock(&self.exchanged).get(user) {
            return Ok(token.clone());
        }
        let (application_id, signature) = match credential {
            Credential::Signature { application_id, signature } => (*application_id, signature.clone()),
            Credential::Key { application_id, source } => {
                let key = self.key(client, source).await?;
                (*application_id, Zeroizing::new(sign_user_id(&*key, user)?))
            }
            Credential::Token(_) => return Err(unknown()),
        };
        let call = client.tokens().exchange(application_id, user, signature.as_str());
        let token = Zeroizing::new(call.max_retries(MAX_RETRIES).await?.into_inner().access_token);
        let digest = Sha256::digest(token.as_bytes()).into();
        if lock(&self.owners).entry(digest).or_insert_with(|| user.to_owned()) != user {
            return Err(Error::with_reason(ErrorKind::Authentication, "the service returned the token of another user"));
        }
        lock(&self.exchanged).insert(user.to_owned(), token.clone());
        Ok(token)
    }

    /// Forgets an exchanged token that the service rejected, and the key that signed its exchange. Returns whether there was one.
    pub(super) fn forget(&self, credentials: &UserCredentials, user: &str) -> bool {
        let was_known = lock(&self.exchanged).remove(user).is_some();
        if let Some(Credential::Key { source, .. }) = credentials.credential(user).filter(|_| was_known) {
            lock(&self.keys).remove(source);
        }
        was_known
    }

    /// Returns a key. Reads it from its source once, within the timeout of a call.
    async fn key(&self, client: &Client, source: &KeySource) -> Result<Zeroizing<Vec<u8>>, Error> {
        if let Some(key) = lock(&self.keys).get(source) {
            return Ok(key.clone());
        }
        let path = source.clone();
        let read = tokio::task::spawn_blocking(move || path.read());
        let read = read.map(|key| key.unwrap_or_else(|_| Err(Error::internal("the thread that reads a key has ended"))));
        let (key, _) = client.prepare::<TokensExchangeParams, _, _>(read, CallOptions::new()).await?;
        lock(&self.keys).insert(source.clone(), key.clone());
        Ok(key)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
