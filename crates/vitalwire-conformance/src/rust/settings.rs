//! The client of a planned case.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use vitalwire::client::{RefreshReason, Token as ClientToken, TokenProvider};
use vitalwire::{Client, Error};

use super::attempt_log::AttemptLog;
use crate::case::{LATE, Token};
use crate::runner::{self, CaseError};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Settings {
    token: Token,
    care_token: Token,
    proxy: Option<String>,
    #[serde(default)]
    on_attempt: bool,
    /// All other settings. Their names are generated.
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Settings {
    pub(super) fn is_scaled(&self) -> bool {
        self.others.contains_key("timeout_scale")
    }

    /// Returns these settings with a path after the base URL.
    pub(super) fn with_base_path(&self, path: &str) -> Self {
        let mut settings = self.clone();
        if let Some(Value::String(url)) = settings.others.get_mut("base_url") {
            url.push_str(path);
        }
        settings
    }

    /// Creates the client, and the log of its attempts if the plan requests one.
    ///
    /// # Errors
    /// If the plan has a setting that no runner knows.
    pub(super) fn client(&self) -> Result<(Result<Client, Error>, Option<AttemptLog>), CaseError> {
        let attempts = self.on_attempt.then(AttemptLog::default);
        let mut builder = runner::settings(&self.others, Client::builder())?;
        if let Some(attempts) = attempts.clone() {
            builder = builder.on_attempt(move |event| attempts.add(event));
        }
        // Without a proxy in the case, disables the proxy of the machine.
        builder = match &self.proxy {
            Some(url) => builder.proxy(url),
            None => builder.no_proxy(),
        };
        builder = match source(&self.token) {
            TokenSource::None => builder,
            TokenSource::Fixed(token) => builder.token(&token),
            TokenSource::Provider(provider) => builder.token_provider(provider),
        };
        builder = match source(&self.care_token) {
            TokenSource::None => builder,
            TokenSource::Fixed(token) => builder.care_token(&token),
            TokenSource::Provider(provider) => builder.care_token_provider(provider),
        };
        Ok((builder.build(), attempts))
    }
}

/// Delay of a provider for a late token.
const LATE_TOKEN_DELAY: Duration = Duration::from_secs(2);

enum TokenSource<P> {
    None,
    Fixed(String),
    Provider(P),
}

/// Returns a provider of these texts in sequence, the last one forever. Without texts it fails.
fn source(token: &Token) -> TokenSource<impl TokenProvider> {
    let texts = match token {
        Token::Text(text) => return TokenSource::Fixed(text.clone()),
        // Plans contain the default token as text, so `Usual` does not occur.
        Token::Usual | Token::Absent => return TokenSource::None,
        Token::Provider(texts) => texts.clone(),
        Token::ProviderFails => Vec::new(),
    };
    let (texts, next) = (Arc::new(texts), Arc::new(AtomicUsize::new(0)));
    TokenSource::Provider(move |_: RefreshReason| {
        let (texts, next) = (Arc::clone(&texts), Arc::clone(&next));
        async move {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let text = texts.get(at).or(texts.last()).ok_or("the case requests a provider that fails")?;
            let late = text.strip_prefix(LATE);
            if late.is_some() {
                tokio::time::sleep(LATE_TOKEN_DELAY).await;
            }
            Ok(ClientToken::new(late.unwrap_or(text)))
        }
    })
}
