//! A client of an integrator's own: a crate that `codegen --overlay --out` writes, built into a stranger's program, which calls the sandbox.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::count::Count;
use super::sandbox::Sandbox;
use super::step::{Context, Outcome, show};
use crate::codegen::Codegen;

/// The overlay of `openapi/README.md`: other providers, and no deprecated metrics.
const OVERLAY: &str = "crates/vitalwire-codegen/tests/fixtures/overlays/own-service.yaml";

const MANIFEST: &str = r#"[package]
name = "stranger"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
own-health = { path = "../client" }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#;

/// Asks for a person and their steps, and knows the providers of the overlay alone.
const PROGRAM: &str = r#"use own_health::Client;
use own_health::open_sets::ProviderSlug;
use own_health::value::OpenSet;

#[tokio::main]
async fn main() -> Result<(), own_health::Error> {
    let client = Client::from_env()?;
    let user = client.user().info().await?;
    let providers = client.user().properties().await?;
    assert_eq!(ProviderSlug::KNOWN, ["acme_ring", "acme_scale"]);
    println!("{} {}", user.meta().status, providers.meta().status);
    Ok(())
}
"#;

/// Writes the crate, builds the program on it, and calls a sandbox.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let folder = context.target.join("own-client");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let client = folder.join("client");
    Codegen::own("own-health", vec![PathBuf::from(OVERLAY)], &client).run(&context.root)?;
    let stranger = folder.join("stranger");
    put(&stranger.join("Cargo.toml"), MANIFEST)?;
    put(&stranger.join("src/main.rs"), PROGRAM)?;
    fs::copy(context.root.join("Cargo.lock"), stranger.join("Cargo.lock"))?;
    let sandbox = Sandbox::start(&context.root)?;
    let mut program = context.cargo();
    program.current_dir(&stranger).args(["run", "--quiet"]).env("CARGO_TARGET_DIR", context.target.join("own-client-target"));
    program.envs(sandbox.environment());
    let printed = show(&mut program)?;
    sandbox.stop()?;
    Ok(Outcome::Ran(Count::of(printed.success && printed.output.contains("200 200"))))
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().context("a file has a folder")?)?;
    fs::write(path, text)?;
    Ok(())
}
