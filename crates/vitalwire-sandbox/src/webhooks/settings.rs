//! Settings of webhooks: URLs, signing key and copies.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum number of copies of each body.
pub(crate) const MAX_COPIES: u8 = 5;

/// Kind of a webhook body. Each kind can have its own URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Webhook {
    /// Arrays of events: new data, and integrations created or deleted.
    Main,
    /// A lab report per body, with the user id as an additional field.
    LabReports,
    /// A nutrition record per body, with the user id as an additional field.
    NutritionRecords,
}

impl Webhook {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Main, Self::LabReports, Self::NutritionRecords];

    /// Returns its name in the control routes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::LabReports => "lab_reports",
            Self::NutritionRecords => "nutrition_records",
        }
    }
}

/// Key that signs webhooks. Hidden in debug output.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SigningKey(pub(crate) String);

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(..)")
    }
}

/// Settings that can be changed while the sandbox runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WebhookSettings {
    /// Signs the bodies. Not the key of the token exchange.
    pub(crate) key: SigningKey,
    urls: [Option<String>; 3],
    /// Number of times each body is sent.
    pub(crate) copies: u8,
}

impl WebhookSettings {
    pub(crate) fn new(key: SigningKey) -> Self {
        Self { key, urls: [None, None, None], copies: 1 }
    }

    pub(crate) fn url(&self, webhook: Webhook) -> Option<&str> {
        self.urls[webhook as usize].as_deref()
    }

    pub(crate) fn set_url(&mut self, webhook: Webhook, url: Option<String>) {
        self.urls[webhook as usize] = url;
    }
}

#[cfg(test)]
mod tests {
    use crate::Sandbox;

    #[test]
    fn the_key_is_hidden_in_debug_output() {
        let builder = Sandbox::builder().webhook_key("\u{feff}not for logs\r\n");
        assert!(!format!("{builder:?}").contains("not for logs"));
        let app = builder.app("http://localhost:1").unwrap();
        assert!(!format!("{app:?} {:?}", app.webhooks().settings()).contains("not for logs"));
        assert_eq!(app.webhook_key(), "not for logs");
    }
}
