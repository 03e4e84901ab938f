//! Our own rules for workflows: each job has a timeout, each step of `cargo xtask test` runs in one job, and tools have exact versions.

use serde_json::Value;

/// Commands that install packages.
const INSTALLERS: [&str; 7] = ["pip install", "uv add", "pipx ", "npm install", "npx ", "gem install", "cargo install"];

/// Options of pip that accept only known files.
const PINS: [&str; 2] = ["--require-hashes", "--no-index"];

/// A workflow: its file and its content.
pub(super) type Workflow = (String, Value);

/// Returns jobs without `timeout-minutes`, which would end after six hours. A job that calls a workflow has the timeouts of its jobs.
pub(super) fn jobs_without_timeout((file, document): &Workflow) -> Vec<String> {
    let jobs = document.get("jobs").and_then(Value::as_object);
    let endless = |job: &Value| job.get("uses").is_none() && job.get("timeout-minutes").and_then(Value::as_u64).is_none();
    jobs.into_iter()
        .flatten()
        .filter(|(_, job)| endless(job))
        .map(|(name, _)| format!("{file}: job {name} must have timeout-minutes"))
        .collect()
}

/// Returns steps that no job or more than one job runs, and unknown names. A job names steps in `steps` of a matrix, or in a variable
/// STEPS.
pub(super) fn misplaced_steps((file, document): &Workflow, expected: &[&str]) -> Vec<String> {
    let mut lists = Vec::new();
    texts(document, &["steps", "STEPS"], &mut lists);
    let named: Vec<&str> = lists.iter().filter(|list| !list.contains("${{")).flat_map(|list| list.split(',')).collect();
    let times = |name: &str| named.iter().filter(|named| **named == name).count();
    let missing =
        expected.iter().filter(|name| times(name) != 1).map(|name| format!("{file}: step {name} must run once, not {} times", times(name)));
    let unknown =
        named.iter().filter(|name| !expected.contains(name)).map(|name| format!("{file}: `{name}` is not a step of this workflow"));
    missing.chain(unknown).collect()
}

/// Returns commands that install packages without hashes. A new release of a package would change what they install.
pub(super) fn unpinned_installs((file, document): &Workflow) -> Vec<String> {
    let mut commands = Vec::new();
    texts(document, &["run"], &mut commands);
    let lines = commands.iter().flat_map(|commands| commands.split(['\n', ';', '&', '|']));
    let is_pinned = |line: &str| line.contains("pip install") && PINS.iter().any(|pin| line.contains(pin));
    let unpinned = lines.filter(|line| INSTALLERS.iter().any(|installer| line.contains(installer)) && !is_pinned(line));
    unpinned.map(|line| format!("{file}: `{}` must install from a list with --require-hashes", line.trim())).collect()
}

/// Returns a finding if a workflow makes packages for a release with whichever Rust the machine has.
pub(super) fn unpinned_toolchain((file, document): &Workflow) -> Option<String> {
    let mut actions = Vec::new();
    texts(document, &["uses"], &mut actions);
    let is_for_release = document.pointer("/on/workflow_call").is_some() && actions.iter().any(|action| action.contains("upload-artifact"));
    let toolchain = document.pointer("/env/RUSTUP_TOOLCHAIN").and_then(Value::as_str).unwrap_or_default();
    let is_exact = toolchain.split('.').filter(|part| part.parse::<u32>().is_ok()).count() == 3;
    (is_for_release && !is_exact).then(|| format!("{file}: env must have an exact version as RUSTUP_TOOLCHAIN"))
}

/// Collects the texts of fields with one of these names, at any depth.
fn texts<'a>(value: &'a Value, names: &[&str], found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if names.contains(&name.as_str()) => found.push(text),
                    _ => texts(member, names, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, names, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workflow(text: &str) -> Workflow {
        ("w.yml".to_owned(), serde_saphyr::from_str(text).unwrap())
    }

    #[test]
    fn a_job_has_a_timeout_or_calls_a_workflow() {
        let jobs = workflow("jobs:\n  a: { timeout-minutes: 5 }\n  b: { uses: ./c.yml }\n  c: { steps: [] }\n");
        assert_eq!(jobs_without_timeout(&jobs), ["w.yml: job c must have timeout-minutes"]);
    }

    #[test]
    fn packages_are_installed_by_their_hashes() {
        let jobs = workflow(
            "jobs:\n  a:\n    steps:\n      - run: python -m pip install --require-hashes -r a.txt\n      - run: |\n          python -m venv a\n          \
             pip install --no-index dist/a.whl && pip install maturin\n      - run: npx redocly\n",
        );
        let rule = "must install from a list with --require-hashes";
        assert_eq!(unpinned_installs(&jobs), [format!("w.yml: `pip install maturin` {rule}"), format!("w.yml: `npx redocly` {rule}")]);
    }

    #[test]
    fn released_packages_are_built_with_an_exact_rust() {
        let steps = "jobs: { a: { steps: [{ uses: actions/upload-artifact@1 }] } }";
        for (start, is_invalid) in [
            ("on: { workflow_call: }\n", true),
            ("on: { workflow_call: }\nenv: { RUSTUP_TOOLCHAIN: stable }\n", true),
            ("on: { workflow_call: }\nenv: { RUSTUP_TOOLCHAIN: '1.95.0' }\n", false),
            ("on: { push: }\n", false),
        ] {
            assert_eq!(unpinned_toolchain(&workflow(&format!("{start}{steps}"))).is_some(), is_invalid, "{start}");
        }
    }

    #[test]
    fn each_step_runs_once() {
        let jobs = workflow(
            "jobs:\n  a:\n    strategy: { matrix: { include: [{ steps: 'rust,c' }, { steps: c }, { steps: rest }] } }\n    steps:\n      \
             - { run: x, env: { STEPS: '${{ matrix.steps }}' } }\n  b: { steps: [{ run: y, env: { STEPS: swift } }] }\n",
        );
        assert_eq!(
            misplaced_steps(&jobs, &["rust", "c", "swift", "python"]),
            [
                "w.yml: step c must run once, not 2 times",
                "w.yml: step python must run once, not 0 times",
                "w.yml: `rest` is not a step of this workflow"
            ]
        );
    }
}
