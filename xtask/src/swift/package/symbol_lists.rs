//! Symbol lists that replace Apple's libraries for links without Xcode: all names in macOS's libSystem, and selected names of frameworks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// File with a framework and one of its functions per line. A missing name fails the link. Before you add one, check which systems have it.
pub(super) const FRAMEWORKS: &str = "xtask/src/swift/package/frameworks.txt";

/// Returns the frameworks, and the linker names of their functions that may be called.
pub(super) fn frameworks(root: &Path) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let text = fs::read_to_string(root.join(FRAMEWORKS)).with_context(|| format!("reading {FRAMEWORKS}"))?;
    Ok(parse(&text))
}

fn parse(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut frameworks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (framework, name) in text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')) {
        frameworks.entry(framework.to_owned()).or_default().push(format!("_{name}"));
    }
    frameworks
}

/// Writes the lists for a system into a folder that linkers search for libraries and frameworks.
pub(super) fn write(root: &Path, sdk: &Path, system: &str, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let names = fs::read_to_string(sdk.join("usr/lib/libSystem.tbd")).context("reading libSystem's names")?;
    fs::write(folder.join("libSystem.tbd"), system_list(&names, system))?;
    for (framework, names) in frameworks(root)? {
        let place = folder.join(format!("{framework}.framework"));
        fs::create_dir_all(&place)?;
        fs::write(place.join(format!("{framework}.tbd")), framework_list(&framework, &names, system))?;
    }
    Ok(())
}

/// Converts macOS's list to another system. Applications use arm64 instead of arm64e, and lld does not support arm64e.x1.
fn system_list(list: &str, system: &str) -> String {
    list.replace("arm64e.x1-", "arm64e-")
        .replace("arm64e-macos", &format!("arm64-{system}"))
        .replace("x86_64-macos", &format!("x86_64-{system}"))
}

fn framework_list(framework: &str, names: &[String], system: &str) -> String {
    let targets = format!("[ arm64-{system}, x86_64-{system} ]");
    format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: {targets}\ninstall-name: '/System/Library/Frameworks/{framework}.framework/{framework}'\n\
         exports:\n  - targets: {targets}\n    symbols: [ {} ]\n...\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_grouped_by_framework() {
        let frameworks = parse("# comment\nSecurity SecTrustCreate\nCoreFoundation CFRelease\nSecurity SecTrustEvaluate\n");
        let expected = [("CoreFoundation", vec!["_CFRelease"]), ("Security", vec!["_SecTrustCreate", "_SecTrustEvaluate"])];
        assert_eq!(frameworks, expected.map(|(name, names)| (name.to_owned(), names.into_iter().map(str::to_owned).collect())).into());
    }

    #[test]
    fn a_list_is_converted_to_another_system() {
        assert_eq!(system_list("[ x86_64-macos, arm64e-macos, arm64e.x1-macos ]", "ios"), "[ x86_64-ios, arm64-ios, arm64-ios ]");
        let list = framework_list("Security", &["_A".to_owned(), "_B".to_owned()], "ios-simulator");
        assert!(list.contains("targets: [ arm64-ios-simulator, x86_64-ios-simulator ]\n    symbols: [ _A, _B ]\n"), "{list}");
    }
}
