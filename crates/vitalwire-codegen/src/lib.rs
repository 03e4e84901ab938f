//! From the specifications of `openapi/` to everything that is generated.
//!
//! Stage 1 is pure: specifications ▸ [`read`] ▸ [`ir`] ▸ [`targets`] ▸ files. A target is a module: each language has its spelling, its
//! templates and its conformance runner in one. Stage 2 runs foreign generators over the files of stage 1, and is the caller's. Only
//! [`write`] touches the disk.

pub mod c;
mod conformance;
pub mod cpp;
pub mod diff;
mod docs;
pub mod file;
pub mod format;
pub mod ir;
pub mod kotlin;
pub mod naming;
pub mod package;
pub mod python;
pub mod read;
mod resolved;
pub mod rust;
mod sandbox;
pub mod swift;
pub mod targets;
pub mod templates;
mod uniffi;
pub mod write;

use std::path::{Path, PathBuf};

use anyhow::Context;
pub use vitalwire_spec as spec;

use file::File;
use package::Package;
use write::{Done, Origin};

/// What a run does.
#[derive(Debug, Default)]
pub struct Run {
    /// Writes nothing; says a diff and fails where a committed file is stale.
    pub check: bool,
    /// Says the intermediate representation as JSON and writes nothing.
    pub dump_ir: bool,
    /// Says which language has which setting, option and fact of an error, and writes nothing.
    pub faces: bool,
    /// Says what changed since the contract of that checkout, and for whom, and writes nothing.
    pub diff: Option<PathBuf>,
    /// Further overlays, applied after ours.
    pub overlays: Vec<PathBuf>,
    /// A crate of one's own to write instead of the workspace's files: the folder, and what it is.
    pub out: Option<(PathBuf, Package)>,
}

impl Run {
    /// Runs in the workspace at `root`. `foreign` is stage 2, which reads what stage 1 wrote; `say` is given lines for the person
    /// who called.
    ///
    /// # Errors
    /// All findings at once; or what cannot be formatted, generated or written.
    pub fn run(&self, root: &Path, foreign: impl Fn() -> anyhow::Result<Vec<File>>, say: impl Fn(&str)) -> anyhow::Result<()> {
        if self.faces {
            say(&ir::faces::faces());
            return Ok(());
        }
        let sources = spec::load(root, &self.overlays)?;
        let mut ir = read::build(&sources)?;
        ir.error_kinds = read::error_kinds(root)?;
        ir.redacted = read::redacted(root)?;
        ir.samples = read::samples(root)?;
        if let Some(old) = &self.diff {
            let read = spec::load(old, &[]).and_then(|sources| read::build(&sources));
            let old = read.with_context(|| format!("the old contract, `openapi/` in {}", old.display()))?;
            say(&diff::report(&diff::changes(&old, &ir)));
            return Ok(());
        }
        if self.dump_ir {
            say(&serde_json::to_string_pretty(&ir)?);
            return Ok(());
        }
        let mut files = match &self.out {
            None => targets::all(&ir, &sources)?,
            Some((folder, package)) => {
                write::refuse_others(folder)?;
                package::emit(&ir, &sources, root, package)?
            }
        };
        let origin = Origin::of(&sources);
        for file in &mut files {
            format::format(root, file).with_context(|| format!("formatting {}", file.path))?;
            origin.mark(file);
        }
        let further = || {
            let mut files = if self.out.is_none() { foreign()? } else { Vec::new() };
            files.iter_mut().for_each(|file| origin.mark(file));
            Ok(files)
        };
        let target = self.out.as_ref().map_or(root, |(folder, _)| folder.as_path());
        if self.check {
            if self.out.is_none() {
                write::same(root, &files, &say)?;
                files.extend(further()?);
            }
            return write::check(target, &files, &say);
        }
        let (count, done) = in_stages(target, files, further)?;
        say(&format!("codegen: {count} files, {} written, {} deleted", done.written, done.deleted));
        Ok(())
    }
}

/// Writes what stage 1 made, then what stage 2 makes of it, which it reads from the disk; how many files there are, and what was
/// done in both.
///
/// # Errors
/// Those of `further`, and what cannot be written.
pub fn in_stages(
    target: &Path,
    mut files: Vec<File>,
    further: impl FnOnce() -> anyhow::Result<Vec<File>>,
) -> anyhow::Result<(usize, Done)> {
    let first = write::only(target, &files)?;
    files.extend(further()?);
    let mut done = write::write(target, &files)?;
    done.written += first;
    Ok((files.len(), done))
}
