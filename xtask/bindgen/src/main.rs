//! Writes uniffi's bindings of a library into a folder. `cargo xtask codegen` edits them.

use anyhow::Context as _;
use clap::{Parser, ValueEnum};
use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate};

/// Write uniffi's bindings of a library. Run this program in the workspace's folder, where uniffi looks for its settings.
#[derive(Debug, Parser)]
struct Options {
    language: Language,
    /// Path of the built library.
    library: String,
    /// Crate whose bindings are written.
    #[arg(long = "crate", value_name = "NAME")]
    name: String,
    /// File with settings that override those of the crate.
    #[arg(long)]
    config: String,
    /// Output folder.
    #[arg(long)]
    out: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Kotlin,
    Swift,
}

fn main() -> anyhow::Result<()> {
    Options::parse().run()
}

impl Options {
    fn run(self) -> anyhow::Result<()> {
        generate(GenerateOptions {
            languages: vec![match self.language {
                Language::Kotlin => TargetLanguage::Kotlin,
                Language::Swift => TargetLanguage::Swift,
            }],
            source: self.library.into(),
            out_dir: self.out.into(),
            config_override: Some(self.config.into()),
            format: false,
            crate_filter: Some(self.name),
            metadata_no_deps: true,
        })
        .context("running uniffi")
    }
}
