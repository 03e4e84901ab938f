//! Peak memory of a process, and tests in child processes with their own peak.

use std::process::{Command, Output};

/// Environment variable that marks the child process of a test.
const CHILD: &str = "VITALWIRE_CHILD";

/// Returns the peak memory of this process so far, in bytes.
#[cfg(target_os = "linux")]
#[must_use]
pub fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// Runs one test of this program in a child process with these variables. Panics if the test fails.
pub fn run_in_child(test: &str, variables: &[(&str, &str)]) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").envs(variables.iter().copied());
    let Output { status, stdout, stderr } = child.output().unwrap();
    let ran = String::from_utf8_lossy(&stdout).contains("1 passed");
    assert!(status.success() && ran, "{test}: {}", String::from_utf8_lossy(&stderr));
}

/// Whether this process was started by [`run_in_child`]. Tests for child processes do nothing in other processes.
#[must_use]
pub fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}
