//! Settings of a running sandbox.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::consent::RedirectSettings;
use crate::outbound::AllowedHosts;
use crate::people::delivery::Deliveries;
use crate::people::effects::Effects;
use crate::processing::AnalysisDuration;
use crate::replay::Replay;
use crate::values::calendar::plus;
use crate::values::crypto;
use crate::webhooks::{self, SigningKey, Webhook};

/// Default timeout of a synchronous upload. No typical analysis takes longer.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Settings that do not change while the sandbox runs.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Whether other machines may connect, using any host name.
    pub(crate) allow_remote: bool,
    pub(crate) seed: u64,
    pub(crate) people: usize,
    /// Share of days without data.
    pub(crate) missing: f64,
    pub(crate) effects: Effects,
    /// Late, absent and new people.
    pub(crate) deliveries: Deliveries,
    pub(crate) duration: AnalysisDuration,
    /// Timeout of a synchronous upload, in sandbox time and in real time.
    pub(crate) wait_limit: Duration,
    pub(crate) benefits: Duration,
    pub(crate) token_lifetime: Option<Duration>,
    /// Whether an empty list is returned as null, as some servers do.
    pub(crate) null_lists: bool,
    pub(crate) limits: Limits,
    /// Hosts that the sandbox may send requests to.
    pub(crate) outbound: AllowedHosts,
    pub(crate) webhooks: Vec<(Webhook, String)>,
    pub(crate) webhook_key: Option<SigningKey>,
    /// Allowed redirect targets of the consent flow.
    pub(crate) redirects: RedirectSettings,
    /// Recorded exchanges that replace the people's data.
    pub(crate) replay: Option<Replay>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allow_remote: false,
            seed: 1,
            people: 4,
            missing: 0.0,
            effects: Effects::default(),
            deliveries: Deliveries::default(),
            duration: AnalysisDuration::Fixed(Duration::ZERO),
            wait_limit: WAIT_LIMIT,
            benefits: Duration::ZERO,
            token_lifetime: None,
            null_lists: false,
            limits: Limits::default(),
            outbound: AllowedHosts::default(),
            webhooks: Vec::new(),
            webhook_key: None,
            redirects: RedirectSettings::default(),
            replay: None,
        }
    }
}

impl Settings {
    pub(super) fn initial_webhooks(&self) -> webhooks::WebhookSettings {
        let key = || SigningKey(format!("webhook-{}", crypto::hex(&crypto::digest(&[b"webhook key", &self.seed.to_be_bytes()])[..16])));
        let mut settings = webhooks::WebhookSettings::new(self.webhook_key.clone().unwrap_or_else(key));
        for (webhook, url) in &self.webhooks {
            settings.set_url(*webhook, Some(url.clone()));
        }
        settings
    }

    /// Returns the name of the data set: the seed, and a digest of the other settings that change the people's data.
    pub(super) fn data_set(&self) -> String {
        let options = [self.missing.to_string(), self.effects.to_string(), self.deliveries.to_string()];
        let is_default = self.missing <= 0.0 && options.iter().skip(1).all(String::is_empty);
        let digest = crypto::digest(&options.each_ref().map(|option| option.as_bytes()));
        if is_default { format!("seed={}", self.seed) } else { format!("seed={} options={}", self.seed, crypto::hex(&digest[..4])) }
    }

    /// Whether the builder set a webhook URL or key.
    pub(crate) fn has_webhooks(&self) -> bool {
        !self.webhooks.is_empty() || self.webhook_key.is_some()
    }

    /// Returns the expiry of a token issued now, in seconds since 1970.
    pub(crate) fn token_expiry(&self, now: Timestamp) -> Option<i64> {
        let lifetime = SignedDuration::try_from(self.token_lifetime?).unwrap_or(SignedDuration::MAX);
        Some(plus(now, lifetime).as_second())
    }

    /// Returns the end of a benefits lookup that began at `first`.
    pub(crate) fn benefits_ready_at(&self, first: Timestamp) -> Timestamp {
        plus(first, SignedDuration::try_from(self.benefits).unwrap_or(SignedDuration::MAX))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum number of connections. At the limit, a new one replaces the longest idle one, or waits if none is idle.
    pub(crate) connections: usize,
    /// Timeout for the headers of a request, and for the next request on an idle connection.
    pub(crate) headers: Duration,
    /// Timeout for a whole body.
    pub(crate) body: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 256, headers: Duration::from_secs(20), body: Duration::from_secs(30) }
    }
}
