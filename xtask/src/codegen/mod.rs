//! `cargo xtask codegen`: everything that is generated, in one command.
//!
//! Stage 1 is pure: specifications → IR → files. Stage 2 runs foreign generators over what stage 1 made. Only [`write`] touches
//! the disk.

mod emit;
mod foreign;
mod format;
mod ir;
mod naming;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
pub(crate) use xtask_spec as spec;

/// Regenerate every generated file from `openapi/`.
#[derive(Debug, Default, Args)]
pub(crate) struct Codegen {
    /// Write nothing; print a diff and fail where a committed file is stale.
    #[arg(long)]
    check: bool,
    /// Print the intermediate representation as JSON and write nothing.
    #[arg(long)]
    dump_ir: bool,
    /// A further overlay, applied after ours; needs --out.
    #[arg(long, value_name = "FILE", requires = "out")]
    overlay: Vec<PathBuf>,
    /// Write into this folder instead of the workspace.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Codegen {
    /// `--check`.
    pub(crate) fn checking() -> Self {
        Self { check: true, ..Self::default() }
    }

    /// Runs the command in the workspace at `root`.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let sources = spec::load(root, &self.overlay)?;
        let mut ir = ir::build(&sources)?;
        ir.error_kinds = ir::error_kinds(root)?;
        if self.dump_ir {
            crate::say(&serde_json::to_string_pretty(&ir)?);
            return Ok(());
        }
        let mut files = emit::all(&ir, &sources)?;
        let origin = write::Origin::of(&sources);
        for file in &mut files {
            format::format(root, file).with_context(|| format!("formatting {}", file.path))?;
            origin.mark(file);
        }
        let target = self.out.as_deref().unwrap_or(root);
        if self.check {
            if self.out.is_none() {
                write::same(root, &files)?;
                files.extend(foreign(root, &origin)?);
            }
            return write::check(target, &files);
        }
        let further = || if self.out.is_none() { foreign(root, &origin) } else { Ok(Vec::new()) };
        let (count, done) = in_stages(target, files, further)?;
        crate::say(&format!("codegen: {count} files, {} written, {} deleted", done.written, done.deleted));
        Ok(())
    }
}

/// Writes what stage 1 made, then what stage 2 makes of it, which it reads from the disk; how many files there are, and what was
/// done in both.
fn in_stages(
    target: &Path,
    mut files: Vec<emit::File>,
    further: impl FnOnce() -> anyhow::Result<Vec<emit::File>>,
) -> anyhow::Result<(usize, write::Done)> {
    let first = write::only(target, &files)?;
    files.extend(further()?);
    let mut done = write::write(target, &files)?;
    done.written += first;
    Ok((files.len(), done))
}

/// uniffi's bindings of the library that tests have, with the functions that only tests call.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn uniffi_bindings(root: &Path, library: &Path) -> anyhow::Result<Vec<emit::File>> {
    foreign::uniffi::of(root, library, foreign::uniffi::Probe::Kept)
}

/// Stage 2.
fn foreign(root: &Path, origin: &write::Origin) -> anyhow::Result<Vec<emit::File>> {
    let mut files = vec![foreign::cbindgen::header(root)?];
    files.extend(foreign::uniffi::bindings(root)?);
    files.iter_mut().for_each(|file| origin.mark(file));
    Ok(files)
}
