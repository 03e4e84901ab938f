//! The targets: one list, from which the program, the tests and `cargo xtask test` take them.

pub mod answers;
pub mod arrow_streams;
pub mod instants;
pub mod overlays;
pub mod redirects;
pub mod resume_tokens;
pub mod retry_after;
pub mod sandbox;
pub mod tables;
pub mod webhooks;

use serde_json::Value;

use crate::openapi::OPENAPI;

/// One target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name; its seeds are in `corpus/<name>`.
    pub name: &'static str,
    /// Runs it over one input; panics where something is wrong.
    pub run: fn(&[u8]),
    /// The schemas an input may have; none where it is no JSON.
    pub schemas: &'static [&'static str],
}

/// The targets besides those of the resources.
const OTHERS: &[Target] = &[
    Target { name: "problems", run: answers::problems, schemas: &["ProblemDetails"] },
    Target { name: "webhooks", run: webhooks::bodies, schemas: &["LabReportWebhook", "NutritionWebhook", "WebhookEvent"] },
    Target { name: "signatures", run: webhooks::signatures, schemas: &[] },
    Target { name: "redirects", run: redirects::run, schemas: &[] },
    Target {
        name: "tables",
        run: tables::run,
        schemas: &["DailyStatistics", "IntervalStatistics", "LabReport", "NutritionRecord", "SleepRecord"],
    },
    Target { name: "arrow_streams", run: arrow_streams::run, schemas: &[] },
    Target { name: "resume_tokens", run: resume_tokens::run, schemas: &[] },
    Target { name: "dates", run: instants::dates, schemas: &[] },
    Target { name: "timestamps", run: instants::timestamps, schemas: &[] },
    Target { name: "retry_after", run: retry_after::run, schemas: &[] },
    Target { name: "overlays", run: overlays::overlay, schemas: &[] },
    Target { name: "specifications", run: overlays::specification, schemas: &[] },
    Target { name: "sandbox", run: sandbox::run, schemas: &[] },
];

/// Every target.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    answers::RESOURCES.iter().chain(OTHERS)
}

/// A target by name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    targets().find(|target| target.name == name)
}

impl Target {
    /// One of its schemas, drawn by `at`: half of the time a list of it, since some answers are lists.
    #[must_use]
    pub fn schema(&self, at: usize) -> Option<Value> {
        let name = self.schemas.get((at / 2) % self.schemas.len().max(1))?;
        let schema = OPENAPI.schemas.get(*name)?.clone();
        Some(if at.is_multiple_of(2) { schema } else { serde_json::json!({"type": "array", "items": schema}) })
    }

    /// Whether its inputs are JSON, so that they can be changed as JSON. YAML has JSON in it.
    #[must_use]
    pub fn reads_json(&self) -> bool {
        !self.schemas.is_empty() || ["overlays", "specifications"].contains(&self.name)
    }
}
