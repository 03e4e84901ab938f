//! Tests the size of two C programs with the library built for size. One makes a call, the other creates tables.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use crate::archive::unpack;
use crate::c::package::package;
use crate::c::tools::missing;
use crate::native::{Optimization, System};
use crate::process::{execute, has};
use crate::steps::{Context, Count, Outcome, run_and_show};

const MB: u64 = 1_000_000;

/// Programs and their maximum sizes in bytes.
const PROGRAMS: [(&str, u64); 2] = [("bindings/c/examples/last_night.c", 4 * MB), ("bindings/c/tests/installed/table.c", 5 * MB)];

/// Counts each program as a test: it runs against the sandbox and stays below its limit.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if !has("pkg-config") {
        return Ok(Outcome::Missing("no pkg-config; on Debian: apt install pkg-config".to_owned()));
    }
    let archive =
        package(&context.root, &context.target, &context.target.join("c-package-small"), Optimization::Size, System::Native, None)?.package;
    let folder = tempfile::tempdir()?;
    unpack(&archive, folder.path())?;
    let name = archive.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".tar.gz"));
    let pkg_config_path = folder.path().join(name.context("the archive must be a .tar.gz file")?).join("lib/pkgconfig");
    let flags =
        execute(Command::new("pkg-config").args(["--cflags", "--libs", "vitalwire-static"]).env("PKG_CONFIG_PATH", pkg_config_path))?;
    let mut count = Count::default();
    for (source, max_bytes) in PROGRAMS {
        let program = folder.path().join(Path::new(source).file_stem().unwrap_or_default());
        // Drop unused functions of the library.
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-Os"]).arg(context.root.join(source)).args(flags.split_whitespace());
        cc.args(if cfg!(target_os = "macos") { ["-Wl,-dead_strip", "-Wl,-x"] } else { ["-Wl,--gc-sections", "-s"] });
        execute(cc.arg("-o").arg(&program))?;
        let bytes = std::fs::metadata(&program)?.len();
        let fits = run_and_show(&mut context.program(&program, ".")?)?.success && bytes <= max_bytes;
        crate::print_line(&format!("{source}: {bytes} bytes, at most {max_bytes}: {}", if fits { "ok" } else { "FAILED" }));
        count += Count::from_check(fits);
    }
    Ok(Outcome::Ran(count))
}
