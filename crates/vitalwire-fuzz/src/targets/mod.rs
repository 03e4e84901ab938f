//! All targets: the list that the program, the tests and `cargo xtask test` use.

pub mod arrow_streams;
pub mod cohorts;
pub mod datasets;
pub mod instants;
pub mod overlays;
pub mod part_files;
pub mod recordings;
pub mod redirects;
pub mod responses;
pub mod resume_tokens;
pub mod retry_after;
pub mod sandbox;
pub mod tables;
pub mod webhooks;

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::openapi::OPENAPI;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name of the target. Its seeds are in `corpus/<name>`.
    pub name: &'static str,
    /// Runs the target on one input. Panics on a defect.
    pub run: fn(&[u8]),
    /// Schemas of the inputs; empty if inputs are not JSON.
    pub schemas: &'static [&'static str],
}

/// Targets that do not belong to a resource.
const GENERAL_TARGETS: &[Target] = &[
    Target { name: "problems", run: responses::problems, schemas: &["ProblemDetails"] },
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
    Target { name: "plans", run: cohorts::plans, schemas: &[] },
    Target { name: "states", run: cohorts::states, schemas: &[] },
    Target { name: "sync_states", run: cohorts::sync_states, schemas: &[] },
    Target { name: "users", run: cohorts::users, schemas: &[] },
    Target { name: "manifests", run: datasets::manifests, schemas: &[] },
    Target { name: "blocks", run: datasets::blocks, schemas: &[] },
    Target { name: "parts", run: datasets::parts, schemas: &[] },
    Target { name: "part_files", run: part_files::run, schemas: &[] },
    Target { name: "recordings", run: recordings::run, schemas: &[] },
    Target { name: "dates", run: instants::dates, schemas: &[] },
    Target { name: "timestamps", run: instants::timestamps, schemas: &[] },
    Target { name: "retry_after", run: retry_after::run, schemas: &[] },
    Target { name: "overlays", run: overlays::overlay, schemas: &[] },
    Target { name: "specifications", run: overlays::specification, schemas: &[] },
    Target { name: "sandbox", run: sandbox::run, schemas: &[] },
];

/// Creates a folder in memory, if the system has one, because files on disks are slow.
fn memory_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.unwrap_or_else(|error| panic!("no folder: {error}"))
}

/// Returns all targets.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    responses::RESOURCES.iter().chain(GENERAL_TARGETS)
}

/// Returns the target with this name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    targets().find(|target| target.name == name)
}

impl Target {
    /// Returns one of the target's schemas, selected by `at`. In half of the cases it is a list of the schema, since some responses are
    /// lists.
    #[must_use]
    pub fn schema(&self, at: usize) -> Option<Value> {
        let name = self.schemas.get((at / 2) % self.schemas.len().max(1))?;
        let schema = OPENAPI.schemas.get(*name)?.clone();
        Some(if at.is_multiple_of(2) { schema } else { serde_json::json!({"type": "array", "items": schema}) })
    }

    /// Whether inputs are JSON, which JSON mutations can change. YAML includes JSON.
    #[must_use]
    pub fn reads_json(&self) -> bool {
        let other = ["blocks", "manifests", "overlays", "plans", "recordings", "specifications", "states"];
        !self.schemas.is_empty() || other.contains(&self.name)
    }
}
