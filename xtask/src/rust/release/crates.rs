//! The crates, in a registry of cargo's sparse protocol.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::index;
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, NIGHT, Visit, show_night};
use crate::folder;
use crate::process::execute;

pub(super) const CRATES: Ecosystem = Ecosystem { name: "crates", build, publish: None, clients: &[ADD, INSTALL] };

const ADD: Client = Client { name: "cargo add", missing: || None, install: add, first_night, expected: "2025-11-20 89 min of deep sleep" };

/// Compiles all crates, because the program depends on each of them.
const INSTALL: Client =
    Client { name: "cargo install", missing: || None, install: install_program, first_night: program_night, expected: NIGHT };

/// Folder of the crates in the registry.
const FILES: &str = "files";

/// Target folder of the clients, below that of the rehearsal.
const BUILT: &str = "installed-crates";

/// The crate of the program, which depends on all others.
const PROGRAM: &str = "vitalwire-cli";

/// Packages all published crates of the workspace. cargo orders them by their dependencies.
fn build(build: &Build) -> anyhow::Result<()> {
    let members = cargo::members(build.source)?;
    let published = members.iter().filter(|member| member.publish.is_none());
    let mut package = cargo::command();
    // Not verified, because the clients compile the crates from the registry.
    package.current_dir(build.source).args(["package", "--no-verify", "--locked", "--offline", "--target-dir"]).arg(build.target);
    for member in published.clone() {
        package.args(["--package", &member.name]);
    }
    execute(&mut package)?;
    for member in published {
        let name = format!("{}-{}.crate", member.name, member.version);
        let file = build.target.join("package").join(&name);
        let bytes = std::fs::read(&file).with_context(|| format!("cargo made no {name}"))?;
        build.registry.publish_bytes(&bytes, &format!("{FILES}/{name}"))?;
        build.registry.publish_bytes(index::entry(member, &members, &bytes).as_bytes(), &index::path(&member.name))?;
    }
    Ok(())
}

/// Returns a command of cargo that uses the registry of the rehearsal, and builds into a folder that both clients share.
fn cargo(visit: &Visit) -> anyhow::Result<Command> {
    // The registry gets its address only after the build.
    let download = format!("{{\"dl\":\"{}/{FILES}/{{crate}}-{{version}}.crate\"}}", visit.address);
    std::fs::write(visit.registry.join("config.json"), download)?;
    let mut cargo = visit.command(cargo::program());
    // A variable, because `cargo install` ignores configuration in this folder.
    cargo.env("CARGO_REGISTRIES_VITALWIRE_INDEX", format!("sparse+{}/", visit.address));
    cargo.env("CARGO_TARGET_DIR", visit.target.join(BUILT)).env("CARGO_PROFILE_DEV_DEBUG", "false");
    Ok(cargo)
}

/// Checks that a file of cargo names the registry as the source of a crate. Settings of the user can replace a source or a package.
fn check_source(visit: &Visit, file: &str, expected: &str) -> anyhow::Result<()> {
    let expected = format!("{expected}sparse+{}/", visit.address);
    let found = std::fs::read_to_string(visit.folder.join(file))?;
    ensure!(
        found.contains(&expected),
        "{file} must have `{expected}`; remove settings that replace the registry of the rehearsal:\n{found}"
    );
    Ok(())
}

fn add(visit: &Visit) -> anyhow::Result<()> {
    folder::remove(&visit.target.join(BUILT))?;
    let run = |arguments: &[&str]| execute(cargo(visit)?.args(arguments)).map(drop);
    run(&["init", "--quiet", "--vcs", "none", "--name", "stranger"])?;
    run(&["add", "--quiet", "vitalwire", "--registry", "vitalwire"])?;
    run(&["add", "--quiet", "tokio", "--features", "macros,rt"])?;
    visit.write("src/main.rs", &visit.code("crates/vitalwire/README.md", "rust", 1)?)?;
    run(&["build", "--quiet"])?;
    check_source(visit, "Cargo.lock", &format!("name = \"vitalwire\"\nversion = \"{}\"\nsource = \"", visit.version))
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    visit.use_sandbox(cargo(visit)?.args(["run", "--quiet"]))
}

/// Installs the program without optimization, which takes minutes.
fn install_program(visit: &Visit) -> anyhow::Result<()> {
    // Packaged manifests name no registry, so cargo would look for the dependencies of a program in the default one.
    let mut patches = String::new();
    for member in cargo::members(visit.source)?.iter().filter(|member| member.publish.is_none() && *member.name != PROGRAM) {
        let _ = writeln!(patches, "[patch.crates-io.{}]\nversion = \"{}\"\nregistry = \"vitalwire\"", member.name, visit.version);
    }
    visit.write("patch.toml", &patches)?;
    let mut install = cargo(visit)?;
    install.args(["install", PROGRAM, "--quiet", "--debug", "--registry", "vitalwire", "--version", visit.version]);
    execute(install.args(["--root", ".", "--config", "patch.toml"]))?;
    check_source(visit, ".crates.toml", &format!("\"{PROGRAM} {} (", visit.version))
}

fn program_night(visit: &Visit) -> anyhow::Result<String> {
    show_night(&mut visit.command(visit.folder.join("bin/vitalwire")))
}
