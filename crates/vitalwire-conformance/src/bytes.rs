//! The bytes of a body.

use std::path::Path;

use anyhow::{Context, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::case::Body;

/// The bytes of a body, not packed.
///
/// # Errors
///
/// Where the base64 is none, or the file is not there.
pub fn of(body: &Body, fixtures: &Path) -> anyhow::Result<Vec<u8>> {
    Ok(match body {
        Body::Empty => Vec::new(),
        Body::Json(value) => serde_json::to_vec(value)?,
        Body::Text(text) => text.clone().into_bytes(),
        Body::Base64(text) => BASE64_STANDARD.decode(text).context("not base64")?,
        Body::Fixture(name) => {
            ensure!(!name.contains(['/', '\\']) && !name.starts_with('.'), "a fixture is a file's name");
            std::fs::read(fixtures.join(name)).with_context(|| format!("reading the fixture `{name}`"))?
        }
        Body::Repeat(repeat) => {
            let mut text = repeat.open.clone();
            for n in 0..repeat.times {
                if n > 0 {
                    text.push_str(&repeat.between);
                }
                text.push_str(&repeat.item.replace("{n}", &n.to_string()));
            }
            text.push_str(&repeat.close);
            text.into_bytes()
        }
    })
}
