//! Static checks: formatting, lints and generated files.

use std::path::Path;

use crate::build;
use crate::codegen::Codegen;
use crate::layers::Layers;
use crate::notices::Notices;
use crate::steps::{Context, Count, Outcome, show};
use crate::trace::Trace;

/// Checks the formatting of every package.
pub(super) fn format(context: &Context) -> anyhow::Result<Outcome> {
    let printed = show(context.cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Outcome::Ran(Count::of(printed.success)))
}

/// Checks for lints of Clippy.
pub(super) fn clippy(context: &Context) -> anyhow::Result<Outcome> {
    build::clippy(&context.root)?;
    Ok(Outcome::Ran(Count::of(true)))
}

/// Checks that all generated files are up to date.
pub(super) fn codegen(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Codegen::checking().run(root))
}

/// Checks that no modules use each other in a cycle.
pub(super) fn layers(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Layers::checking().run(root))
}

/// Checks that every statement has a case.
pub(super) fn trace(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Trace::checking().run(root))
}

/// Checks that licence texts, notices and bills of materials of every package match its dependencies.
pub(super) fn notices(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Notices::checking().run(root))
}

fn passed(root: &Path, check: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<Outcome> {
    check(root)?;
    Ok(Outcome::Ran(Count::of(true)))
}
