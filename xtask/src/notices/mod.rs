//! `cargo xtask notices`: the licence texts, third-party notices and bills of materials of every package.
//!
//! cargo lists the linked packages ([`graph`]), and their folders have the texts ([`files`]). One alternative of each expression is chosen
//! ([`expression`]). Common texts are removed and printed once ([`phrases`]). Linked software that is not a package is listed by hand
//! ([`additions`]). Python packages have a bill of materials too ([`bill`]).

mod additions;
mod artifacts;
mod bill;
mod entry;
mod expression;
mod files;
mod graph;
mod identify;
mod licence_texts;
mod phrases;
mod render;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::path::Path;

use anyhow::ensure;
use clap::Args;

use additions::Additions;
use artifacts::ARTIFACTS;
use bill::Checksums;
use entry::Entry;
use graph::{Graph, label};
use licence_texts::LicenceTexts;

use crate::committed::{self, CommittedFile};

/// Files of licences and notices in every package.
pub(crate) const FILES: [&str; 3] = [OWN[0], OWN[1], NAME];

/// Name of every notices file.
const NAME: &str = "THIRD-PARTY-NOTICES.txt";

/// Our own licences, in the workspace's root.
const OWN: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Write the licence texts, third-party notices and bills of materials of every released package.
#[derive(Debug, Args)]
pub(crate) struct Notices {
    /// Write nothing; fail if a committed file is stale.
    #[arg(long)]
    check: bool,
}

impl Notices {
    pub(crate) fn check_only() -> Self {
        Self { check: true }
    }

    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If packages cannot be read or have problems, or a committed file is stale.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let files = files(root)?;
        if self.check { committed::check(root, &files, "notices") } else { committed::write(root, &files) }
    }
}

/// Returns the expected content of every file.
fn files(root: &Path) -> anyhow::Result<Vec<CommittedFile>> {
    let graph = Graph::read(root)?;
    let licence_texts = LicenceTexts::read(root)?;
    let additions = Additions::read(root)?;
    let mut problems: BTreeSet<String> = additions.unused(&graph).collect();
    let checksums = Checksums::read(root)?;
    let mut files = Vec::new();
    // Read each package once, because most packages are in several artifacts.
    let mut read: BTreeMap<String, Entry<'_>> = BTreeMap::new();
    let mut linked = Vec::new();
    for artifact in &ARTIFACTS {
        let packages = graph.linked(root, artifact)?;
        for package in &packages {
            if let btree_map::Entry::Vacant(place) = read.entry(label(package)) {
                match Entry::read(package, &additions, &licence_texts) {
                    Ok(entry) => drop(place.insert(entry)),
                    Err(problem) => drop(problems.insert(problem)),
                }
            }
        }
        linked.push((artifact, packages));
        files.extend(bill::bill_of_materials(root, &graph, artifact, &checksums)?);
    }
    for (artifact, packages) in linked {
        let entries: Vec<&Entry<'_>> = packages.iter().filter_map(|package| read.get(&label(package))).collect();
        let text = render::notices(artifact, &entries, &additions, &licence_texts);
        files.extend(artifact.folders.iter().map(|folder| CommittedFile { path: format!("{folder}/{NAME}"), text: text.clone() }));
    }
    problems.iter().for_each(|problem| crate::print_line(problem));
    ensure!(problems.is_empty(), "{} packages have incomplete notices; nothing was written", problems.len());
    let mut folders: Vec<String> = ARTIFACTS.iter().flat_map(|artifact| artifact.folders).map(|&folder| folder.to_owned()).collect();
    folders.extend(graph.published(root));
    folders.sort();
    folders.dedup();
    for own in OWN {
        let text = std::fs::read_to_string(root.join(own))?;
        files.extend(folders.iter().map(|folder| CommittedFile { path: format!("{folder}/{own}"), text: text.clone() }));
    }
    Ok(files)
}
