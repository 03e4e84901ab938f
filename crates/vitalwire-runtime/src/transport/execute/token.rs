//! The access token of a call.

use super::{Call, Next};
use crate::auth::{Auth, Secret};
use crate::error::Error;

/// The token cache of the client, or the token of this call.
pub(super) enum AuthRef<'a> {
    Client(&'a Auth),
    Own(&'a Secret),
}

impl AuthRef<'_> {
    /// Returns the token, if it is available without calling the provider.
    pub(super) fn cached(&self) -> Option<Secret> {
        match self {
            Self::Client(auth) => auth.cached(),
            Self::Own(secret) => Some((*secret).clone()),
        }
    }

    async fn current(&self) -> Result<Secret, Error> {
        match self {
            Self::Client(auth) => auth.current().await,
            Self::Own(secret) => Ok((*secret).clone()),
        }
    }
}

impl<'a> Call<'a> {
    /// Returns the source of the call's token.
    pub(super) fn auth(&self) -> Result<Option<AuthRef<'a>>, Error> {
        if !self.meta.authenticated {
            return Ok(None);
        }
        if let Some(secret) = &self.options.token {
            return Ok(Some(AuthRef::Own(secret)));
        }
        self.inner.auth(self.meta.service).map(|auth| Some(AuthRef::Client(auth)))
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
    pub(super) async fn renew(&self, auth: Option<&AuthRef<'_>>, refused: Option<&Secret>) -> Result<Next, Error> {
        let (Some(AuthRef::Client(auth)), Some(refused)) = (auth, refused) else { return Ok(Next::Stop) };
        self.clock.check()?;
        let fresh = self.clock.within_total(auth.replace_rejected(refused)).await??;
        Ok(fresh.map_or(Next::Stop, Next::SendWith))
    }
}
