//! The C library and its C++ header.

mod bench;
mod headers;
mod package;
mod public_api;
mod reference;
mod release;
mod test;
mod test_build;
mod tools;

use std::path::Path;

use vitalwire_codegen::file::File;

use crate::ecosystem::Ecosystem;
use crate::language::{Bench, Language, Package, Reference, Runner};
use crate::public_api::PublicApi;
use crate::steps::Step;

/// Implements [`Language`] for C and C++.
pub(crate) struct C;

const RUNNERS: [Runner; 2] = [
    Runner { name: "c", about: "The C library", missing: |_| Ok(tools::missing()), command: |root, _| runner(root, "conformance") },
    Runner {
        name: "cpp",
        about: "The C++ header of the C library",
        missing: |_| Ok(tools::missing()),
        command: |root, _| runner(root, "conformance_cpp"),
    },
];

impl Language for C {
    fn generate(&self, root: &Path) -> anyhow::Result<Vec<File>> {
        headers::headers(root)
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

/// Builds the runners and returns the path of one.
fn runner(root: &Path, name: &str) -> anyhow::Result<String> {
    Ok(test_build::conformance_runners(root)?.join(name).display().to_string())
}
