//! Python packages built like a release: wheels for old systems, linked with Zig from PyPI and tested on each CPython of this machine, and
//! source distributions. The latter are also tested on a free-threaded interpreter (3.14t or later), if there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::archive::unpack;
use crate::folder::{self, files};
use crate::native::System;
use crate::paths::{PrivatePaths, SearchScope};
use crate::process::execute;
use crate::pypi;
use crate::python::release::packages;
use crate::steps::{Context, Count, Outcome, run_and_show};
use crate::{build, cargo};

/// Interpreters to search for on PATH. `VITALWIRE_PYTHONS` adds others by their paths, separated by colons.
const INTERPRETERS: [&str; 6] = ["python3.10", "python3.11", "python3.12", "python3.13", "python3.14", "python3.14t"];
/// Tests without further dependencies, which run on every interpreter.
const TESTS: [&str; 4] = ["test_faults.py", "test_packages.py", "test_sandbox.py", "test_smoke.py"];
const NEEDED: &str = "xtask/python/smoke.txt";
/// Commands of the page about the installation.
const INSTALL: &str = "bindings/python/guide/install.sh";
/// The first command in them. The step clones this checkout instead.
const CLONE: &str = "git clone https://github.com/vitalwire/vitalwire";

/// Builds all packages and tests them on each interpreter.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let folder = context.target.join("python/shipped");
    folder::remove(&folder)?;
    packages::build_packages(&context.root, &context.target, &folder.join("released"))?;
    for file in files(&folder.join("released"))? {
        if file.starts_with(folder.join("released").join(packages::DEBUG)) {
            continue;
        }
        let kind = if file.extension().is_some_and(|extension| extension == "whl") { "wheels" } else { "sources" };
        std::fs::create_dir_all(folder.join(kind))?;
        std::fs::rename(&file, folder.join(kind).join(file.file_name().unwrap_or_default()))?;
    }
    let mut count = check_paths(context, &folder)?;
    let sources = unpack_sources(&folder, "vitalwire-")?;
    let mut tested = Vec::new();
    for (interpreter, free) in interpreters() {
        let wheels = if free {
            // Free-threaded versions cannot load stable ABI wheels. Build from the sources like pip, because the workspace's settings
            // describe the stable ABI to pyo3.
            let into = format!("wheels-{}", tested.len());
            let options = ["build", "--profile", "dev", "--interpreter", &interpreter.to_string_lossy()];
            packages::run_maturin(&context.root, &context.target, System::Native, &sources, &options, &folder.join(&into))?;
            for file in std::fs::read_dir(folder.join("wheels"))? {
                let file = file?;
                if file.file_name().to_string_lossy().starts_with("vitalwire_sandbox-") {
                    std::fs::copy(file.path(), folder.join(&into).join(file.file_name()))?;
                }
            }
            folder.join(into)
        } else {
            folder.join("wheels")
        };
        count += test(context, &interpreter, free, &wheels)?;
        tested.push(interpreter.display().to_string());
    }
    crate::print_line(&format!("tested with {}", tested.join(", ")));
    count += from_source(context, &folder)?;
    count += from_clone(context, &folder)?;
    Ok(Outcome::Ran(count))
}

/// Checks that no wheel or source distribution contains a path of this machine. Each archive is a test.
fn check_paths(context: &Context, folder: &Path) -> anyhow::Result<Count> {
    let places = PrivatePaths::new(&context.root, &context.target)?;
    let mut count = Count::default();
    for artifact in ["wheels", "sources"].iter().map(|kind| files(&folder.join(kind))).collect::<anyhow::Result<Vec<_>>>()?.concat() {
        let named = places.search(&artifact, SearchScope::Everything)?;
        named.iter().for_each(|line| crate::print_line(line));
        count += Count::from_check(named.is_empty());
    }
    Ok(count)
}

/// Returns each interpreter once, and whether it is free-threaded.
fn interpreters() -> Vec<(PathBuf, bool)> {
    let named = std::env::var_os("VITALWIRE_PYTHONS").unwrap_or_default();
    let candidates = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
    let mut found: Vec<(String, PathBuf, bool)> = Vec::new();
    for candidate in candidates.chain(INTERPRETERS.iter().map(PathBuf::from)).chain(["python3".into()]) {
        let script = "import sys, sysconfig; print(sys.version.split()[0], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";
        // Skip broken commands, such as a version manager's shims.
        let Ok(version) = Command::new(&candidate).args(["-I", "-c", script]).output() else { continue };
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        if !version.is_empty() && !found.iter().any(|(known, _, _)| *known == version) {
            let free = version.ends_with(" 1");
            found.push((version, candidate, free));
        }
    }
    found.into_iter().map(|(_, path, free)| (path, free)).collect()
}

