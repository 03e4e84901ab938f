//! Tests of the list of released targets.

use crate::notices::about::SETTINGS;

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
