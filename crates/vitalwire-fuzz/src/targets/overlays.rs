//! Targets for the specification loader: it must report findings, never panic, and use little time and memory for a small file.

use std::time::{Duration, Instant};

use vitalwire_spec::{Findings, Sources, from_texts, lint};

/// Small specifications to which overlays are applied. They have the same features as the real ones.
const HEALTH: &str = include_str!("../../corpus/specifications/small.yaml");
const CARE: &str = "openapi: 3.0.3\ninfo: {title: Care, version: '1'}\npaths: {/x: {get: {operationId: x}}}\ncomponents: {schemas: {Care: {type: object}}}\n";

/// Maximum time for a file of a few kilobytes, with a margin for debug builds on busy machines.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Applies an overlay to small specifications.
pub fn overlay(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    load(HEALTH, text);
}

/// Loads a specification with an overlay that fits the real ones.
pub fn specification(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    load(text, include_str!("../../corpus/overlays/good.yaml"));
}

fn load(health: &str, overlay: &str) {
    let started = Instant::now();
    let loaded = from_texts([health.to_owned(), CARE.to_owned()], vec![("test.yaml".to_owned(), overlay.to_owned())]);
    let again = match loaded {
        Ok(sources) => lint_all(&sources),
        Err(findings) => findings,
    };
    let shown = again.to_string();
    assert!(shown.lines().count() > again.len(), "a finding without a line");
    assert!(started.elapsed() < MAX_TIME, "{} bytes took {:?}", health.len() + overlay.len(), started.elapsed());
}

fn lint_all(sources: &Sources) -> Findings {
    let mut findings = Findings::default();
    sources.specs.iter().for_each(|spec| lint(spec, &mut findings));
    findings
}
