//! Tests C and C++ programs for Windows, built with mingw-w64 and run with Wine against the sandbox.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::c::test_build::{WindowsLibrary, missing_for_windows};
use crate::folder::files;
use crate::native::{System, emulator};
use crate::process::execute;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Programs: sources or folders of sources, and the program's arguments.
const PROGRAMS: [(&[&str], &[&str]); 8] = [
    (&["bindings/c/tests/installed/app.c"], &[]),
    (&["bindings/c/tests/installed/app.cpp"], &[]),
    (&["bindings/c/tests/installed/table.c"], &[]),
    (&["bindings/c/examples/last_night.c"], &[]),
    (&["bindings/c/examples/last_night.cpp"], &[]),
    (&["bindings/c/examples/statistics_to_csv.cpp"], &["2025-09-01", "2025-11-20", "steps"]),
    (&["bindings/c/examples/at_once.cpp"], &["18", "20"]),
    // Without arguments, the program runs all its cases.
    (&["bindings/c/tests/cpp", "bindings/c/tests/generated/examples.cpp"], &[]),
];

const NO_WINE: &str = "no Wine; on Debian: apt install wine64";

/// Counts each program as a test: it compiles without warnings, links and succeeds.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing_for_windows() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if emulator::wine().is_none() {
        return Ok(Outcome::Missing(NO_WINE.to_owned()));
    }
    let windows = WindowsLibrary::build(&context.root, &context.target)?;
    let folder = context.target.join("windows/programs");
    fs::create_dir_all(&folder)?;
    let moved = folder.join("moved_each.cpp");
    write_moved(&context.root, &moved)?;
    let mut count = Count::default();
    for (paths, arguments) in PROGRAMS {
        let mut sources = Vec::new();
        for path in paths.iter().map(|path| context.root.join(path)) {
            if path.is_dir() {
                sources.extend(cpp_files(&path)?);
                sources.push(moved.clone());
            } else {
                sources.push(path);
            }
        }
        let source = paths.first().copied().unwrap_or_default();
        let program = folder.join(format!("{}.exe", source.rsplit('/').next().unwrap_or(source)));
        windows.compile(&context.root, &sources, &program)?;
        let command = emulator::command(&context.root, &context.target, System::Windows, &program)?;
        let mut command = command.context(NO_WINE)?;
        let fits = run_and_show(context.with_sandbox(command.args(arguments).current_dir(&context.root))?)?.success;
        crate::print_line(&format!("{source} for Windows: {}", if fits { "ok" } else { "FAILED" }));
        count += Count::from_check(fits);
    }
    Ok(Outcome::Ran(count))
}

/// Writes the source that moves an object of each C++ class, as `bindings/c/tests/CMakeLists.txt` does.
fn write_moved(root: &Path, out: &Path) -> anyhow::Result<()> {
    let tests = root.join("bindings/c/tests");
    let set = |name: &str, path: &Path| format!("-D{name}={}", path.display());
    let mut cmake = Command::new("cmake");
    cmake.arg(set("HEADERS", &root.join("bindings/c/include"))).arg(set("OUT", out)).arg(set("MAKERS", &tests.join("cpp/moved.hpp")));
    execute(cmake.arg("-P").arg(tests.join("moved.cmake"))).map(drop)
}

/// Returns the C++ sources of a folder, without those of subfolders, which are other programs.
fn cpp_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_source = |file: &PathBuf| file.parent() == Some(folder) && file.extension().is_some_and(|extension| extension == "cpp");
    Ok(files(folder)?.into_iter().filter(is_source).collect())
}
