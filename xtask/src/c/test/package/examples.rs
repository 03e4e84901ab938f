//! Runs examples that need more than a compiler: one in Go, and one with DuckDB's library. Skips an example if its tools are missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::consumer::Consumer;
use crate::cargo;
use crate::npm;
use crate::process::{execute, has};
use crate::steps::{Context, Count, run_and_show};

/// Folder of the package's examples.
const EXAMPLES: &str = "share/doc/vitalwire/examples";

/// DuckDB's library, from npm.
const DUCKDB: (&str, &str) = ("@duckdb/node-bindings-linux-x64", "1.5.6-r.1");

/// The crate that contains DuckDB's header of the same version.
const DUCKDB_HEADER: (&str, &str) = ("libduckdb-sys", "1.10506.1");

/// The header's path in the archive, and the archive's path in the crate.
const DUCKDB_INCLUDE: (&str, &str) = ("duckdb/src/include", "duckdb.tar.gz");

impl Consumer<'_> {
    /// Builds and runs the available examples.
    pub(super) fn examples(&self, context: &Context) -> anyhow::Result<Count> {
        let mut count = Count::default();
        if has("go") && cfg!(target_os = "linux") {
            count += Count::from_check(self.prints(context, self.go()?, "2025-11-20 1267 steps")?);
        } else {
            crate::print_line("Go is missing: skipping its example");
        }
        if has("npm") && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            count += Count::from_check(self.prints(context, self.duckdb(&context.target)?, "2025-11-20 1267 steps")?);
        } else {
            crate::print_line("npm is missing, or this is not Linux on x86-64: skipping DuckDB's example");
        }
        Ok(count)
    }

    fn go(&self) -> anyhow::Result<Command> {
        let folder = self.folder.join("go");
        fs::create_dir_all(&folder)?;
        for name in ["go.mod", "main.go"] {
            fs::copy(self.prefix.join(EXAMPLES).join("go").join(name), folder.join(name))?;
        }
        let mut go = Command::new("go");
        go.current_dir(&folder).args(["build", "-o", "program", "."]).env("PKG_CONFIG_PATH", self.pkg_config_path());
        execute(go.env("GOCACHE", self.folder.join("go-cache")).env("GOTOOLCHAIN", "local").env("CGO_ENABLED", "1"))?;
        let mut run = Command::new(folder.join("program"));
        run.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        Ok(run)
    }

    fn duckdb(&self, target: &Path) -> anyhow::Result<Command> {
        let folder = target.join("duckdb");
        fs::create_dir_all(&folder)?;
        let (name, version) = DUCKDB;
        let library = npm::package(&folder, &format!("{name}@{version}"), "library")?.join(name);
        let header = header(&folder)?;
        let program = self.folder.join("arrow_to_duckdb");
        let flags =
            execute(Command::new("pkg-config").args(["--cflags", "--libs", "vitalwire"]).env("PKG_CONFIG_PATH", self.pkg_config_path()))?;
        let mut compile = Command::new("c++");
        compile.args(["-std=c++17", "-isystem"]).arg(header).arg(self.prefix.join(EXAMPLES).join("arrow_to_duckdb.cpp"));
        compile.args(flags.split_whitespace()).arg("-L").arg(&library).arg("-lduckdb").arg("-o").arg(&program);
        execute(&mut compile)?;
        let mut run = Command::new(program);
        run.env("LD_LIBRARY_PATH", std::env::join_paths([self.prefix.join("lib"), library])?);
        Ok(run)
    }

    /// Whether a program succeeds with the sandbox and prints a line with this prefix.
    fn prints(&self, context: &Context, mut program: Command, line: &str) -> anyhow::Result<bool> {
        let printed = run_and_show(context.with_sandbox(program.current_dir(self.folder))?)?;
        Ok(printed.success && printed.output.lines().any(|printed| printed.starts_with(line)))
    }
}

/// Returns the folder with DuckDB's header.
fn header(folder: &Path) -> anyhow::Result<PathBuf> {
    let (include, archive) = DUCKDB_INCLUDE;
    let unpacked = folder.join(include);
    if unpacked.join("duckdb.h").is_file() {
        return Ok(unpacked);
    }
    let (name, version) = DUCKDB_HEADER;
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"header\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         {name} = {{ version = \"={version}\", default-features = false }}\n[lib]\npath = \"lib.rs\"\n"
    );
    fs::write(&manifest, text)?;
    fs::write(folder.join("lib.rs"), "")?;
    let mut cargo = cargo::command();
    let output = cargo.args(["metadata", "--format-version", "1", "--quiet", "--manifest-path"]).arg(&manifest).output()?;
    ensure!(output.status.success(), "{name} cannot be downloaded");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages.find(|package| package["name"] == name).and_then(|package| package["manifest_path"].as_str());
    let archive = Path::new(manifest.context("cargo does not print its folder")?).with_file_name(archive);
    execute(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).arg(format!("{include}/duckdb.h")))?;
    Ok(unpacked)
}
