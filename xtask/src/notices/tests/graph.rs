//! Tests of the parser for cargo's output, and of the list of released targets.

use crate::notices::artifacts::ARTIFACTS;
use crate::notices::graph::add_fetch_remedy;

/// Parts of target names that no other word in a workflow has.
const SYSTEMS: [&str; 5] = ["-unknown-linux-", "-apple-", "-pc-windows-", "-linux-android", "-linux-ohos"];

#[test]
fn every_target_of_a_workflow_is_in_the_notices() {
    let ours: Vec<&str> = ARTIFACTS.iter().flat_map(|artifact| artifact.targets()).collect();
    let mut seen = 0;
    for entry in std::fs::read_dir(crate::workspace_root().join(".github/workflows")).expect("workflows") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("text");
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_') {
            if SYSTEMS.iter().any(|system| word.contains(system)) && !word.starts_with("stable-") {
                seen += 1;
                assert!(ours.contains(&word), "{word} is a target of a workflow: add it to xtask/src/notices/artifacts.rs");
            }
        }
    }
    assert!(seen > 0, "no workflow names a target, so this test checks nothing");
}

#[test]
fn the_crate_and_the_folders_of_each_artifact_exist() {
    let root = crate::workspace_root();
    for artifact in &ARTIFACTS {
        assert!(root.join("crates").join(artifact.krate).join("Cargo.toml").is_file(), "{}", artifact.krate);
        for folder in artifact.folders {
            assert!(root.join(folder).is_dir(), "{folder}");
        }
    }
}

#[test]
fn the_remedy_matches_the_error() {
    let remedy_for = |cargo: &str| add_fetch_remedy(&anyhow::anyhow!(cargo.to_owned())).to_string();
    let offline = remedy_for(
        "error: failed to download `ring v0.17.14`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified",
    );
    assert!(offline.contains("ring v0.17.14") && offline.contains("remedy: run `cargo fetch --locked`"), "{offline}");
    let stale = remedy_for("error: cannot update the lock file /x/Cargo.lock because --locked was passed to prevent this");
    assert!(stale.contains("remedy: Cargo.lock does not match the manifests"), "{stale}");
}
