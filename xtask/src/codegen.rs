//! `cargo xtask codegen`: generates all files. In stage 1, `vitalwire-codegen` generates files from the specifications. Stage 2, in this
//! module, runs third-party generators that need cargo's output, lists error messages, and writes the schema of the conformance cases.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueEnum};
use vitalwire_codegen::Run;
use vitalwire_codegen::file::File;
use vitalwire_codegen::package::{Package, Wrapper};

use crate::{error_messages, judge, languages};

/// Regenerate every generated file from `openapi/`.
#[derive(Debug, Default, Args)]
pub(crate) struct Codegen {
    /// Write nothing; print a diff and fail if a committed file is stale.
    #[arg(long)]
    check: bool,
    /// Print the intermediate representation as JSON and write nothing.
    #[arg(long)]
    dump_ir: bool,
    /// Print the settings, call options and error fields of each language, with the reason for each missing one.
    #[arg(long = "languages")]
    languages_report: bool,
    /// Print the changes since another checkout's `openapi/` and the languages in which callers break; write nothing.
    #[arg(long, value_name = "DIR")]
    diff: Option<PathBuf>,
    /// Additional overlay, applied after ours; needs --out.
    #[arg(long, value_name = "FILE", requires = "out")]
    overlay: Vec<PathBuf>,
    /// Write a client crate on top of the engine into this folder, instead of the workspace's files.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Name of the client crate.
    #[arg(long, value_name = "NAME", default_value = "own-client", requires = "out")]
    name: String,
    /// Add the generated sources of these wrappers to the client crate.
    #[arg(long, value_name = "WRAPPERS", value_delimiter = ',', requires = "out")]
    with: Vec<WrapperName>,
}

/// A wrapper, as named on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum WrapperName {
    C,
    Python,
    Uniffi,
}

impl From<WrapperName> for Wrapper {
    fn from(with: WrapperName) -> Self {
        match with {
            WrapperName::C => Self::C,
            WrapperName::Python => Self::Python,
            WrapperName::Uniffi => Self::Uniffi,
        }
    }
}

impl Codegen {
    pub(crate) fn check_only() -> Self {
        Self { check: true, ..Self::default() }
    }

    /// Returns the command with `--overlay --out`.
    pub(crate) fn for_overlay(name: &str, overlay: Vec<PathBuf>, out: &Path) -> Self {
        Self { name: name.to_owned(), overlay, out: Some(out.to_path_buf()), ..Self::default() }
    }

    /// Runs the command in the workspace at `root`.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let package = || Package { name: self.name.clone(), wrappers: self.with.iter().copied().map(Into::into).collect() };
        if !self.dump_ir && !self.languages_report && self.diff.is_none() {
            crate::print_line("codegen: generating files from openapi/");
        }
        let out = self.out.clone().map(|folder| (folder, package()));
        let run = Run {
            check: self.check,
            dump_ir: self.dump_ir,
            languages_report: self.languages_report,
            diff: self.diff.clone(),
            overlays: self.overlay.clone(),
            out,
        };
        run.run(root, || generate_bindings(root), crate::print_line)
    }
}

/// Runs stage 2.
fn generate_bindings(root: &Path) -> anyhow::Result<Vec<File>> {
    crate::print_line("codegen: generating bindings and headers from the wrapper crates");
    let mut files = Vec::new();
    for language in languages::ALL {
        files.extend(language.generate(root)?);
    }
    crate::print_line("codegen: listing error messages and writing the schema of the cases");
    files.push(error_messages::list(root)?);
    files.push(case_schema(root)?);
    Ok(files)
}

/// Returns the schema of the conformance cases.
fn case_schema(root: &Path) -> anyhow::Result<File> {
    let output = Command::new(judge::program(root)?).arg("schema").output()?;
    anyhow::ensure!(output.status.success(), "the schema of the cases failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(File::new("tests/conformance/case.schema.json", String::from_utf8(output.stdout)?))
}
