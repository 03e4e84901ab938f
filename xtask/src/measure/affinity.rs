//! CPU affinity of benchmark programs.

use crate::process::has;

/// Cores on which a program and the server that it calls run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cores {
    /// All cores for both.
    Any,
    /// One core for both, for small calls. On two cores that take turns, sleeping and waking would take longer than a small call and would
    /// vary between runs.
    One,
    /// One core for the server, the others for the program.
    Apart,
}

impl Cores {
    /// Returns the command lines in front of the server and of the program. They are empty if the system does not support affinity.
    pub(crate) fn prefixes(self) -> [Vec<String>; 2] {
        let taskset = |cores: &str| vec!["taskset".to_owned(), "--cpu-list".to_owned(), cores.to_owned()];
        let cores = if has("taskset") { allowed() } else { Vec::new() };
        match (self, cores.as_slice()) {
            (Self::One, [.., last]) => [taskset(last), Vec::new()],
            (Self::Apart, [first, others @ ..]) if !others.is_empty() => [taskset(first), taskset(&others.join(","))],
            _ => [Vec::new(), Vec::new()],
        }
    }
}

/// Returns the cores that this process may use, on Linux.
fn allowed() -> Vec<String> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    let ranges = list.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    });
    ranges.flatten().map(|core| core.to_string()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_core_that_its_program_does_not_use() {
        let [server, program] = Cores::Apart.prefixes();
        if let [.., list] = program.as_slice() {
            assert!(list.split(',').all(|core| Some(core) != server.last().map(String::as_str)), "{server:?}, {program:?}");
        }
        assert_eq!(Cores::Any.prefixes().concat(), Vec::<String>::new());
        let [both, inherited] = Cores::One.prefixes();
        assert!(inherited.is_empty() && (!has("taskset") || both.len() == 3), "{both:?}");
    }
}
