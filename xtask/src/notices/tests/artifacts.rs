//! Tests of the artifacts and of the list of released targets.

use crate::notices::about::SETTINGS;
use crate::notices::artifacts::ARTIFACTS;

/// Parts of target names that no other word in a workflow has.
const SYSTEMS: [&str; 5] = ["-unknown-linux-", "-apple-", "-pc-windows-", "-linux-android", "-linux-ohos"];

#[test]
fn every_target_of_a_workflow_is_in_the_notices() {
    let settings: toml::Table = std::fs::read_to_string(crate::workspace_root().join(SETTINGS)).expect("settings").parse().expect("TOML");
    let ours: Vec<String> = settings["targets"].clone().try_into().expect("targets");
    let mut seen = 0;
    for entry in std::fs::read_dir(crate::workspace_root().join(".github/workflows")).expect("workflows") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("text");
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_') {
            if SYSTEMS.iter().any(|system| word.contains(system)) && !word.starts_with("stable-") {
                seen += 1;
                assert!(ours.iter().any(|target| target == word), "{word} is a target of a workflow: add it to {SETTINGS}");
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
fn only_mobile_artifacts_are_built_for_phones() {
    let all = ["aarch64-apple-darwin", "aarch64-apple-ios", "aarch64-linux-android", "x86_64-unknown-linux-gnu"].map(str::to_owned);
    for artifact in &ARTIFACTS {
        let expected = if artifact.is_mobile { &[0, 1, 2, 3][..] } else { &[0, 3] };
        assert_eq!(artifact.targets(&all), expected.iter().map(|index| all[*index].as_str()).collect::<Vec<_>>(), "{}", artifact.title);
    }
}
