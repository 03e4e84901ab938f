//! The client that a plan asks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Deserialize;
use vitalwire::client::{ArrayStyle, ClientBuilder, Token as Given, TokenProvider, TokenReason};
use vitalwire::{Client, Error};

use super::told::Told;
use crate::case::{self, LATE, Token};

/// A client's settings, as a plan tells them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    base_url: Option<String>,
    care_base_url: Option<String>,
    token: Token,
    care_token: Token,
    retry_delay_scale: f64,
    array_style: Option<case::ArrayStyle>,
    local_checks: Option<bool>,
    strict_lists: Option<bool>,
    max_response_bytes: Option<u64>,
    max_connections: Option<usize>,
    pub(super) deadline_scale: Option<case::Factor>,
    gzip: Option<bool>,
    user_agent: Option<String>,
    ca: Option<String>,
    proxy: Option<String>,
    #[serde(default)]
    on_attempt: bool,
}

impl Settings {
    /// The client, and what its hook is told if the plan asks for one.
    pub(super) fn client(&self) -> (Result<Client, Error>, Option<Told>) {
        let told = self.on_attempt.then(Told::default);
        let mut builder = Client::builder().retry_delay_scale(self.retry_delay_scale);
        if let Some(told) = told.clone() {
            builder = builder.on_attempt(move |event| told.add(event));
        }
        (self.built(builder), told)
    }

    fn built(&self, mut builder: ClientBuilder) -> Result<Client, Error> {
        if let Some(url) = &self.base_url {
            builder = builder.base_url(url);
        }
        if let Some(url) = &self.care_base_url {
            builder = builder.care_base_url(url);
        }
        builder = match source(&self.token) {
            Source::None => builder,
            Source::Fixed(token) => builder.token(&token),
            Source::Provider(provider) => builder.token_provider(provider),
        };
        builder = match source(&self.care_token) {
            Source::None => builder,
            Source::Fixed(token) => builder.care_token(&token),
            Source::Provider(provider) => builder.care_token_provider(provider),
        };
        self.others(builder).build()
    }

    fn others(&self, mut builder: ClientBuilder) -> ClientBuilder {
        // The machine's own proxy is none of the case's.
        builder = match &self.proxy {
            Some(url) => builder.proxy(url),
            None => builder.no_proxy(),
        };
        if let Some(pem) = &self.ca {
            builder = builder.ca_certificate(pem.as_bytes());
        }
        if let Some(style) = self.array_style {
            builder = builder.array_style(match style {
                case::ArrayStyle::Repeated => ArrayStyle::Repeated,
                case::ArrayStyle::Comma => ArrayStyle::Comma,
            });
        }
        if let Some(check) = self.local_checks {
            builder = builder.local_checks(check);
        }
        if let Some(strict) = self.strict_lists {
            builder = builder.strict_lists(strict);
        }
        if let Some(bytes) = self.max_response_bytes {
            builder = builder.max_response_bytes(bytes);
        }
        if let Some(count) = self.max_connections {
            builder = builder.max_connections(count);
        }
        if let Some(factor) = self.deadline_scale {
            builder = builder.deadline_scale(factor.value());
        }
        if let Some(accept) = self.gzip {
            builder = builder.gzip(accept);
        }
        if let Some(suffix) = &self.user_agent {
            builder = builder.user_agent(suffix);
        }
        builder
    }
}

/// How late a provider is that gives a token late.
const LATENESS: Duration = Duration::from_secs(2);

enum Source<P> {
    None,
    Fixed(String),
    Provider(P),
}

/// The texts one after the other, the last one for ever; without any the provider fails.
fn source(token: &Token) -> Source<impl TokenProvider> {
    let texts = match token {
        Token::Text(text) => return Source::Fixed(text.clone()),
        // A plan names every token.
        Token::Usual | Token::Absent => return Source::None,
        Token::Provider(texts) => texts.clone(),
        Token::ProviderFails => Vec::new(),
    };
    let (texts, next) = (Arc::new(texts), Arc::new(AtomicUsize::new(0)));
    Source::Provider(move |_: TokenReason| {
        let (texts, next) = (Arc::clone(&texts), Arc::clone(&next));
        async move {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let text = texts.get(at).or(texts.last()).ok_or("the provider fails, as the case asks for")?;
            let late = text.strip_prefix(LATE);
            if late.is_some() {
                tokio::time::sleep(LATENESS).await;
            }
            Ok(Given::new(late.unwrap_or(text)))
        }
    })
}
