//! Compiles unpacked archives in an otherwise empty folder: crates against each other, and sources to wheels, which are installed and run.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime};

use anyhow::Context as _;
use cargo_metadata::Package;
use toml::{Table, Value as Toml};

use super::archive::{Archive, CRATES, Kind};
use super::stubs;
use crate::cargo;
use crate::folder::files;
use crate::paths::{PrivatePaths, SearchScope};
use crate::process::execute;
use crate::python::wheel::shared_cargo;
use crate::steps::Context;

/// The program that the packages built from sources must run.
const FIRST: &str = "import vitalwire; sandbox = vitalwire.Sandbox().start(); sandbox.client().user.info(); sandbox.close()";

/// Compiles all archives and returns the problems of each, in their order.
pub(super) fn compile_all(
    context: &Context,
    folder: &Path,
    archives: &[Archive],
    members: &[Package],
    places: &PrivatePaths,
) -> anyhow::Result<Vec<Vec<String>>> {
    let environment = BuildEnvironment { context, folder, members };
    let crates: Vec<&Archive> = archives.iter().filter(|archive| archive.kind == Kind::Crate).collect();
    let names: Vec<&str> = crates.iter().map(|archive| archive.name.as_str()).collect();
    let crates_failure = timed(&names.join(", "), || environment.crates(&crates)).err().map(|error| format!("{error:#}"));
    let mut problems = Vec::new();
    for archive in archives {
        problems.push(match archive.kind {
            Kind::Crate => crates_failure.iter().map(|text| blame(&archive.package, text)).collect(),
            Kind::Sources => match timed(&archive.name, || environment.wheel(archive)) {
                Ok(wheel) => places.search(&wheel, SearchScope::Texts)?,
                Err(error) => vec![format!("cannot be compiled: {error:#}")],
            },
        });
    }
    // Test them together once all compile.
    if problems.iter().all(Vec::is_empty) {
        let sources = archives.iter().position(|archive| archive.kind == Kind::Sources).context("there is no source distribution")?;
        problems[sources].extend(environment.first_use().err().map(|error| format!("cannot be used: {error:#}")));
    }
    Ok(problems)
}

/// Runs `compile` and prints its time if it succeeds.
fn timed<T>(names: &str, compile: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let started = Instant::now();
    let made = compile()?;
    crate::print_line(&format!("compiled in {:.1} s: {names}", started.elapsed().as_secs_f64()));
    Ok(made)
}

/// Attributes a failure of all crates to one of them.
fn blame(package: &str, text: &str) -> String {
    if text.contains(&format!("could not compile `{package}`")) {
        return format!("cannot be compiled: {text}");
    }
    if text.contains("could not compile `") {
        "was not compiled, because another failed".to_owned()
    } else {
        format!("was not compiled: {text}")
    }
}

struct BuildEnvironment<'a> {
    context: &'a Context,
    folder: &'a Path,
    members: &'a [Package],
}

impl BuildEnvironment<'_> {
    /// Sets up a program that runs cargo in a folder, without a network. Third-party crates come from the workspace's build.
    fn configure<'a>(&self, command: &'a mut Command, folder: &Path) -> &'a mut Command {
        command
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", self.folder.join("built"))
            .env("CARGO_BUILD_BUILD_DIR", &self.context.target)
            .env("CARGO_NET_OFFLINE", "true")
            // Third-party crates have their own setting, so this one affects only our crates. It keeps cargo from mistaking them for those
            // of the workspace.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // Do not run the workspace's lints.
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            // Use the workspace's configuration of pyo3.
            .env("PYO3_CONFIG_FILE", self.context.root.join("crates/vitalwire-python/pyo3-abi3.txt"))
    }

    /// Builds all crates in one workspace, in which they depend on each other by path.
    fn crates(&self, archives: &[&Archive]) -> anyhow::Result<()> {
        let at = self.folder.join(CRATES);
        let mut manifest: Table = std::fs::read_to_string(self.context.root.join("Cargo.toml"))?.parse()?;
        let own = |archive: &&Archive| {
            let folder = archive.folder.strip_prefix(&at).unwrap_or(&archive.folder).to_string_lossy().into_owned();
            (archive.package.clone(), Toml::Table(Table::from_iter([("path".to_owned(), Toml::from(folder))])))
        };
        let patches = Table::from_iter([("crates-io".to_owned(), Toml::Table(archives.iter().map(own).collect()))]);
        manifest.insert("patch".to_owned(), Toml::Table(patches));
        std::fs::write(at.join("Cargo.toml"), manifest.to_string())?;
        std::fs::copy(self.context.root.join("Cargo.lock"), at.join("Cargo.lock"))?;
        stubs::add(self.members, &self.context.root, &at)?;
        // Archives lack test dependencies that are in no registry. cargo removes only these from the lock file.
        let mut build = self.context.cargo();
        build.args(["build", "--quiet", "--workspace", "--all-features"]);
        execute(self.configure(&mut build, &at)).map(drop)
    }

    /// Builds the wheel of unpacked sources.
    fn wheel(&self, archive: &Archive) -> anyhow::Result<PathBuf> {
        stubs::add(self.members, &self.context.root, &archive.folder)?;
        // Touch the files: cargo would mistake this workspace for the previous one, whose stubs are not older.
        for file in files(&archive.folder)? {
            File::options().write(true).open(file)?.set_modified(SystemTime::now())?;
        }
        let out = self.folder.join("wheels").join(&archive.name);
        let mut build = cargo::clean_command(self.context.target.join("python/tools/bin/maturin"));
        build.args(["build", "--profile", "dev", "--out"]).arg(&out).env("CARGO", shared_cargo(&self.context.target)?);
        execute(self.configure(&mut build, &archive.folder))?;
        Ok(std::fs::read_dir(out)?.next().context("maturin built no wheel")??.path())
    }

    /// Installs all wheels into a new environment without an index, which proves that they need nothing else.
    fn first_use(&self) -> anyhow::Result<()> {
        let user = self.folder.join("user");
        execute(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&user))?;
        let mut install = Command::new(self.context.target.join("python/tools/bin/pip"));
        install.arg("--python").arg(user.join("bin/python")).args(["install", "--quiet", "--disable-pip-version-check", "--no-index"]);
        for built in std::fs::read_dir(self.folder.join("wheels"))? {
            for wheel in std::fs::read_dir(built?.path())? {
                install.arg(wheel?.path());
            }
        }
        execute(&mut install)?;
        execute(Command::new(user.join("bin/python")).args(["-I", "-c", FIRST]).current_dir(&user))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_attributed_to_the_crate_that_failed() {
        let text = "cargo failed:\nerror: could not compile `vitalwire-sandbox` (lib) due to 1 previous error";
        assert_eq!(blame("vitalwire-sandbox", text), format!("cannot be compiled: {text}"));
        assert!(blame("vitalwire", text).starts_with("was not compiled") && !blame("vitalwire", text).contains("cargo failed"));
        assert!(blame("vitalwire", "error: failed to select a version").ends_with("failed to select a version"));
    }
}
