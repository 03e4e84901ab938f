//! `cargo xtask layers`: dependencies between crates, and between modules within a crate. Fails if modules use each other in a cycle.

mod graph;
mod uses;

use std::path::Path;

use anyhow::{Context, ensure};
use cargo_metadata::DependencyKind;
use clap::Args;

use crate::cargo;
use graph::Graph;

/// Print the layers of crates and modules; fail if modules use each other in a cycle.
#[derive(Debug, Args)]
pub(crate) struct Layers {
    /// Print only cycles.
    #[arg(long)]
    pub(crate) check: bool,
}

impl Layers {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If there are cycles. Names their modules.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let packages = cargo::members(root)?;
        let mut crates = Graph::default();
        for package in &packages {
            crates.add(&package.name);
            let used = package.dependencies.iter().filter(|used| used.kind == DependencyKind::Normal);
            let ours = used.filter(|used| packages.iter().any(|package| package.name == used.name));
            ours.for_each(|used| crates.add_use(&package.name, &used.name));
        }
        if !self.check {
            crate::print_line(&format!("crates\n{}", crates.render()));
        }
        let mut cycles = Vec::new();
        for package in &packages {
            let (name, folder) = (&package.name, root.join(cargo::folder(package, root)?));
            let modules = uses::modules(&folder.join("src")).with_context(|| format!("reading {name}"))?;
            if !self.check {
                crate::print_line(&format!("{name}\n{}", modules.render()));
            }
            // Cycles within generated code are allowed.
            let own = |cycle: &Vec<String>| cycle.iter().any(|module| !module.starts_with(uses::GENERATED));
            let own = modules.cycles().into_iter().filter(own);
            cycles.extend(own.map(|cycle| format!("{name}: {}", cycle.join(" and "))));
        }
        ensure!(cycles.is_empty(), "modules must not use each other in a cycle:\n{}", cycles.join("\n"));
        Ok(())
    }
}
