//! Runs each fuzz target for a while under libFuzzer, with instrumented code.

mod report;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::cargo;
use crate::process::{execute, has, text_variable};
use crate::steps::{Context, Count, Outcome};
use report::Report;

/// Default time per target in seconds.
const SECONDS: u64 = 60;
const SECONDS_VARIABLE: &str = "VITALWIRE_FUZZ_SECONDS";

/// Environment variable with the targets to run, separated by commas. Defaults to all.
const ONLY_VARIABLE: &str = "VITALWIRE_FUZZ_ONLY";

/// Number of parallel targets.
const AT_ONCE: usize = 2;

/// Maximum seconds per input, and maximum memory of a run in MiB.
const INPUT_SECONDS: u64 = 10;
const MEMORY: u64 = 1024;

/// Maximum size of an input in bytes: a response with some dozens of records.
const LENGTH: u64 = 16 * 1024;

/// Instrumentation that libFuzzer needs: counters on every edge, a table of their positions, and calls at comparisons. The names are stable
/// in LLVM, so the pinned toolchain suffices.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

const PACKAGE: &str = "vitalwire-fuzz";

/// Builds the targets and runs each. A crash is a failure.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("c++") {
        return Ok(Outcome::Missing("a C++ compiler is missing, which builds the fuzzing engine".to_owned()));
    }
    let run = FuzzRun::new(context)?;
    crate::print_line(&format!("{} targets, {} s each", run.targets.len(), run.seconds));
    crate::print_line(&format!("{:<18} {:>10} {:>7}", "target", "runs", "edges"));
    let mut count = Count::default();
    for targets in run.targets.chunks(AT_ONCE) {
        let reports: Vec<anyhow::Result<Report>> = std::thread::scope(|scope| {
            let running: Vec<_> = targets.iter().map(|target| scope.spawn(|| run.target(target))).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("the thread of a target failed"))).collect()
        });
        for (target, report) in targets.iter().zip(reports) {
            let report = report?;
            crate::print_line(&report.line(target));
            if report.passed() {
                count.passed += 1;
                continue;
            }
            count.failed += 1;
            crate::print_line(&report.reason);
            for file in &report.reproducers {
                crate::print_line(&format!("  replay: cargo run -p {PACKAGE} -- {target} {file}"));
            }
        }
    }
    Ok(Outcome::Ran(count))
}

/// The program and its folders.
struct FuzzRun {
    program: PathBuf,
    /// The seeds, with a folder per target. A new resource has none yet.
    seeds: PathBuf,
    /// Findings of libFuzzer: a corpus that grows with each run, and reproducers.
    work: PathBuf,
    dictionary: PathBuf,
    targets: Vec<String>,
    seconds: u64,
}

impl FuzzRun {
    fn new(context: &Context) -> anyhow::Result<Self> {
        let work = context.target.join("fuzz-work");
        std::fs::create_dir_all(&work)?;
        let listed = context.cargo().args(["run", "--quiet", "--package", PACKAGE]).stderr(Stdio::inherit()).output()?;
        let listed = String::from_utf8(listed.stdout)?;
        let mut targets: Vec<String> = listed.lines().map(str::to_owned).collect();
        if let Some(only) = text_variable(ONLY_VARIABLE)? {
            targets.retain(|target| only.split(',').any(|name| name == target));
        }
        if targets.is_empty() {
            bail!("there is no target to run; {ONLY_VARIABLE} must name existing ones");
        }
        let seconds = text_variable(SECONDS_VARIABLE)?.map_or(Ok(SECONDS), |seconds| seconds.parse());
        let seconds = seconds.with_context(|| format!("{SECONDS_VARIABLE} must be a whole number"))?;
        let program = build(context)?;
        let dictionary = work.join("names.dict");
        std::fs::write(&dictionary, names(context)?)?;
        Ok(Self { program, seeds: context.root.join("crates").join(PACKAGE).join("corpus"), work, dictionary, targets, seconds })
    }

    fn target(&self, target: &str) -> anyhow::Result<Report> {
        let (corpus, found) = (self.work.join("corpus").join(target), self.work.join("found").join(target));
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(&found)?;
        let output = Command::new(&self.program)
            .env("VITALWIRE_FUZZ_TARGET", target)
            .arg(format!("-max_total_time={}", self.seconds))
            .arg(format!("-timeout={INPUT_SECONDS}"))
            .arg(format!("-rss_limit_mb={MEMORY}"))
            .arg(format!("-max_len={LENGTH}"))
            .arg(format!("-dict={}", self.dictionary.display()))
            .arg(format!("-artifact_prefix={}/", found.display()))
            .arg("-print_final_stats=1")
            .arg(&corpus)
            .args(Some(self.seeds.join(target)).filter(|seeds| seeds.exists()))
            .stdin(Stdio::null())
            .output()
            .context("the fuzzing engine cannot be started")?;
        Ok(Report::read(output.status.success(), &String::from_utf8_lossy(&output.stderr)))
    }
}

/// Builds the program with counters. With an explicit target, build scripts and macros are not instrumented.
fn build(context: &Context) -> anyhow::Result<PathBuf> {
    let host = cargo::host_triple()?;
    let target = context.target.join("fuzz-build");
    execute(
        context
            .cargo()
            .args(["build", "--quiet", "--profile", "fuzz", "--package", PACKAGE, "--target", &host])
            .arg("--target-dir")
            .arg(&target)
            .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")),
    )?;
    Ok(target.join(&host).join("fuzz").join(PACKAGE))
}

/// Returns every name of the specifications as a libFuzzer dictionary.
fn names(context: &Context) -> anyhow::Result<String> {
    let sources = vitalwire_spec::load(&context.root, &[])?;
    let mut names = std::collections::BTreeSet::new();
    for spec in &sources.specs {
        vitalwire_spec::walk(&spec.document, &vitalwire_spec::Pointer::root(), &mut |value, _| {
            names.extend(
                value.get("properties").and_then(serde_json::Value::as_object).into_iter().flat_map(|members| members.keys().cloned()),
            );
            names.extend(
                value.as_object().into_iter().flat_map(|members| members.keys()).filter(|name| name.starts_with("x-vitalwire-")).cloned(),
            );
        });
    }
    // Names have only letters, digits, hyphens and underscores, so nothing needs escaping.
    Ok(names.iter().map(|name| format!("\"{name}\"\n")).collect())
}
