//! A synthetic answer of every operation. `samples.json` is written by the sandbox (`cargo xtask samples`).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Answer, Answers};

const SAMPLES: &str = include_str!("samples.json");

#[derive(Deserialize)]
struct Sample<'a> {
    status: u16,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

/// A synthetic answer to every operation, as the sandbox gave it (feature `samples`). Nobody in them exists.
///
/// Answers of one's own take their places: [`Answers::clear`] an operation, then [`Answers::add`].
#[must_use]
pub fn samples() -> Answers {
    let answers = Answers::new();
    // The text is this crate's own, and a test reads it.
    let samples: BTreeMap<&str, Sample<'_>> = serde_json::from_str(SAMPLES).unwrap_or_default();
    for (operation, sample) in samples {
        let answer = sample.body.map_or_else(|| Answer::status(sample.status), |body| Answer::json(body.get()));
        answers.add(operation, answer.with_status(sample.status));
    }
    answers
}
