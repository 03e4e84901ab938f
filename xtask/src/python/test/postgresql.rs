//! Tests the guide's program for PostgreSQL with a real server.

use std::path::{Path, PathBuf};

use crate::build;
use crate::pypi;
use crate::python::wheel::interpreter_in;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Folder of Debian's versions of PostgreSQL, whose servers are not on PATH.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Runs the tests in an environment with the driver.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let Some(programs) = server_programs() else {
        return Ok(Outcome::Missing("a PostgreSQL server is missing; on Debian: apt install postgresql".to_owned()));
    };
    let mut run = context.program(interpreter_in(&context.root, &context.target, "postgresql")?, ".")?;
    // -I: neither the source tree nor the user's own packages are importable.
    run.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests/postgresql/postgresql.py"]);
    run.env("VITALWIRE_POSTGRESQL", programs).env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(&mut run)?.count_tests(Count::pytest))
}

/// Returns the folder of the server's programs: on PATH, or Debian's newest.
fn server_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(VERSIONS)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .collect();
    versions.sort();
    let debian = versions.into_iter().rev().map(|(_, folder)| folder);
    std::env::split_paths(&path).chain(debian).find(|folder| is_complete(folder))
}

/// Whether a folder has the programs that the tests run.
fn is_complete(folder: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres", "psql"].iter().all(|program| folder.join(program).is_file())
}
