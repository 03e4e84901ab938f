//! Steps of `cargo xtask test` that belong to no single language: preparation, checks of the whole repository, tests across languages.

mod archives;
mod browser;
mod checks;
mod conformance;
mod contract;
mod demo;
mod dependencies;
mod durability;
mod fuzz;
mod line_length;
mod own_client;
mod own_operation;
mod prepare;
mod schemathesis;
mod tables;
mod versions;
mod words;
mod workflows;

use crate::languages;
use crate::steps::{Context, Occasion, Outcome, Step};

/// The first steps of every run. They contain no tests, and fail if the workspace does not compile.
pub(crate) const FIRST: [Step; 2] = [Step::new("build", prepare::build), Step::new("prepare", prepare::download)];

/// Steps of `--checks`, which run no tests.
pub(crate) const CHECKS: [Step; 10] = [
    Step::new("format", checks::format),
    Step::new("layers", checks::layers),
    Step::new("trace", checks::trace),
    Step::new("notices", checks::notices),
    Step::new("words", words::run),
    Step::new("docs", checks::docs),
    Step::new("workflows", workflows),
    Step::new("deny", dependencies::run),
    Step::new("codegen", checks::codegen),
    Step::new("clippy", checks::clippy),
];

/// Steps that belong to no single language.
const STEPS: [Step; 13] = [
    Step::new("archives", archives::run),
    Step::new("browser", browser::run),
    Step::new("conformance", conformance::run),
    Step::new("contract", contract::run),
    Step::new("schemathesis", schemathesis::run),
    Step::new("tables", tables::run),
    Step::new("versions", versions::run),
    Step::deep("demo", demo::run),
    Step::deep("durability", durability::run),
    Step::deep("fuzz", fuzz::run),
    Step::deep("own-client", own_client::run),
    Step::deep("own-operation", own_operation::run),
    Step::deep("schemathesis-deep", schemathesis::deep),
];

/// Start order of the longest steps, so that none runs alone at the end. Others follow by name.
const ORDER: [&str; 13] = [
    "versions",
    "rust",
    "swift",
    "kotlin",
    "python",
    "conformance",
    "archives",
    "types",
    "schemathesis",
    "c",
    "contract",
    "tables",
    "browser",
];

/// Returns the steps of an occasion, including those of the languages, in start order.
pub(crate) fn steps_for(occasion: Occasion) -> Vec<Step> {
    let all = STEPS.iter().chain(languages::ALL.iter().flat_map(|language| language.tests()));
    let mut steps: Vec<Step> = all.filter(|step| step.occasion == occasion).copied().collect();
    let place = |step: &Step| ORDER.iter().position(|name| *name == step.name).unwrap_or(ORDER.len());
    steps.sort_by_key(|step| (place(step), step.name));
    steps
}

/// Checks that each step is in a workflow.
fn workflows(context: &Context) -> anyhow::Result<Outcome> {
    let (always, deep) = (steps_for(Occasion::Always), steps_for(Occasion::Deep));
    let daily: Vec<&str> = CHECKS.iter().chain(&always).map(|step| step.name).collect();
    workflows::run(context, &daily, &deep.iter().map(|step| step.name).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_names_every_step_of_every_run() {
        assert_eq!(steps_for(Occasion::Always).iter().map(|step| step.name).collect::<Vec<_>>(), ORDER);
    }
}
