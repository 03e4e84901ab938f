//! What a sandbox is started with.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::consent::Redirects;
use crate::outbound::Reach;
use crate::processing::Pace;
use crate::replay::Replay;
use crate::values::calendar::plus;
use crate::values::crypto;
use crate::webhooks::{self, Key, Webhook};

/// For a synchronous upload; no analysis that is typical takes longer.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Settings that do not change while the sandbox runs.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Whether other machines may be let in, which know this one by any name.
    pub(crate) allow_remote: bool,
    pub(crate) seed: u64,
    pub(crate) people: usize,
    pub(crate) pace: Pace,
    /// For a synchronous upload, in sandbox time and in real time.
    pub(crate) wait_limit: Duration,
    pub(crate) benefits: Duration,
    pub(crate) token_lifetime: Option<Duration>,
    /// Whether an empty list is answered as null, as some servers do.
    pub(crate) null_lists: bool,
    pub(crate) limits: Limits,
    /// The hosts that the sandbox sends requests to.
    pub(crate) outbound: Reach,
    pub(crate) webhooks: Vec<(Webhook, String)>,
    pub(crate) webhook_key: Option<Key>,
    /// Where users may be sent back to.
    pub(crate) redirects: Redirects,
    /// What is answered instead of the people's data.
    pub(crate) replay: Option<Replay>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allow_remote: false,
            seed: 1,
            people: 4,
            pace: Pace::Fixed(Duration::ZERO),
            wait_limit: WAIT_LIMIT,
            benefits: Duration::ZERO,
            token_lifetime: None,
            null_lists: false,
            limits: Limits::default(),
            outbound: Reach::default(),
            webhooks: Vec::new(),
            webhook_key: None,
            redirects: Redirects::default(),
            replay: None,
        }
    }
}

impl Settings {
    /// The webhook settings of the start.
    pub(super) fn first_webhooks(&self) -> webhooks::Settings {
        let key = || Key(format!("webhook-{}", crypto::hex(&crypto::digest(&[b"webhook key", &self.seed.to_be_bytes()])[..16])));
        let mut settings = webhooks::Settings::new(self.webhook_key.clone().unwrap_or_else(key));
        for (webhook, url) in &self.webhooks {
            settings.set_url(*webhook, Some(url.clone()));
        }
        settings
    }

    /// Whether the program that started this sandbox said where webhooks go or how they are signed.
    pub(crate) fn names_webhooks(&self) -> bool {
        !self.webhooks.is_empty() || self.webhook_key.is_some()
    }

    /// The end of a token that is made now, in seconds since 1970.
    pub(crate) fn token_end(&self, now: Timestamp) -> Option<i64> {
        let lifetime = SignedDuration::try_from(self.token_lifetime?).unwrap_or(SignedDuration::MAX);
        Some(plus(now, lifetime).as_second())
    }

    /// When a benefits lookup that began at `first` is over.
    pub(crate) fn benefits_at(&self, first: Timestamp) -> Timestamp {
        plus(first, SignedDuration::try_from(self.benefits).unwrap_or(SignedDuration::MAX))
    }
}

/// What callers may take of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at a time; beyond them the one that is idle longest is closed, and where none is idle, the next one waits.
    pub(crate) connections: usize,
    /// For all headers of a request, and for the next request on an idle connection.
    pub(crate) headers: Duration,
    /// For a whole body.
    pub(crate) body: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 256, headers: Duration::from_secs(20), body: Duration::from_secs(30) }
    }
}
