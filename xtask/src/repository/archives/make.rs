//! Builds archives like a release: with cargo for every published crate, with maturin for the Python packages.

use std::path::Path;

use anyhow::{Context as _, ensure};
use cargo_metadata::Package;

use super::archive::{Archive, CRATES, Kind};
use crate::archive::unpack;
use crate::cargo;
use crate::process::execute;
use crate::pypi::environment;
use crate::python::wheel::PACKAGES;
use crate::steps::Context;

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
        let own = cargo::folder(member, &context.root)?;
        let mut archive = unpack_archive(folder, &file, member.name.to_string(), Kind::Crate, &context.root.join(own))?;
        // Use the workspace's layout, in which members depend on each other by path.
        let own = folder.join(CRATES).join(own);
        std::fs::create_dir_all(own.parent().unwrap_or(folder))?;
        std::fs::rename(&archive.folder, &own)?;
        archive.folder = own;
        Ok(archive)
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
        unpack_archive(folder, &file.path(), (*package).to_owned(), Kind::Sources, &context.root)
    });
    made.collect()
}

/// Unpacks an archive with a single folder, named like the file.
fn unpack_archive(folder: &Path, file: &Path, package: String, kind: Kind, origin: &Path) -> anyhow::Result<Archive> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (into, stem) = match kind {
        Kind::Crate => (folder.join(CRATES), name.trim_end_matches(".crate")),
        Kind::Sources => (folder.join("sources"), name.trim_end_matches(".tar.gz")),
    };
    ensure!(unpack(file, &into)?, "{name} must be an archive");
    let own = into.join(stem);
    ensure!(own.is_dir(), "{name} must have a folder {stem}");
    Ok(Archive { packed: std::fs::metadata(file)?.len(), folder: own, origin: origin.to_path_buf(), name, package, kind })
}
