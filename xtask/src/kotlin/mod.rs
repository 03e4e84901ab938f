//! The Kotlin package and its companion artifacts.

mod bench;
mod bindings;
mod future_api;
mod maven;
mod package;
mod public_api;
mod reference;
mod release;
mod test;
mod test_build;

use std::path::Path;

use vitalwire_codegen::file::File;

use crate::ecosystem::Ecosystem;
use crate::language::{Bench, Language, Package, Reference, Runner};
use crate::public_api::PublicApi;
use crate::steps::{Context, Step};
use crate::uniffi;

pub(crate) struct Kotlin;

const RUNNERS: [Runner; 1] = [Runner {
    name: "kotlin",
    about: "The Kotlin package, on a JVM",
    missing: |_| Ok(maven::missing()),
    command: |root, _| Ok(format!("java @{}", test_build::conformance_runner(root)?.display())),
}];

impl Language for Kotlin {
    fn prepare(&self, context: &Context) -> Vec<(&'static str, anyhow::Result<()>)> {
        vec![("Kotlin", maven::download(&context.root))]
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
