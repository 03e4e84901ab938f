//! Generates code and documents from the OpenAPI specifications in `openapi/`.
//!
//! Stage 1 is pure: specifications ▸ [`read`] ▸ [`ir`] ▸ [`targets`] ▸ files. Each target is a module with the spelling, the templates
//! and the conformance runner of its language. Stage 2 is left to the caller: it runs third-party generators on the files of stage 1.
//! Only [`write`] writes to the disk.

pub mod c;
mod conformance;
pub mod cpp;
pub mod diff;
mod docs;
mod examples;
pub mod file;
mod filters;
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
use write::{Origin, WriteSummary};

/// Options of a run.
#[derive(Debug, Default)]
pub struct Run {
    /// Compares instead of writing. Prints a diff and fails if a committed file is stale.
    pub check: bool,
    /// Prints the intermediate representation as JSON and writes nothing.
    pub dump_ir: bool,
    /// Prints which languages have which settings, options and error fields, and writes nothing.
    pub languages_report: bool,
    /// Prints the changes since the specifications of this checkout and the languages that they break, and writes nothing.
    pub diff: Option<PathBuf>,
    /// Additional overlays, applied after the workspace's own.
    pub overlays: Vec<PathBuf>,
    /// Folder and description of a separate crate to write, instead of the workspace's files.
    pub out: Option<(PathBuf, Package)>,
}

impl Run {
    /// Runs the generator in the workspace at `root`. `foreign` runs stage 2 on the files that stage 1 wrote. `say` prints lines of output.
    ///
    /// # Errors
    /// Returns all findings of the specifications at once, or the first failure to format, generate or write a file.
    pub fn run(&self, root: &Path, foreign: impl Fn() -> anyhow::Result<Vec<File>>, say: impl Fn(&str)) -> anyhow::Result<()> {
        if self.languages_report {
            say(&ir::features::report());
            return Ok(());
        }
        let sources = spec::load(root, &self.overlays)?;
        let mut ir = read::build(&sources)?;
        ir.error_kinds = read::error_kinds(root)?;
        ir.samples = read::samples(root)?;
        if let Some(old) = &self.diff {
            let read = spec::load(old, &[]).and_then(|sources| read::build(&sources));
            let old = read.with_context(|| format!("reading the old interface, `openapi/` in {}", old.display()))?;
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
                write::check_output_folder(folder)?;
                package::emit(&ir, &sources, root, package)?
            }
        };
        let origin = Origin::new(&sources);
        for file in &mut files {
            format::format(root, file).with_context(|| format!("formatting {}", file.path))?;
            origin.mark(file);
        }
        let stage_two = || {
            let mut files = if self.out.is_none() { foreign()? } else { Vec::new() };
            files.iter_mut().for_each(|file| origin.mark(file));
            Ok(files)
        };
        let target = self.out.as_ref().map_or(root, |(folder, _)| folder.as_path());
        if self.check {
            if self.out.is_none() {
                write::check_listed(root, &files, &say)?;
                files.extend(stage_two()?);
            }
            return write::check(target, &files, &say);
        }
        let (count, done) = write_in_stages(target, files, stage_two)?;
        say(&format!("codegen: {count} files, {} written, {} deleted", done.written, done.deleted));
        Ok(())
    }
}

/// Writes the files of stage 1, runs `further` on them, and writes its files. Returns the number of files, and how many were written and
/// deleted.
///
/// # Errors
/// If `further` fails or a file cannot be written.
pub fn write_in_stages(
    target: &Path,
    mut files: Vec<File>,
    further: impl FnOnce() -> anyhow::Result<Vec<File>>,
) -> anyhow::Result<(usize, WriteSummary)> {
    let first = write::write_changed(target, &files)?;
    files.extend(further()?);
    let mut done = write::write(target, &files)?;
    done.written += first;
    Ok((files.len(), done))
}
