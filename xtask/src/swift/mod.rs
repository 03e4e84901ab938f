//! The Swift package.

mod bench;
mod bindings;
mod layout;
pub(crate) mod package;
mod products;
mod public_api;
mod reference;
mod release;
mod snippets;
mod test;
mod test_build;
pub(crate) mod toolchain;

use std::path::Path;

use vitalwire_codegen::file::File;

use crate::ecosystem::Ecosystem;
use crate::language::{Bench, Language, Package, Reference, Runner};
use crate::public_api::PublicApi;
use crate::steps::{Context, Step};
use crate::uniffi;

pub(crate) struct Swift;

const RUNNERS: [Runner; 1] = [Runner {
    name: "swift",
    about: "The Swift package",
    missing: toolchain::missing,
    command: |root, _| test_build::conformance_runner(root),
}];

impl Language for Swift {
    fn prepare(&self, context: &Context) -> Vec<(&'static str, anyhow::Result<()>)> {
        vec![("Swift", toolchain::missing(&context.root).map(drop))]
    }

    fn generate(&self, root: &Path) -> anyhow::Result<Vec<File>> {
        uniffi::generate(root, &bindings::GENERATOR)
    }

    fn runners(&self) -> &'static [Runner] {
        &RUNNERS
    }

    fn tests(&self) -> &'static [Step] {
        &test::STEPS
    }

    fn packages(&self) -> &'static [Package] {
        &package::PACKAGES
    }

    fn public_api(&self) -> PublicApi {
        public_api::PUBLIC_API
    }

    fn ecosystems(&self) -> &'static [Ecosystem] {
        &release::ECOSYSTEMS
    }

    fn bench(&self) -> Option<Bench> {
        Some(bench::BENCH)
    }

    fn reference(&self) -> Option<Reference> {
        Some(reference::REFERENCE)
    }
}
