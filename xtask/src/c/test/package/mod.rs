//! Tests the C and C++ package in other projects: unpacked elsewhere, with CMake, Meson and pkg-config, shared and static, gcc and clang,
//! and together with another Rust library.

mod compilers;
mod consumer;
mod examples;

use std::fs;

use anyhow::Context as _;

use crate::archive::unpack;
use crate::c::package::package;
use crate::c::release::{PROGRAMS, PROJECT};
use crate::c::tools;
use crate::folder::files;
use crate::native::{Optimization, System};
use crate::process::has;
use crate::pypi;
use crate::steps::{Context, Count, Outcome};
use consumer::Consumer;

/// Counts each program as a test: it builds, runs, and needs the expected libraries.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    // Use a folder outside the workspace, so that tools do not find files of the workspace.
    let folder = tempfile::Builder::new().prefix("vitalwire-package-c-").tempdir()?;
    let Some(compilers) = compilers::find(&context.root, folder.path())? else {
        return Ok(Outcome::Missing("no gcc or no clang; on Debian: apt install gcc clang".to_owned()));
    };
    let out = context.target.join("c-package");
    let archive = package(&context.root, &context.target, &out, Optimization::Speed, System::Native, None)?.package;
    unpack(&archive, folder.path())?;
    let name = archive.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".tar.gz"));
    let prefix = folder.path().join(name.context("the archive must be a .tar.gz file")?);
    let project = folder.path().join("project");
    fs::create_dir_all(&project)?;
    for file in files(&context.root.join(PROJECT))? {
        fs::copy(&file, project.join(file.file_name().unwrap_or_default()))?;
    }
    let tools = pypi::environment(&context.root, &context.target, "meson")?.join("bin");
    let consumer = Consumer { folder: folder.path(), prefix, project, tools };
    let mut count = Count::default();
    for compiler in &compilers {
        for build in [Consumer::cmake, Consumer::meson, Consumer::pkg_config] {
            let programs = build(&consumer, compiler)?;
            for (kind, language) in PROGRAMS {
                count += Count::from_check(consumer.runs_as_expected(compiler, kind, &programs.join(format!("{kind}_{language}")))?);
            }
        }
        count += Count::from_check(consumer.runs_beside_another_library(compiler)?);
    }
    count += Count::from_check(consumer.rejects_another_version(&compilers)?);
    count += consumer.examples(context)?;
    Ok(Outcome::Ran(count))
}

fn missing() -> Option<&'static str> {
    if let Some(what) = tools::missing() {
        return Some(what);
    }
    if !has("pkg-config") { Some("no pkg-config; on Debian: apt install pkg-config") } else { pypi::missing() }
}
