//! What is checked without running anything: form, lints, and that what is generated is fresh.

use std::path::Path;

use crate::build;
use crate::codegen::Codegen;
use crate::layers::Layers;
use crate::notices::Notices;
use crate::steps::{Context, Count, Outcome, show};
use crate::trace::Trace;

/// Every package's form.
pub(super) fn format(context: &Context) -> anyhow::Result<Outcome> {
    let printed = show(context.cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Outcome::Ran(Count::of(printed.success)))
}

/// Clippy's lints, none of which may be left.
pub(super) fn clippy(context: &Context) -> anyhow::Result<Outcome> {
    build::clippy(&context.root)?;
    Ok(Outcome::Ran(Count::of(true)))
}

/// That every generated file is what would be generated now.
pub(super) fn codegen(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Codegen::checking().run(root))
}

/// That no modules use each other in a circle.
pub(super) fn layers(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Layers::checking().run(root))
}

/// That every statement has its case.
pub(super) fn trace(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Trace::checking().run(root))
}

/// That the licence texts, notices and bills of materials of every package are those of what it is linked with.
pub(super) fn notices(context: &Context) -> anyhow::Result<Outcome> {
    passed(&context.root, |root| Notices::checking().run(root))
}

fn passed(root: &Path, check: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<Outcome> {
    check(root)?;
    Ok(Outcome::Ran(Count::of(true)))
}
