//! A synthetic response to every operation. `samples.json` is written by the sandbox (`cargo xtask samples`).

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

/// Returns a synthetic response to every operation, recorded from the sandbox (feature `samples`). The people in them do not exist.
///
/// To replace one, [`MockResponses::clear`] the operation, then [`MockResponses::add`] yours.
#[must_use]
pub fn samples() -> MockResponses {
    let responses = MockResponses::new();
    // The text is this crate's own, and a test reads it.
    let samples: BTreeMap<&str, Sample<'_>> = serde_json::from_str(SAMPLES).unwrap_or_default();
    for (operation, sample) in samples {
        let response = sample.body.map_or_else(|| MockResponse::status(sample.status), |body| MockResponse::json(body.get()));
        responses.add(operation, response.with_status(sample.status));
    }
    responses
}
