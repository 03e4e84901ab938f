//! Builds archives like a release: with cargo for every published crate, with maturin for the Python packages.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use cargo_metadata::Package;

use crate::archive::unpack;
use crate::cargo;
use crate::process::execute;
use crate::pypi::environment;
use crate::python::wheel::PACKAGES;
use crate::steps::Context;

/// An archive that was built and unpacked.
pub(super) struct Archive {
    /// File name of the archive.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Size of the archive in bytes.
    pub(super) packed: u64,
    /// Folder with the unpacked files.
    pub(super) folder: PathBuf,
    /// Source folder of the package in the workspace.
    pub(super) origin: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crate,
    /// A source distribution of a Python package.
    Sources,
}

/// Builds each archive and unpacks it below a folder.
pub(super) fn build_all(context: &Context, folder: &Path, members: &[Package]) -> anyhow::Result<Vec<Archive>> {
    let mut archives = crates(context, folder, members)?;
    archives.extend(sources(context, folder)?);
    Ok(archives)
}

/// Builds the crates without `publish = false`.
fn crates(context: &Context, folder: &Path, members: &[Package]) -> anyhow::Result<Vec<Archive>> {
    let published: Vec<&Package> = members.iter().filter(|member| member.publish.is_none()).collect();
    ensure!(!published.is_empty(), "at least one crate must be published, but all have `publish = false`");
    let mut make = context.cargo();
    // --allow-dirty: uncommitted changes are tested too.
    make.args(["package", "--no-verify", "--allow-dirty", "--locked", "--offline", "--target-dir"]).arg(folder.join("made"));
    for member in &published {
        make.args(["--package", &member.name]);
    }
    execute(&mut make).context("packaging the crates")?;
    let made = published.into_iter().map(|member| {
        let file = folder.join("made/package").join(format!("{}-{}.crate", member.name, member.version));
        unpack_archive(folder, &file, Kind::Crate, &context.root.join(cargo::folder(member, &context.root)?))
    });
    made.collect()
}

/// Builds the source distributions.
fn sources(context: &Context, folder: &Path) -> anyhow::Result<Vec<Archive>> {
    let tools = environment(&context.root, &context.target, "tools")?;
    let made = PACKAGES.iter().map(|package| {
        let out = folder.join("made/sources").join(package);
        let mut make = cargo::clean_command(tools.join("bin/maturin"));
        make.current_dir(context.root.join(package)).args(["sdist", "--out"]).arg(&out);
        execute(make.env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", &context.target))
            .with_context(|| format!("building the source distribution of {package}"))?;
        let mut files = std::fs::read_dir(&out)?.collect::<Result<Vec<_>, _>>()?;
        let file = files.pop().with_context(|| format!("maturin built no source distribution of {package}"))?;
        unpack_archive(folder, &file.path(), Kind::Sources, &context.root)
    });
    made.collect()
}

/// Unpacks an archive with a single folder, named like the file.
fn unpack_archive(folder: &Path, file: &Path, kind: Kind, origin: &Path) -> anyhow::Result<Archive> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A crate and a Python package have the same name.
    let (into, stem) = match kind {
        Kind::Crate => (folder.join("crates"), name.trim_end_matches(".crate")),
        Kind::Sources => (folder.join("sources"), name.trim_end_matches(".tar.gz")),
    };
    ensure!(unpack(file, &into)?, "{name} must be an archive");
    let own = into.join(stem);
    ensure!(own.is_dir(), "{name} must have a folder {stem}");
    Ok(Archive { packed: std::fs::metadata(file)?.len(), folder: own, origin: origin.to_path_buf(), name, kind })
}
