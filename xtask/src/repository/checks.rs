//! Static checks: formatting, lints and generated files.

use crate::build;
use crate::codegen::Codegen;
use crate::docs;
use crate::layers::Layers;
use crate::notices::Notices;
use crate::pypi;
use crate::steps::{Context, Count, Outcome, run_and_show};
use crate::trace::Trace;

use super::line_length::long_lines;

/// Checks the format of Rust, and the line length of hand-written Kotlin and Swift.
pub(super) fn format(context: &Context) -> anyhow::Result<Outcome> {
    let printed = run_and_show(context.cargo().args(["fmt", "--all", "--check"]))?;
    let long = long_lines(&context.root)?;
    long.iter().for_each(|finding| crate::print_line(finding));
    Ok(Outcome::Ran(Count::from_check(printed.success && long.is_empty())))
}

pub(super) fn clippy(context: &Context) -> anyhow::Result<Outcome> {
    build::clippy(&context.root)?;
    // The program of the README's first command. No other build leaves out features.
    let mut check = context.cargo();
    let printed = run_and_show(check.args(["check", "--locked", "--package", "vitalwire-cli", "--no-default-features"]))?;
    Ok(Outcome::Ran(Count::from_check(printed.success)))
}

/// Checks that all generated files are up to date.
pub(super) fn codegen(context: &Context) -> anyhow::Result<Outcome> {
    count_check(Codegen::check_only().run(&context.root))
}

/// Checks that no modules use each other in a cycle.
pub(super) fn layers(context: &Context) -> anyhow::Result<Outcome> {
    count_check(Layers { check: true }.run(&context.root))
}

/// Checks that every statement has a case.
pub(super) fn trace(context: &Context) -> anyhow::Result<Outcome> {
    count_check(Trace { check: true, write: false }.run(&context.root))
}

/// Checks that notices and bills of materials of every package match its dependencies.
pub(super) fn notices(context: &Context) -> anyhow::Result<Outcome> {
    count_check(Notices { check: true }.run(&context.root))
}

/// Checks that the documentation site can be built: snippets, tabs, links.
pub(super) fn docs(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    count_check(docs::build_site(&context.root, &context.target, &[]).map(drop))
}

fn count_check(checked: anyhow::Result<()>) -> anyhow::Result<Outcome> {
    checked?;
    Ok(Outcome::Ran(Count::from_check(true)))
}
