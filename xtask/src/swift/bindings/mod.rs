//! uniffi's bindings for Swift as edited for the package: a faster reader, no unused code and no comments.

mod prune;
mod reader;
mod server;

use anyhow::{Context as _, bail};
use vitalwire_codegen::file::File;

use super::layout::{FOLDER, HEADER, MODULE, SERVER_HEADER};
use crate::uniffi::lines::remove_comments;
use crate::uniffi::{FINGERPRINT, Generator, Probe};

/// The bindings for Swift. uniffi's own checksums replace the fingerprint.
pub(super) const GENERATOR: Generator =
    Generator { language: "swift", sources: &["VitalwireFFI.swift", "CVitalwireFFI.h"], excluded: &[FINGERPRINT], edit };

/// Path of the bindings in the package.
pub(super) const BINDINGS: &str = "Sources/VitalwireFFI/Generated/VitalwireFFI.swift";

fn edit(texts: &[String], _: Probe) -> anyhow::Result<Vec<File>> {
    let [bindings, header] = texts else { bail!("uniffi must write bindings and a header for Swift") };
    let bindings =
        reader::replace_reader(bindings).and_then(|text| prune::remove_text_functions(&text)).context("editing the Swift bindings")?;
    let header = prune::keep_called_functions(header, &bindings).context("editing the C header for Swift")?;
    let bindings = server::add_conditions(&bindings).context("editing the Swift bindings")?;
    let (header, server) = server::split_header(&header, &format!("{MODULE}.h")).context("editing the C header for Swift")?;
    Ok(vec![
        File::new(format!("{FOLDER}/{BINDINGS}"), remove_comments(&bindings)),
        File::new(HEADER, header),
        File::new(SERVER_HEADER, server),
    ])
}
