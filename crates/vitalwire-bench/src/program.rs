//! Programs in other languages: they declare rows of the table and run alternatives; rounds and figures are the same as for Rust.
//!
//! A program prints lines of JSON, then an empty line. Each line is a [`Line`] that it measured itself, a [`Row`], or an [`Other`]. It then
//! reads lines `TIMES ALTERNATIVE` from standard input, runs the alternative that often, and prints the average wall time and processor
//! time of a run in seconds, separated by a space. The variables `BENCH_URL` and `BENCH_PAYLOADS` have the base URL of the server and the
//! folder of payloads.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use serde::Deserialize;

use crate::payload::{self, Unknown};
use crate::report::Line;
use crate::rounds::{self, Alternative, Budget, Clock, Rounds, Seconds};
use crate::server;

/// A row of the table that compares two alternatives. Consecutive rows with the same `ours` are measured together.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    measure: String,
    ours: String,
    baseline: String,
    #[serde(default)]
    clock: Clock,
    #[serde(default)]
    figure: Figure,
    #[serde(default)]
    gate: String,
}

/// Comparison of our time with that of the baseline.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Figure {
    /// Baseline's time divided by ours.
    #[default]
    Speed,
    /// Our time divided by the baseline's.
    Time,
    /// Our time minus the baseline's, in milliseconds.
    Difference,
    /// Share of our time that the baseline does not need.
    Share,
}

