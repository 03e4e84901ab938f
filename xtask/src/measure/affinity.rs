//! CPU affinity for benchmarks of small calls: program and server share one core.

use std::process::Command;

use crate::process::has;

/// Pins the command to one core, if the system supports it. On two cores that take turns, sleeping and waking would take longer than a
/// small call and would vary between runs.
pub(crate) fn pin(command: &Command) -> Command {
    let mut pinned = match core().filter(|_| has("taskset")) {
        Some(core) => {
            let mut taskset = Command::new("taskset");
            taskset.args(["--cpu-list", &core]).arg(command.get_program());
            taskset
        }
        None => Command::new(command.get_program()),
    };
    pinned.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => pinned.env(name, value),
            None => pinned.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        pinned.current_dir(folder);
    }
    pinned
}

/// Returns the last core that this process may use, on Linux.
fn core() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    allowed.trim().rsplit([',', '-']).next().map(str::to_owned)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_program_has_one_core_and_its_own_arguments() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo $0 $GIVEN; grep Cpus_allowed_list: /proc/self/status", "a"]).env("GIVEN", "b").current_dir("/");
        let output = pin(&shell).output().expect("the shell runs");
        let text = String::from_utf8(output.stdout).expect("it prints text");
        let core = core().filter(|_| has("taskset")).unwrap_or_default();
        assert!(text.starts_with("a b\n"), "{text}");
        assert!(core.is_empty() || text.trim_end().ends_with(&format!("\t{core}")), "{text}");
    }
}
