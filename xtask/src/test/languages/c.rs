//! CTest: programs in C11 and C++, linked with the static library.

use std::path::Path;
use std::process::Command;

use crate::conformance;
use crate::packages::c::{EMULATOR, Library, Sanitizer, build, missing_for, sanitized_cargo};
use crate::process::has;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// Builds the programs and runs them.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    with(context, Library::Shared, |folder| tests(context, folder, &AGAIN))
}

/// A deadline may pass while other programs have the processors: what fails is run once more.
const AGAIN: [&str; 2] = ["--repeat", "until-pass:2"];

/// The same with the library as it is shipped, and the calls and conformance cases under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    with(context, Library::Alone, |folder| tests_and_cases(context, folder, &AGAIN, VALGRIND, WITHOUT_DEADLINES))
}

/// As in `bindings/c/tests/CMakeLists.txt`.
const VALGRIND: &str =
    "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect";

/// Conformance cases of every kind of answer and argument. Those with deadlines would miss them under valgrind.
const WITHOUT_DEADLINES: &str = "{sleeps,statistics,nutrition,labs,errors,bodies,user}.*";

/// What the sanitizers do beyond what they do unasked; a leak fails a program when it ends.
const WATCHFUL: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "detect_leaks=1:strict_string_checks=1:check_initialization_order=1:strict_init_order=1"),
    ("UBSAN_OPTIONS", "print_stacktrace=1"),
];

/// The programs and all conformance cases, with code that watches each access to memory.
pub(in crate::test) fn address(context: &Context) -> anyhow::Result<Outcome> {
    with(context, Library::Sanitized(Sanitizer::Address), |folder| {
        // Not once more: what is found once is there.
        let mut count = counted(ctest(context, folder, &[])?.envs(WATCHFUL), Count::ctest)?;
        let mut cases = conformance::c_under(&context.root, &folder.join("tests"), "", "*")?;
        count += counted(cases.envs(WATCHFUL), Count::conformance)?;
        Ok(count)
    })
}

/// Reports of the sanitizer that are none.
const NO_RACES: &str = "bindings/c/tests/races.supp";

/// The programs and the core's tests, with code that watches what several threads do to the same memory.
pub(in crate::test) fn races(context: &Context) -> anyhow::Result<Outcome> {
    with(context, Library::Sanitized(Sanitizer::Thread), |folder| {
        // Runtimes of tests have threads until the program ends.
        let known = format!("report_thread_leaks=0 suppressions={}", context.root.join(NO_RACES).display());
        // It watches no child of a program with threads, and has a thread of its own, which is counted.
        let mut programs = ctest(context, folder, &["--exclude-regex", "fork|shutdown"])?;
        let mut count = counted(programs.env("TSAN_OPTIONS", &known), Count::ctest)?;
        let mut cargo = sanitized_cargo(&context.root, &context.target, Sanitizer::Thread, "test")?;
        cargo.args(["--package", "vitalwire-runtime", "--package", "vitalwire", "--all-features", "--lib", "--tests", "--no-fail-fast"]);
        // Peaks of memory and times are the sanitizer's own here.
        let own = ["upload::an_upload_takes_", "upload::strip::memory::", "_take_linear_time"];
        cargo.arg("--").args(own.iter().flat_map(|name| ["--skip", name]));
        count += counted(cargo.env("TSAN_OPTIONS", &known), Count::cargo)?;
        Ok(count)
    })
}

/// The programs and the conformance cases on Linux on arm64, by an emulator.
pub(in crate::test) fn arm64(context: &Context) -> anyhow::Result<Outcome> {
    // qemu has a thread of its own, which is counted, and ends in a child of a program with threads by an assertion.
    let options = [&AGAIN[..], &["--exclude-regex", "fork|shutdown"]].concat();
    with(context, Library::Arm64, |folder| tests_and_cases(context, folder, &options, &EMULATOR.join(" "), WITHOUT_DEADLINES))
}

/// What runs with a library, if it can be built.
fn with(context: &Context, library: Library, run: impl FnOnce(&Path) -> anyhow::Result<Count>) -> anyhow::Result<Outcome> {
    match missing_for(library) {
        Some(what) => Ok(Outcome::Missing(what.to_owned())),
        None => Ok(Outcome::Ran(run(&build(&context.root, library)?)?)),
    }
}

fn tests(context: &Context, folder: &Path, options: &[&str]) -> anyhow::Result<Count> {
    counted(&mut ctest(context, folder, options)?, Count::ctest)
}

fn ctest(context: &Context, folder: &Path, options: &[&str]) -> anyhow::Result<Command> {
    let mut test = context.program("ctest", ".")?;
    test.arg("--test-dir").arg(folder).args(["--no-tests=error", "--output-on-failure"]).args(options);
    Ok(test)
}

/// CTest, and conformance cases under another program.
fn tests_and_cases(context: &Context, folder: &Path, options: &[&str], under: &str, fitting: &str) -> anyhow::Result<Count> {
    let mut count = tests(context, folder, options)?;
    count += cases(context, folder, under, fitting)?;
    Ok(count)
}

/// The conformance cases by both runners, under another program.
fn cases(context: &Context, folder: &Path, under: &str, cases: &str) -> anyhow::Result<Count> {
    counted(&mut conformance::c_under(&context.root, &folder.join("tests"), under, cases)?, Count::conformance)
}

fn counted(command: &mut Command, read: fn(&str) -> Count) -> anyhow::Result<Count> {
    match show(command)?.counted(read) {
        Outcome::Ran(count) => Ok(count),
        Outcome::Done | Outcome::Missing(_) => Ok(Count::default()),
    }
}
