//! `cargo xtask layers`: which crate uses which, and which module within a crate; fails where modules use each other in a circle.

mod graph;
mod uses;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::Value;

use graph::Graph;

/// Print the layers of crates and modules; fail where modules use each other in a circle.
#[derive(Debug, Default, Args)]
pub(crate) struct Layers {
    /// Print circles alone.
    #[arg(long)]
    check: bool,
}

impl Layers {
    /// `--check`.
    pub(crate) fn checking() -> Self {
        Self { check: true }
    }

    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// Names the modules of each circle.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let packages = packages(root)?;
        let mut crates = Graph::default();
        for (name, package) in &packages {
            crates.add(name);
            package.uses.iter().filter(|used| packages.contains_key(*used)).for_each(|used| crates.uses(name, used));
        }
        if !self.check {
            crate::say(&format!("crates\n{}", crates.picture()));
        }
        let mut circles = Vec::new();
        for (name, package) in &packages {
            let modules = uses::modules(Path::new(&package.source)).with_context(|| format!("reading {name}"))?;
            if !self.check {
                crate::say(&format!("{name}\n{}", modules.picture()));
            }
            // What is generated may go round by itself.
            let own = |circle: &Vec<String>| circle.iter().any(|module| !module.starts_with(uses::GENERATED));
            let own = modules.circles().into_iter().filter(own);
            circles.extend(own.map(|circle| format!("{name}: {}", circle.join(" and "))));
        }
        ensure!(circles.is_empty(), "modules use each other in a circle:\n{}", circles.join("\n"));
        Ok(())
    }
}

/// A crate of the workspace.
struct Package {
    /// The folder of its sources.
    source: String,
    /// What it depends on, tests aside.
    uses: Vec<String>,
}

fn packages(root: &Path) -> anyhow::Result<BTreeMap<String, Package>> {
    let output = std::process::Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata without packages")?;
    let one = |package: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?.join("src");
        let uses = package["dependencies"].as_array()?.iter().filter(|used| used["kind"].is_null());
        Some((
            text(&package["name"]),
            Package { source: folder.to_str()?.to_owned(), uses: uses.map(|used| text(&used["name"])).collect() },
        ))
    };
    Ok(packages.iter().filter_map(one).collect())
}
