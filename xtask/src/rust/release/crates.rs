//! The crates, in a registry of cargo's sparse protocol.

use anyhow::{Context as _, ensure};

use super::index;
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, NIGHT, Visit, show_night};
use crate::process::execute;

pub(super) const CRATES: Ecosystem = Ecosystem { name: "crates", build, publish: None, clients: &[ADD, INSTALL] };

const ADD: Client = Client { name: "cargo add", missing: || None, install: add, first_night, expected: "2025-11-20 89 min of deep sleep" };

/// Compiles all crates, because the program depends on each of them.
const INSTALL: Client =
    Client { name: "cargo install", missing: || None, install: install_program, first_night: program_night, expected: NIGHT };

/// Folder of the crates in the registry.
const FILES: &str = "files";

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

/// Names the registry in the settings of the visit's folder.
fn use_registry(visit: &Visit) -> anyhow::Result<()> {
    // The registry gets its address only after the build.
    let download = format!("{{\"dl\":\"{}/{FILES}/{{crate}}-{{version}}.crate\"}}", visit.address);
    std::fs::write(visit.registry.join("config.json"), download)?;
    visit.write(".cargo/config.toml", &format!("[registries.vitalwire]\nindex = \"sparse+{}/\"\n", visit.address))
}

fn add(visit: &Visit) -> anyhow::Result<()> {
    use_registry(visit)?;
    execute(visit.command(cargo::program()).args(["init", "--quiet", "--vcs", "none", "--name", "stranger"]))?;
    let add = |arguments: &[&str]| execute(visit.command(cargo::program()).args(["add", "--quiet"]).args(arguments)).map(drop);
    add(&["vitalwire", "--registry", "vitalwire"])?;
    add(&["tokio", "--features", "macros,rt"])?;
    visit.write("src/main.rs", &visit.code("crates/vitalwire/README.md", "rust", 1)?)?;
    execute(visit.command(cargo::program()).args(["build", "--quiet"]))?;
    // Settings of the user can replace a source or a package.
    let lock = std::fs::read_to_string(visit.folder.join("Cargo.lock"))?;
    let expected = format!("name = \"vitalwire\"\nversion = \"{}\"\nsource = \"sparse+{}/\"", visit.version, visit.address);
    ensure!(
        lock.contains(&expected),
        "cargo must install vitalwire from the registry of the rehearsal; remove settings that replace it:\n{lock}"
    );
    Ok(())
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    visit.use_sandbox(visit.command(cargo::program()).args(["run", "--quiet"]))
}

fn install_program(visit: &Visit) -> anyhow::Result<()> {
    use_registry(visit)?;
    let mut install = visit.command(cargo::program());
    // `cargo install` reads no settings of this folder.
    install.env("CARGO_REGISTRIES_VITALWIRE_INDEX", format!("sparse+{}/", visit.address));
    // Without optimization, which takes minutes.
    install.args(["install", "vitalwire-cli", "--quiet", "--debug", "--registry", "vitalwire", "--version", visit.version, "--root", "."]);
    execute(&mut install)?;
    let installed = std::fs::read_to_string(visit.folder.join(".crates.toml"))?;
    let expected = format!("\"vitalwire-cli {} (sparse+{}/)\"", visit.version, visit.address);
    ensure!(installed.contains(&expected), "cargo must install {expected}; remove settings that replace it:\n{installed}");
    Ok(())
}

fn program_night(visit: &Visit) -> anyhow::Result<String> {
    show_night(&mut visit.command(visit.folder.join("bin/vitalwire")))
}
