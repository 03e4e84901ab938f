//! Parses the output of libFuzzer.

/// Outcome of a target's run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    success: bool,
    runs: u64,
    /// Number of edges reached.
    edges: u64,
    /// Files with inputs that crash, time out or use too much memory.
    pub(super) reproducers: Vec<String>,
    /// The panic message, or the end of the output.
    pub(super) reason: String,
}

impl Report {
    /// Parses libFuzzer's output.
    pub(super) fn read(success: bool, text: &str) -> Self {
        let mut report = Self { success, ..Self::default() };
        for line in text.lines() {
            if let Some(file) = line.split("Test unit written to ").nth(1) {
                report.reproducers.push(file.trim().to_owned());
            }
            if line.starts_with('#') {
                report.edges = number(line, "cov: ").unwrap_or(report.edges);
            }
            report.runs = number(line, "stat::number_of_executed_units: ").unwrap_or(report.runs);
        }
        if !report.passed() {
            report.reason = reason(text);
        }
        report
    }

    /// Whether the target ended normally and had counters. A run without counters finds nothing.
    pub(super) fn passed(&self) -> bool {
        self.success && self.reproducers.is_empty() && self.runs > 0 && self.edges > 0
    }

    /// Returns a row of the table.
    pub(super) fn line(&self, target: &str) -> String {
        let end = if self.passed() { "" } else { "  FAILED" };
        format!("{target:<18} {:>10} {:>7}{end}", self.runs, self.edges)
    }
}

fn number(line: &str, text: &str) -> Option<u64> {
    line.split(text).nth(1)?.split_whitespace().next()?.parse().ok()
}

/// Returns the panic and its message, or the last lines.
fn reason(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.iter().position(|line| line.contains("panicked at")).unwrap_or(lines.len().saturating_sub(15));
    lines[from..].iter().take(4).map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "#2\tINITED cov: 41 ft: 42 corp: 1/1b exec/s: 0 rss: 26Mb\n\
        #900\tNEW    cov: 57 ft: 136 corp: 67/44Kb lim: 4096 exec/s: 450 rss: 27Mb L: 1/3 MS: 1 EraseBytes-\n\
        Done 1800 runs in 4 second(s)\nstat::number_of_executed_units: 1800\nstat::average_exec_per_sec:     450\n";

    #[test]
    fn the_figures_of_a_run_are_read() {
        let report = Report::read(true, GOOD);
        assert!(report.passed());
        assert_eq!((report.runs, report.edges), (1800, 57));
    }

    #[test]
    fn a_crash_is_reported_with_its_reason_and_file() {
        let text = format!(
            "{GOOD}thread '<unnamed>' panicked at src/x.rs:4:5:\nwrong\nstack backtrace:\nartifact_prefix='./'; Test unit written to ./crash-af\n"
        );
        let report = Report::read(false, &text);
        assert!(!report.passed() && report.line("dates").ends_with("FAILED"));
        assert_eq!(report.reproducers, ["./crash-af"]);
        assert!(report.reason.starts_with("  thread '<unnamed>' panicked at src/x.rs:4:5:\n  wrong"));
    }

    /// A slow input is written but does not end the run. It is a failure nevertheless.
    #[test]
    fn a_run_with_a_reproducer_or_without_counters_has_failed() {
        assert!(!Report::read(true, &format!("{GOOD}Test unit written to ./slow-unit-1\n")).passed());
        assert!(!Report::read(true, &GOOD.replace("cov: 41", "cov: 0").replace("cov: 57", "cov: 0")).passed());
        assert!(!Report::read(true, "").passed());
    }
}
