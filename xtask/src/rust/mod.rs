//! The crates.

mod public_api;
mod reference;
mod release;
mod test;

use crate::ecosystem::Ecosystem;
use crate::language::{Language, Reference, Runner};
use crate::public_api::PublicApi;
use crate::steps::Step;

/// Implements [`Language`] for Rust. `cargo xtask bench` measures the crates itself.
pub(crate) struct Rust;

const RUNNERS: [Runner; 2] = [
    Runner { name: "rust", about: "The async client", missing: |_| Ok(None), command: |_, judge| Ok(format!("{} rust", judge.display())) },
    Runner {
        name: "rust-blocking",
        about: "The blocking client",
        missing: |_| Ok(None),
        command: |_, judge| Ok(format!("{} rust --blocking", judge.display())),
    },
];

impl Language for Rust {
    fn runners(&self) -> &'static [Runner] {
        &RUNNERS
    }

    fn tests(&self) -> &'static [Step] {
        &test::STEPS
    }

    fn reference(&self) -> Option<Reference> {
        Some(reference::REFERENCE)
    }

    fn public_api(&self) -> PublicApi {
        public_api::PUBLIC_API
    }

    fn ecosystems(&self) -> &'static [Ecosystem] {
        &release::ECOSYSTEMS
    }
}
