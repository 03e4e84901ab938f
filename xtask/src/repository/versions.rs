//! Checks that all manifests have the same version and the entries that registries require.

mod manifests;

use crate::steps::{Context, Count, Outcome};
use crate::versions::{CHANGES, UNRELEASED, newest_change, stated_versions, workspace};

/// Compares each manifest with the workspace's version and checks its other entries.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let version = workspace(&context.root)?;
    let mut count = Count::default();
    let mut check = |what: &str, found: &str| {
        if found == version {
            count.passed += 1;
        } else {
            count.failed += 1;
            crate::print_line(&format!("{what}: the version must be `{version}`, not `{found}`"));
        }
    };
    for (place, found) in stated_versions(&context.root)? {
        check(&place, &found);
    }
    let newest = newest_change(&context.root)?;
    check(CHANGES, if newest == UNRELEASED { &version } else { &newest });
    count += manifests::check(&context.root)?;
    Ok(Outcome::Ran(count))
}
