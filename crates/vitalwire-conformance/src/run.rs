//! Runs the languages' runners against one judge.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt};
use globset::Glob;
use tokio::process::Command;

use crate::case::Case;
use crate::judge::Judge;
use crate::ledger::Ledger;
use crate::report::LanguageResults;
use crate::set::{self, Set};

/// Maximum number of languages that run at the same time.
const MAX_LANGUAGES_AT_ONCE: usize = 3;

/// Timeout of a language, in parallel with others and on a busy machine.
const LANGUAGE_TIMEOUT: Duration = Duration::from_secs(1800);

/// Maximum number of cases per language that are retried one at a time, each with its own runner process. If more cases fail in the first
/// replay, time is not the cause.
const MAX_SINGLE_RETRIES: usize = 24;

/// A language and the program that runs its cases.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The language's name, which its run and its ledger share.
    pub language: String,
    /// The program and its arguments. It gets the judge in `VITALWIRE_JUDGE` and the run's name in `VITALWIRE_RUN`.
    pub command: Vec<String>,
}

/// Runs each runner with the cases that match `cases`, and judges the outcomes.
///
/// # Errors
///
/// If the cases are invalid, or the judge cannot be started.
pub async fn run(root: &Path, cases: &str, runners: &[Runner]) -> anyhow::Result<Vec<LanguageResults>> {
    let set = Arc::new(set::read(root)?);
    let findings = set::findings(&set, &Set::statements(root)?);
    ensure!(findings.is_empty(), "the cases have findings:\n{}", findings.join("\n"));
    let pattern = Glob::new(cases).context("the pattern of cases")?.compile_matcher();
    let ids: Vec<&str> = set.cases().iter().map(|case| case.id.as_str()).collect();
    let cases: Vec<&Case> = set.cases().iter().filter(|case| pattern.is_match(&case.id)).collect();
    ensure!(!cases.is_empty(), "no case matches the pattern");
    let judge = Judge::open(Arc::clone(&set)).await?;
    // A run mostly waits for timeouts and delays. Columns come in the order of the runners.
    let columns =
        futures_util::stream::iter(runners).map(|runner| run_language(root, &judge, &cases, &ids, runner)).buffered(MAX_LANGUAGES_AT_ONCE);
    let mut columns: Vec<LanguageResults> = columns.try_collect().await?;
    for (column, runner) in columns.iter_mut().zip(runners) {
        retry_late(root, &judge, &cases, runner, column).await?;
    }
    Ok(columns)
}

/// Runs the cases in one language. `ids` has the ids of all cases.
async fn run_language(root: &Path, judge: &Judge, cases: &[&Case], ids: &[&str], runner: &Runner) -> anyhow::Result<LanguageResults> {
    let ledger = Ledger::read(root, &runner.language)?;
    judge.plan(&runner.language, cases)?;
    let started = Instant::now();
    let outcome = run_program(runner, &runner.language, &judge.url()).await;
    let verdict = |case: &Case| judge.verdict(&runner.language, case, ledger.limits);
    let mut column = LanguageResults::new(&runner.language, started.elapsed(), cases, &ledger, verdict);
    if let Err(error) = outcome {
        column.add_problem(format!("{error:#}"));
    }
    for id in judge.leaks(&runner.language, cases)? {
        column.add_problem(format!("a canary of {id} was logged"));
    }
    for entry in ledger.unmatched(ids) {
        column.add_problem(format!("the ledger's entry `{entry}` matches no case"));
    }
    Ok(column)
}

/// Retries failed cases that depend on time or timed out: first all of them, then one at a time. A timeout on a busy machine says nothing
/// about the client. The first failures are still reported.
async fn retry_late(root: &Path, judge: &Judge, cases: &[&Case], runner: &Runner, column: &mut LanguageResults) -> anyhow::Result<()> {
    let is_late = |case: &Case| case.is_timed() || judge.timed_out(&runner.language, case);
    let mut late: Vec<&Case> = cases.iter().copied().filter(|case| column.has_failed(&case.id) && is_late(case)).collect();
    let limits = Ledger::read(root, &runner.language)?.limits;
    for (round, at_once) in [late.len(), 1].into_iter().enumerate() {
        if late.is_empty() || late.len() / at_once > MAX_SINGLE_RETRIES {
            break;
        }
        for (part, cases) in late.chunks(at_once).enumerate() {
            let run = format!("{}-replay-{round}-{part}", runner.language);
            judge.plan(&run, cases)?;
            if let Err(error) = run_program(runner, &run, &judge.url()).await {
                column.add_problem(format!("retry: {error:#}"));
            }
            for case in cases {
                if judge.verdict(&run, case, limits).is_empty() && judge.leaks(&run, &[*case])?.is_empty() {
                    column.passed_on_retry(&case.id);
                }
            }
        }
        late.retain(|case| column.has_failed(&case.id));
    }
    Ok(())
}

/// Runs a language's program with the cases planned as `run`.
async fn run_program(runner: &Runner, run: &str, judge: &str) -> anyhow::Result<()> {
    let (program, arguments) = runner.command.split_first().context("the runner has no command")?;
    let mut child = Command::new(program)
        .args(arguments)
        .env("VITALWIRE_JUDGE", judge)
        .env("VITALWIRE_RUN", run)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("starting {program}"))?;
    let status = tokio::time::timeout(LANGUAGE_TIMEOUT, child.wait()).await.context("the runner timed out")??;
    ensure!(status.success(), "the runner ended with {status}");
    Ok(())
}
