//! `cargo xtask notices`: the third-party notices and bills of materials of every package.
//!
//! cargo lists the linked packages ([`linked`]), and cargo-about their licences ([`about`]). NOTICE files and licences of bundled code
//! follow ([`notice_files`]); `notices.txt.j2` has the shape of the file. Every package with compiled code has a bill of materials
//! ([`bill`]). Only the bills of Python packages are committed.
//!
//! Building cargo-about takes minutes, so `--check` does not use it. Each file has a digest of itself and of everything it is made from.

mod about;
mod artifacts;
mod bill;
mod linked;
mod notice_files;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;
use clap::Args;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use sha2::{Digest as _, Sha256};

use about::{LicenceText, Report, SETTINGS, VERSION, words};
use artifacts::{ARTIFACTS, Artifact};
use bill::Checksums;
use linked::{PackageId, Packages};

use crate::committed::{self, CommittedFile};

/// Files of licences and notices in every package.
pub(crate) const FILES: [&str; 3] = [OWN[0], OWN[1], NAME];

/// Name of every notices file.
const NAME: &str = "THIRD-PARTY-NOTICES.txt";

/// Name of the bill of materials in the archives for C and Swift.
pub(crate) const BILL: &str = "vitalwire.cyclonedx.json";

/// Our own licences. Those of a package are links to the files in the workspace's root.
const OWN: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Shape of the notices.
const TEMPLATE: &str = include_str!("notices.txt.j2");

/// Code that decides the text of the notices. A change of this code or of the template makes the notices stale.
const CODE: [&str; 2] = [include_str!("about.rs"), include_str!("notice_files.rs")];

/// Start of the line with the digest.
const DIGEST: &str = "Digest: ";

/// Write the third-party notices and bills of materials of every released package.
#[derive(Debug, Args)]
pub(crate) struct Notices {
    /// Write nothing; fail if a committed file is stale.
    #[arg(long)]
    pub(crate) check: bool,
}

impl Notices {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If packages cannot be read or have problems, or a committed file is stale.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let packages = Packages::read(root)?;
        let checksums = Checksums::read(root)?;
        let settings = std::fs::read_to_string(root.join(SETTINGS)).with_context(|| format!("reading {SETTINGS}"))?;
        let all_targets: Vec<String> = settings.parse::<toml::Table>()?.get("targets").context("no targets")?.clone().try_into()?;
        let report = if self.check { None } else { Some(Report::create(root)?) };
        let mut files = Vec::new();
        for artifact in &ARTIFACTS {
            let targets = artifact.targets(&all_targets);
            let linked = packages.linked(root, artifact, &targets)?;
            let mut inputs = shared_inputs(&settings);
            inputs.push(format!("{} {targets:?}", artifact.title));
            inputs.extend(linked.keys().map(|id| format!("{id:?} {:?}", checksums.get(id))));
            let text = match &report {
                Some(report) => seal(&render(artifact, &targets, &linked, report)?, &inputs),
                None => committed_text(root, artifact, &inputs),
            };
            files.extend(artifact.folders.iter().map(|folder| CommittedFile { path: format!("{folder}/{NAME}"), text: text.clone() }));
            files.extend(bill::committed_bill(root, &packages, artifact, &checksums)?);
        }
        if self.check { committed::check(root, &files, "notices") } else { committed::write(root, &files) }
    }
}

/// Returns the inputs of the notices of every artifact: programs, settings and texts.
fn shared_inputs(settings: &str) -> Vec<String> {
    let texts = [VERSION, settings, TEMPLATE].into_iter().chain(CODE);
    // A checkout may have other line ends.
    texts.map(|text| text.replace("\r\n", "\n")).collect()
}

/// Writes the bills of materials, which state the version of the workspace.
///
/// # Errors
/// If packages cannot be read.
pub(crate) fn write_bills(root: &Path) -> anyhow::Result<()> {
    let (packages, checksums) = (Packages::read(root)?, Checksums::read(root)?);
    let bills = ARTIFACTS.iter().map(|artifact| bill::committed_bill(root, &packages, artifact, &checksums));
    committed::write(root, &bills.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect::<Vec<_>>())
}

/// Returns the bill of materials of the artifact that is built from a crate.
///
/// # Errors
/// If packages cannot be read, or no artifact is built from the crate.
pub(crate) fn bill_of_materials(root: &Path, krate: &str) -> anyhow::Result<String> {
    let artifact = ARTIFACTS
        .iter()
        .find(|artifact| artifact.krate == krate)
        .with_context(|| format!("the notices must list an artifact of {krate}; add it to ARTIFACTS"))?;
    bill::bill_of_materials(root, &Packages::read(root)?, artifact, &Checksums::read(root)?)
}

/// Returns the committed notices of an artifact, or a text that no file has if they are stale.
fn committed_text(root: &Path, artifact: &Artifact, inputs: &[String]) -> String {
    let text = artifact.folders.first().and_then(|folder| std::fs::read_to_string(root.join(folder).join(NAME)).ok()).unwrap_or_default();
    let body: String = text.split_inclusive('\n').filter(|line| !line.starts_with(DIGEST)).collect();
    seal(&body, inputs)
}

/// Adds the digest of a text and of its inputs at the end.
fn seal(text: &str, inputs: &[String]) -> String {
    let digest = inputs.iter().fold(Sha256::new_with_prefix(text), |digest, input| digest.chain_update([0]).chain_update(input));
    let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}{DIGEST}{hex}\n")
}

/// Returns the notices of an artifact, without a digest.
fn render(artifact: &Artifact, targets: &[&str], linked: &BTreeMap<&PackageId, &Package>, report: &Report) -> anyhow::Result<String> {
    let texts = report.texts(&linked.keys().copied().cloned().collect())?;
    let mut notices: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for (id, package) in linked {
        let is_shown = |text: &str| texts.iter().any(|shown| shown.packages.contains(*id) && words(&shown.text) == words(text));
        let is_identified = texts.iter().any(|text| !text.is_standard && text.packages.contains(*id));
        for (file, text) in notice_files::notice_files(package, is_identified)?.into_iter().filter(|(_, text)| !is_shown(text)) {
            let label = format!("{} {} ({file})", id.0, id.1);
            notices.entry(words(&text)).or_insert((text, Vec::new())).1.push(label);
        }
    }
    let packages: Vec<&Package> = linked.values().copied().collect();
    render_template(artifact, targets, &packages, &texts, &notices.into_values().collect::<Vec<_>>())
}

fn render_template(
    artifact: &Artifact,
    targets: &[&str],
    packages: &[&Package],
    texts: &[LicenceText],
    notices: &[(String, Vec<String>)],
) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let values = serde_json::json!({
        "title": artifact.title, "targets": targets, "generators": artifact.generators, "packages": packages, "names": names, "texts": texts,
        "notices": notices,
    });
    let text = environment.render_str(TEMPLATE, Serde(values))?;
    Ok(text.lines().map(|line| line.trim_end().to_owned() + "\n").collect())
}
