//! Synthetic responses to every operation. `cargo xtask samples` writes `samples.json` from the sandbox.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{MockResponse, MockResponses};

const SAMPLES: &str = include_str!("samples.json");

#[derive(Deserialize)]
struct Sample<'a> {
    status: u16,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

/// Creates a synthetic mock response for every operation (feature `samples`). They are recorded from the sandbox; the people in them do not
/// exist.
///
/// To replace a response, [`clear`](MockResponses::clear) the operation, then [`add`](MockResponses::add) your own.
#[must_use]
pub fn samples() -> MockResponses {
    let responses = MockResponses::new();
    // `samples.json` is part of this crate, and a test parses it.
    let samples: BTreeMap<&str, Sample<'_>> = serde_json::from_str(SAMPLES).unwrap_or_default();
    for (operation, sample) in samples {
        let response = sample.body.map_or_else(|| MockResponse::status(sample.status), |body| MockResponse::json(body.get()));
        responses.add(operation, response.with_status(sample.status));
    }
    responses
}