/// Runs the tests in an environment of this interpreter with only the wheels.
fn test(context: &Context, interpreter: &Path, free: bool, wheels: &Path) -> anyhow::Result<Count> {
    let clean = context.target.join("python/shipped/clean");
    execute(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(&clean))?;
    let pip = || {
        let mut pip = Command::new(clean.join("bin/python"));
        pip.args(["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
    };
    execute(pip().args(["--no-index", "--find-links"]).arg(wheels).arg("vitalwire[sandbox]"))?;
    execute(pip().args(["--require-hashes", "--requirement"]).arg(context.root.join(NEEDED)))?;
    let mut count = Count::default();
    if free {
        let script = "import sys, vitalwire; sys.exit(sys._is_gil_enabled())";
        let lockless = run_and_show(Command::new(clean.join("bin/python")).args(["-I", "-c", script]))?.success;
        count += Count::from_check(lockless);
    }
    let mut pytest = context.program(clean.join("bin/python"), "bindings/python/tests")?;
    pytest.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider"]).args(TESTS).env("VITALWIRE_WHEELS", wheels);
    if !free {
        pytest.env("VITALWIRE_SHIPPED", "1");
    }
    if let Outcome::Ran(ran) = run_and_show(&mut pytest)?.count_tests(Count::pytest) {
        count += ran;
    }
    Ok(count)
}

/// Builds both packages from their sources like pip without a matching wheel. The sources must be complete.
fn from_source(context: &Context, folder: &Path) -> anyhow::Result<Count> {
    let clean = folder.join("clean");
    execute(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&clean))?;
    let mut install = Command::new(clean.join("bin/python"));
    install.args(["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    for file in std::fs::read_dir(folder.join("sources"))? {
        install.arg(file?.path());
    }
    // Use a debug build, because only the contents are tested.
    execute(install.env("MATURIN_PEP517_ARGS", "--profile dev").env("CARGO_TARGET_DIR", &context.target))?;
    let script = "import vitalwire; sandbox = vitalwire.Sandbox().start(); sandbox.client().user.info(); sandbox.close()";
    let works = run_and_show(Command::new(clean.join("bin/python")).args(["-I", "-c", script]))?.success;
    // The build from copied sources has overwritten the program in the target folder.
    build::program(&context.root, "vitalwire")?;
    Ok(Count::from_check(works))
}

/// Runs the commands of the page about the installation in a clone of this checkout, as its readers do.
fn from_clone(context: &Context, folder: &Path) -> anyhow::Result<Count> {
    let script = std::fs::read_to_string(context.root.join(INSTALL)).with_context(|| format!("reading {INSTALL}"))?;
    let local = format!("git clone --quiet '{}' vitalwire", context.root.display());
    let commands = script.replacen(CLONE, &local, 1);
    ensure!(commands != script, "{INSTALL} must contain `{CLONE}`");
    let parent = folder.join("cloned");
    std::fs::create_dir_all(&parent)?;
    let mut shell = cargo::clean_command("bash");
    shell.args(["-ec", &commands]).current_dir(&parent).env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env("PIP_QUIET", "1");
    // Use a debug build, because only the commands are tested.
    shell.env("MATURIN_PEP517_ARGS", "--profile dev").env("CARGO_TARGET_DIR", &context.target);
    let works = run_and_show(&mut shell)?.success;
    // The build of the clone has overwritten the program in the target folder.
    build::program(&context.root, "vitalwire")?;
    Ok(Count::from_check(works))
}

/// Unpacks the sources of a package and returns their folder.
fn unpack_sources(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let sources = folder.join("sources");
    for file in std::fs::read_dir(&sources)? {
        let file = file?.file_name().to_string_lossy().into_owned();
        if let Some(stem) = file.strip_suffix(".tar.gz").filter(|stem| stem.starts_with(name)) {
            unpack(&sources.join(&file), folder)?;
            return Ok(folder.join(stem));
        }
    }
    anyhow::bail!("maturin built no source distribution of {name}")
}