/// An alternative that another program runs.
#[derive(Clone, Debug, Deserialize)]
pub struct Other {
    name: String,
    command: Vec<String>,
    /// Whether it runs the alternative on request, like the program itself. Otherwise it is started for each run.
    #[serde(default)]
    serves: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Declaration {
    Other(Other),
    Measured(Line),
    Row(Row),
}

/// Measures the rows of a program. Writes the payloads into a folder and serves them over loopback meanwhile.
///
/// # Errors
/// Fails if the program fails or prints something else.
pub fn run(budget: Budget, command: &[String], payloads: &Path) -> Result<Vec<Line>> {
    std::fs::create_dir_all(payloads).context("no folder for the payloads")?;
    let mut bodies = HashMap::new();
    for (name, path, body) in payload::served(Unknown::None) {
        std::fs::write(payloads.join(format!("{name}.json")), &body).with_context(|| format!("cannot write {name}.json"))?;
        bodies.insert(path, Bytes::from(body));
    }
    let address = server::start_with(Arc::new(move |path| bodies.get(path).cloned()), None)?;
    let environment = [("BENCH_URL", format!("http://{address}").into()), ("BENCH_PAYLOADS", payloads.as_os_str().to_owned())];
    measure(budget, command, &environment)
}

/// Variables of the programs.
type Environment<'a> = &'a [(&'static str, OsString)];

fn measure(budget: Budget, command: &[String], environment: Environment<'_>) -> Result<Vec<Line>> {
    let (program, declarations) = Program::start(command, environment)?;
    let program = RefCell::new(program);
    let mut others = HashMap::new();
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for declaration in declarations {
        match declaration {
            Declaration::Other(other) => drop(others.insert(other.name.clone(), other)),
            Declaration::Measured(line) => lines.push(line),
            Declaration::Row(row) => rows.push(row),
        }
    }
    for group in rows.chunk_by(|one, other| one.ours == other.ours) {
        let mut names = vec![&group[0].ours];
        for row in group {
            if !names.contains(&&row.baseline) {
                names.push(&row.baseline);
            }
        }
        let alternatives = names.iter().map(|name| -> Result<Alternative<'_>> {
            let Some(other) = others.get(*name) else { return Ok(Box::new(|times| program.borrow_mut().run(name, times))) };
            if other.serves {
                let mut program = Program::start(&other.command, environment)?.0;
                return Ok(Box::new(move |times| program.run(&other.name, times)));
            }
            Ok(Box::new(|times| other.run(times)))
        });
        let found = rounds::compare(budget, alternatives.collect::<Result<_>>()?)?;
        lines.extend(group.iter().map(|row| row.line(&found, |name| names.iter().position(|other| *other == name).unwrap_or_default())));
    }
    Ok(lines)
}

impl Row {
    fn line(&self, found: &Rounds, position: impl Fn(&String) -> usize) -> Line {
        let (ours, baseline) = (position(&self.ours), position(&self.baseline));
        let figure = found.compare(ours, baseline, self.clock, |ours, baseline| match self.figure {
            Figure::Speed => baseline / ours,
            Figure::Time => ours / baseline,
            Figure::Difference => (ours - baseline) * 1e3,
            Figure::Share => 1.0 - baseline / ours,
        });
        let text = |alternative| match (found.median(alternative, Clock::Wall), found.median(alternative, Clock::Cpu)) {
            (_, cpu) if self.clock == Clock::Cpu => format!("{} CPU", time(cpu)),
            (wall, cpu) if cpu > 0.0 => format!("{}, {} CPU", time(wall), time(cpu)),
            (wall, _) => time(wall),
        };
        Line { gate: self.gate.clone(), ..Line::new(&self.measure, text(ours), text(baseline), figure) }
    }
}

/// Formats seconds.
fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1e-6 => format!("{:.2} ns", seconds * 1e9),
        _ if seconds < 1e-3 => format!("{:.1} us", seconds * 1e6),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

fn command(words: &[String]) -> Result<Command> {
    let (program, arguments) = words.split_first().context("no program")?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

impl Other {
    fn run(&self, times: u32) -> Result<Seconds> {
        let started = Instant::now();
        for _ in 0..times {
            ensure!(command(&self.command)?.stdin(Stdio::null()).stdout(Stdio::null()).status()?.success(), "{} failed", self.name);
        }
        Ok(Seconds { wall: started.elapsed().as_secs_f64() / f64::from(times), cpu: 0.0 })
    }
}

/// A running program. Dropping it ends its input and waits for it.
struct Program {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(words: &[String], environment: Environment<'_>) -> Result<(Self, Vec<Declaration>)> {
        let mut command = command(words)?;
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("a program does not start")?;
        let mut output = BufReader::new(child.stdout.take().context("the program has no output")?).lines();
        let mut declarations = Vec::new();
        loop {
            let line = output.next().context("the program ended before its empty line")??;
            if line.is_empty() {
                return Ok((Self { child, output }, declarations));
            }
            declarations.push(serde_json::from_str(&line).with_context(|| format!("the program must declare rows: {line}"))?);
        }
    }

    fn run(&mut self, alternative: &str, times: u32) -> Result<Seconds> {
        writeln!(self.child.stdin.as_mut().context("the program has no input")?, "{times} {alternative}")?;
        let line = self.output.next().with_context(|| format!("the program ended while it ran {alternative}"))??;
        let (wall, cpu) = line.split_once(' ').context("the program must print two numbers")?;
        Ok(Seconds { wall: wall.parse()?, cpu: cpu.parse()? })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A program whose alternatives take 2 and 4 seconds of wall time, and 1 and 5 of processor time.
    const SHELL: &str = r#"
        echo '{"measure": "size", "ours": "3 MB", "figure": 3, "gate": "<= 4"}'
        echo '{"measure": "speed", "ours": "a", "baseline": "b", "gate": ">= 2"}'
        echo '{"measure": "cpu", "ours": "a", "baseline": "b", "clock": "cpu", "figure": "time"}'
        echo '{"measure": "share", "ours": "b", "baseline": "a", "figure": "share"}'
        echo '{"measure": "difference", "ours": "b", "baseline": "a", "figure": "difference"}'
        echo
        while read -r times name; do sleep 0.01; case $name in a) echo 2 1 ;; b) echo 4 5 ;; esac; done"#;

    #[test]
    fn rows_of_a_program_are_measured() {
        let shell = ["sh", "-c", SHELL].map(str::to_owned);
        let lines = measure(Budget { rounds: 2, slice: Duration::from_millis(1) }, &shell, &[]).unwrap();
        let found: Vec<_> = lines.iter().map(|line| (line.measure.as_str(), line.figure, line.ours.as_str(), line.gate.as_str())).collect();
        let (ours, theirs) = ("2000.00 ms, 1000.00 ms CPU", "4000.00 ms, 5000.00 ms CPU");
        let expected = [
            ("size", 3.0, "3 MB", "<= 4"),
            ("speed", 2.0, ours, ">= 2"),
            ("cpu", 0.2, "1000.00 ms CPU", ""),
            ("share", 0.5, theirs, ""),
            ("difference", 2_000.0, theirs, ""),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_program_that_ends_early_is_an_error() {
        let shell = ["sh", "-c", r#"echo '{"measure": "m", "ours": "a", "baseline": "b"}'; echo; read -r line"#].map(str::to_owned);
        let error = measure(Budget { rounds: 1, slice: Duration::ZERO }, &shell, &[]).unwrap_err();
        assert_eq!(error.to_string(), "the program ended while it ran a");
    }
}
