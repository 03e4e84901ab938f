//! The Python package as users get it: the wheel, in a virtual environment made for it. Environments hold the exact packages of the lists in
//! `xtask/python`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::build::{SHARED, program_of_cargo};
use crate::once::Once;
use crate::process::must;

/// Folders of the packages.
pub(crate) const PACKAGES: [&str; 2] = ["bindings/python", "bindings/python/sandbox"];

/// Where the wheels of this workspace are put, below `target`.
pub(crate) const WHEELS: &str = "python/wheels";

/// Lists of packages with their exact versions and hashes, for every Python from 3.11 on. `NAME.in` says what is wanted, and the first lines of
/// `NAME.txt` how it is made of that.
const LISTS: &str = "xtask/python";

/// Whether python3 can make the environments: the newest of the packages want 3.11.
const SUITS: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// What is missing to run anything in Python.
pub(crate) fn missing() -> Option<&'static str> {
    let python = Command::new("python3").args(["-I", "-c", SUITS]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    (!python.is_ok_and(|status| status.success())).then_some("no python3 of 3.11 or newer with venv; on Debian: apt install python3-venv")
}

/// The interpreter of an environment that holds the wheel of this workspace and what its tests use. The wheel is built and installed once for
/// each run of this program.
///
/// # Errors
/// Where the wheel cannot be built or installed.
pub(crate) fn interpreter(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    MADE.get(|| interpreter_in(root, target, "tests"))
}

/// The same in another environment, whose list begins with that of the tests.
///
/// # Errors
/// Where the wheel cannot be built or installed.
pub(crate) fn interpreter_in(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let environment = environment(root, target, list)?;
    let wheel = shared_wheel(root, target, "bindings/python", "vitalwire-")?;
    // Without an index nothing but the wheel can come, so that it requires no other package.
    let mut install = uv(root, target)?;
    install.args(["pip", "install", "--quiet", "--no-index", "--reinstall", "--python"]).arg(environment.join("bin/python")).arg(wheel);
    must(&mut install)?;
    Ok(environment.join("bin/python"))
}

/// Builds the wheel of the package in a folder of what all tests share: the dev profile, with every feature. Its file's name starts as is said.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn shared_wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    wheel_by(root, target, package, name, &["--profile", "dev"], Some(&shared_cargo(target)?))
}

/// A cargo for maturin. That asks for one package, whose features would then be another set: it is given the build of all, in which it finds its
/// own.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn shared_cargo(target: &Path) -> anyhow::Result<PathBuf> {
    // Several steps use it.
    static MADE: Once<PathBuf> = Once::new();
    MADE.get(|| {
    let cargo = target.join("python/cargo");
    let own = program_of_cargo();
    let own = Path::new(&own).display();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" != rustc ] || exec '{own}' build --quiet --message-format json-render-diagnostics {} --lib --bins\nexec '{own}' \"$@\"\n",
        SHARED.join(" ")
    );
    write_program(&cargo, &script)?;
    Ok(cargo)
    })
}

/// Builds the wheel of the package in a folder as its `pyproject.toml` says. Its file's name starts as is said.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    wheel_by(root, target, package, name, &[], None)
}

fn wheel_by(root: &Path, target: &Path, package: &str, name: &str, options: &[&str], cargo: Option<&Path>) -> anyhow::Result<PathBuf> {
    let tools = environment(root, target, "tools")?;
    let wheels = target.join(WHEELS);
    let built = || -> anyhow::Result<Vec<PathBuf>> {
        let files = std::fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()?;
        Ok(files
            .iter()
            .map(|file| file.path())
            .filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
            .collect())
    };
    std::fs::create_dir_all(&wheels)?;
    for old in built()? {
        std::fs::remove_file(old)?;
    }
    let mut build = Command::new(tools.join("bin/maturin"));
    build.current_dir(root.join(package)).arg("build").args(options).args(["--locked", "--out"]).arg(&wheels);
    build.env("CARGO_TARGET_DIR", target);
    if let Some(cargo) = cargo {
        // maturin takes programs and libraries away from where cargo puts them; tests that run meanwhile need theirs.
        build.env("CARGO", cargo).env("CARGO_TARGET_DIR", target.join("python/built")).env("CARGO_BUILD_BUILD_DIR", target);
    }
    must(&mut build)?;
    built()?.pop().context("maturin built no wheel")
}

/// The folder of an environment with exactly the packages of a list, made unless it is there.
///
/// # Errors
/// Where there is no python3, or a package cannot be had.
pub(crate) fn environment(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let file = root.join(LISTS).join(list).with_extension("txt");
    let packages = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    environment_of(root, target, list, &packages, Some(&file))
}

/// The folder of an environment without any package.
///
/// # Errors
/// Where there is no python3.
pub(crate) fn bare_environment(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    environment_of(root, target, "bare", "", None)
}

fn environment_of(root: &Path, target: &Path, name: &str, packages: &str, file: Option<&Path>) -> anyhow::Result<PathBuf> {
    // One at a time: a second step that needs the same must not find it half made.
    static MAKING: Mutex<()> = Mutex::new(());
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let at = target.join("python").join(name);
    made(&at, packages, || {
        // --seed: tests make environments of their own by this one's pip.
        must(uv(root, target)?.args(["venv", "--quiet", "--seed", "--python", "python3"]).arg(&at))?;
        let Some(file) = file else { return Ok(()) };
        let mut install = uv(root, target)?;
        install.args(["pip", "install", "--quiet", "--require-hashes", "--python"]).arg(at.join("bin/python"));
        must(install.arg("--requirement").arg(file)).map(drop)
    })?;
    Ok(at)
}

/// What installs packages: pip takes minutes for what this does in seconds.
fn uv(root: &Path, target: &Path) -> anyhow::Result<Command> {
    static MADE: Once<PathBuf> = Once::new();
    let program = MADE.get(|| {
        let at = target.join("python/uv");
        let packages = root.join(LISTS).join("uv.txt");
        made(&at, &std::fs::read_to_string(&packages)?, || {
            must(Command::new("python3").args(["-m", "venv"]).arg(&at))?;
            let pip = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"];
            must(Command::new(at.join("bin/pip")).args(pip).arg(packages)).map(drop)
        })?;
        Ok(at.join("bin/uv"))
    })?;
    let mut uv = Command::new(program);
    // Certificates that the machine trusts, such as a company's own; and no interpreter but those that are there.
    uv.env("UV_SYSTEM_CERTS", "1").env("UV_PYTHON_DOWNLOADS", "never").env("UV_NO_CONFIG", "1");
    Ok(uv)
}

/// Makes an environment unless there is one of the same list.
fn made(at: &Path, list: &str, make: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    // Written last: an environment that was left half made has none.
    let complete = at.join("complete");
    if std::fs::read_to_string(&complete).ok().as_deref() == Some(list) {
        return Ok(());
    }
    if at.exists() {
        std::fs::remove_dir_all(at)?;
    }
    make().with_context(|| format!("{} cannot be made; it needs python3 with its module venv and, the first time, PyPI", at.display()))?;
    Ok(std::fs::write(complete, list)?)
}

/// Writes a program for the shell.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn write_program(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)?;
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
