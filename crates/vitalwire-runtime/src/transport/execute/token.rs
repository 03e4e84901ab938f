//! The access token of a call.

use std::time::SystemTime;

use super::{NextStep, RunningCall};
use crate::auth::{Auth, Secret};
use crate::error::Error;

/// The token cache of the client, or the token of this call.
pub(super) enum AuthRef<'a> {
    Client(&'a Auth),
    Call(&'a Secret),
}

impl AuthRef<'_> {
    /// Returns the token, if it is available without calling the provider.
    pub(super) fn cached(&self) -> Option<Secret> {
        match self {
            Self::Client(auth) => auth.cached(),
            AuthRef::Call(secret) => Some((*secret).clone()),
        }
    }

    /// Returns the instant at which a token of this source expires, if known.
    pub(super) fn expires_at(&self, token: &Secret) -> Option<SystemTime> {
        match self {
            Self::Client(auth) => auth.expires_at(token),
            AuthRef::Call(_) => None,
        }
    }

    async fn current(&self) -> Result<Secret, Error> {
        match self {
            Self::Client(auth) => auth.current().await,
            AuthRef::Call(secret) => Ok((*secret).clone()),
        }
    }
}

impl<'a> RunningCall<'a> {
    /// Returns the source of the call's token.
    pub(super) fn auth(&self) -> Result<Option<AuthRef<'a>>, Error> {
        if !self.meta.authenticated {
            return Ok(None);
        }
        if let Some(secret) = &self.options.token {
            return Ok(Some(AuthRef::Call(secret)));
        }
        self.client.auth(self.meta.service).map(|auth| Some(AuthRef::Client(auth)))
    }

    pub(super) async fn next_token(&self, auth: Option<&AuthRef<'_>>) -> Result<Option<Secret>, Error> {
        let Some(auth) = auth else { return Ok(None) };
        if let Some(secret) = auth.cached() {
            return Ok(Some(secret));
        }
        self.clock.check()?;
        self.clock.within_total(auth.current()).await?.map(Some)
    }

    /// Requests another token from the provider after a 401, and decides whether to retry.
    pub(super) async fn renew_token(&self, auth: Option<&AuthRef<'_>>, rejected: Option<&Secret>) -> Result<NextStep, Error> {
        let (Some(AuthRef::Client(auth)), Some(rejected)) = (auth, rejected) else { return Ok(NextStep::Stop) };
        self.clock.check()?;
        let fresh = self.clock.within_total(auth.replace_rejected(rejected)).await??;
        Ok(fresh.map_or(NextStep::Stop, NextStep::SendWith))
    }
}
