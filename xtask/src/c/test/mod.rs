//! CTest: programs in C11 and C++, linked with the static library.

mod package;
mod size;
mod windows;

use std::path::Path;
use std::process::Command;

use crate::c::test_build::{ADDRESS, Library, THREAD, build, missing_for, sanitized_cargo};
use crate::judge;
use crate::native::emulator;
use crate::process::has;
use crate::steps::{Context, Count, Outcome, Step, run_and_show};

/// Steps of `cargo xtask test`.
pub(super) const STEPS: [Step; 8] = [
    Step::new("c", run),
    Step::deep("c-address", address),
    Step::deep("c-arm64", arm64),
    Step::deep("c-memory", memory),
    Step::deep("c-windows", windows::run),
    Step::deep("package-c", package::run),
    Step::deep("races", races),
    Step::deep("size-c", size::run),
];

/// Builds the programs and runs them.
fn run(context: &Context) -> anyhow::Result<Outcome> {
    test_with(context, Library::Shared, |folder| run_ctest(context, folder, &RETRY_ONCE))
}

/// Retry a failed test once, because a deadline may pass on a busy machine.
const RETRY_ONCE: [&str; 2] = ["--repeat", "until-pass:2"];

/// Tests the release library, and runs the calls and all conformance cases under valgrind to find leaks and invalid accesses.
fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    test_with(context, Library::WithoutProbe, |folder| {
        let mut count = run_ctest(context, folder, &RETRY_ONCE)?;
        let valgrind = format!("{VALGRIND} {MANY_THREADS} --suppressions={}", context.root.join(VALGRIND_SUPPRESSIONS).display());
        count += run_and_count(
            conformance_command(context, folder, &valgrind, "*")?.env(PARALLEL_CASES.0, PARALLEL_CASES.1),
            Count::conformance,
        )?;
        Ok(count)
    })
}

/// Valgrind command, the same as in `bindings/c/tests/CMakeLists.txt`.
const VALGRIND: &str =
    "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect";

/// Raises valgrind's limit of 500 threads. Some cases make a hundred calls at once, each on a thread.
const MANY_THREADS: &str = "--max-threads=2000";

/// Limits the parallel cases of a runner. valgrind runs one thread at a time, so that sixteen cases would not end in time.
const PARALLEL_CASES: (&str, &str) = ("VITALWIRE_AT_ONCE", "2");

/// False positives of valgrind.
const VALGRIND_SUPPRESSIONS: &str = "bindings/c/tests/errors.supp";

/// Sanitizer options beyond the defaults. A leak fails a program at its end.
const SANITIZER_OPTIONS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "detect_leaks=1:strict_string_checks=1:check_initialization_order=1:strict_init_order=1"),
    ("UBSAN_OPTIONS", "print_stacktrace=1"),
];

/// Runs the programs and all conformance cases with the address sanitizer.
fn address(context: &Context) -> anyhow::Result<Outcome> {
    test_with(context, Library::Sanitized(&ADDRESS), |folder| {
        // No retries: a single finding counts.
        let mut count = run_and_count(ctest(context, folder, &[])?.envs(SANITIZER_OPTIONS), Count::ctest)?;
        count += run_and_count(conformance_command(context, folder, "", "*")?.envs(SANITIZER_OPTIONS), Count::conformance)?;
        Ok(count)
    })
}

/// False positives of the thread sanitizer.
const RACE_SUPPRESSIONS: &str = "bindings/c/tests/races.supp";

/// Runs the programs and the core's tests with the thread sanitizer.
fn races(context: &Context) -> anyhow::Result<Outcome> {
    test_with(context, Library::Sanitized(&THREAD), |folder| {
        // Async runtimes of tests keep their threads until the program ends.
        let known = format!("report_thread_leaks=0 suppressions={}", context.root.join(RACE_SUPPRESSIONS).display());
        // The sanitizer does not support forks of threaded programs, and tests would count the sanitizer's own thread.
        let mut programs = ctest(context, folder, &["--exclude-regex", "fork|shutdown"])?;
        let mut count = run_and_count(programs.env("TSAN_OPTIONS", &known), Count::ctest)?;
        let mut cargo = sanitized_cargo(&context.root, &context.target, &THREAD, "test")?;
        cargo.args(["--package", "vitalwire-runtime", "--package", "vitalwire", "--all-features", "--lib", "--tests", "--no-fail-fast"]);
        // Skip tests of peak memory and time, which the sanitizer changes.
        let own = ["upload::an_upload_takes_", "upload::strip::memory::", "_take_linear_time"];
        cargo.arg("--").args(own.iter().flat_map(|name| ["--skip", name]));
        count += run_and_count(cargo.env("TSAN_OPTIONS", &known), Count::cargo)?;
        Ok(count)
    })
}

/// Pattern of conformance cases without deadlines, which an emulator would miss. They cover every kind of response and argument.
const WITHOUT_DEADLINES: &str = "{sleeps,statistics,nutrition,labs,errors,bodies,user}.*";

/// Runs the programs and the conformance cases for Linux on arm64 in an emulator.
fn arm64(context: &Context) -> anyhow::Result<Outcome> {
    // qemu aborts in a fork of a threaded program, and tests would count qemu's own thread as one of the library's.
    let options = [&RETRY_ONCE[..], &["--exclude-regex", "fork|shutdown"]].concat();
    test_with(context, Library::Arm64, |folder| {
        let mut count = run_ctest(context, folder, &options)?;
        count +=
            run_and_count(&mut conformance_command(context, folder, &emulator::ARM64.join(" "), WITHOUT_DEADLINES)?, Count::conformance)?;
        Ok(count)
    })
}

/// Builds a library and runs tests with it. Skips the tests if a tool is missing.
fn test_with(context: &Context, library: Library, run: impl FnOnce(&Path) -> anyhow::Result<Count>) -> anyhow::Result<Outcome> {
    match missing_for(library) {
        Some(what) => Ok(Outcome::Missing(what.to_owned())),
        None => Ok(Outcome::Ran(run(&build(&context.root, library)?)?)),
    }
}

fn run_ctest(context: &Context, folder: &Path, options: &[&str]) -> anyhow::Result<Count> {
    run_and_count(&mut ctest(context, folder, options)?, Count::ctest)
}

fn ctest(context: &Context, folder: &Path, options: &[&str]) -> anyhow::Result<Command> {
    let mut test = context.program("ctest", ".")?;
    context.with_tls_server(&mut test)?;
    test.arg("--test-dir").arg(folder).args(["--no-tests=error", "--output-on-failure"]).args(options);
    Ok(test)
}

/// Returns a command that runs the conformance cases with both runners, each started by `wrapper`.
fn conformance_command(context: &Context, folder: &Path, wrapper: &str, pattern: &str) -> anyhow::Result<Command> {
    let mut command = judge::command(&context.root, &judge::program(&context.root)?, pattern);
    for (name, file) in [("c", "conformance"), ("cpp", "conformance_cpp")] {
        command.arg("--runner").arg(format!("{name}={wrapper} {}", folder.join("tests").join(file).display()));
    }
    Ok(command)
}

fn run_and_count(command: &mut Command, read: fn(&str) -> Count) -> anyhow::Result<Count> {
    match run_and_show(command)?.count_tests(read) {
        Outcome::Ran(count) => Ok(count),
        Outcome::Done | Outcome::Missing(_) => Ok(Count::default()),
    }
}
