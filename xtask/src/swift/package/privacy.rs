//! Checks `PrivacyInfo.xcprivacy`: it must declare exactly the required-reason API categories used by the library and the Swift code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use super::manifest;
use crate::folder::files;
use crate::swift::layout::{FOLDER, PRIVACY};

/// A category of required-reason APIs.
struct Kind {
    /// Name of the category in `PrivacyInfo.xcprivacy`.
    name: &'static str,
    /// Functions and classes, by their linker names.
    symbols: &'static [&'static str],
    /// Prefixes of the APIs' names in Swift.
    in_swift: &'static [&'static str],
}

/// Apple's categories, from "Describing use of required reason API". We have no valid reason for the last three, so their APIs must not be
/// used.
const KINDS: [Kind; 5] = [
    Kind {
        name: "NSPrivacyAccessedAPICategoryFileTimestamp",
        symbols: &["_fgetattrlist", "_fstat", "_fstatat", "_getattrlist", "_getattrlistat", "_getattrlistbulk", "_lstat", "_stat"],
        in_swift: &["creationDate", "modificationDate", "fileModificationDate", "contentModificationDate"],
    },
    Kind {
        name: "NSPrivacyAccessedAPICategorySystemBootTime",
        symbols: &["_mach_absolute_time"],
        in_swift: &["systemUptime", "mach_absolute_time"],
    },
    Kind {
        name: "NSPrivacyAccessedAPICategoryDiskSpace",
        symbols: &["_fstatfs", "_fstatvfs", "_statfs", "_statvfs"],
        in_swift: &["volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "systemSize"],
    },
    Kind {
        name: "NSPrivacyAccessedAPICategoryActiveKeyboards",
        symbols: &["_OBJC_CLASS_$_UITextInputMode"],
        in_swift: &["activeInputModes"],
    },
    Kind {
        name: "NSPrivacyAccessedAPICategoryUserDefaults",
        symbols: &["_OBJC_CLASS_$_NSUserDefaults"],
        in_swift: &["UserDefaults", "AppStorage"],
    },
];

/// Compares the categories that the library uses with the declared ones. Returns a line per difference.
pub(super) fn differences(called: &BTreeSet<String>, declared: &str) -> Vec<String> {
    let mut found = Vec::new();
    for Kind { name: kind, symbols, .. } in KINDS {
        // On x86-64 macOS, some names have a suffix for the size of inodes.
        let calls = symbols.iter().find(|name| called.contains(**name) || called.contains(&format!("{name}$INODE64")));
        match (calls, declared.contains(kind)) {
            (Some(name), false) => found.push(format!("PrivacyInfo.xcprivacy lacks {kind}: the library calls {name}")),
            (None, true) => found.push(format!("PrivacyInfo.xcprivacy has {kind}, but the library does not use it")),
            _ => {}
        }
    }
    found
}

/// Returns a line for each category that the package's Swift code uses but does not declare, with the file name.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn undeclared_in_swift(root: &Path) -> anyhow::Result<Vec<String>> {
    let declared = fs::read_to_string(root.join(PRIVACY)).with_context(|| format!("reading {PRIVACY}"))?;
    let mut found = Vec::new();
    for folder in manifest::folders(&manifest::read(root)?)? {
        for file in files(&root.join(FOLDER).join(&folder))?.iter().filter(|file| file.extension().is_some_and(|ending| ending == "swift"))
        {
            let code = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
            found.extend(undeclared(&code, &declared).into_iter().map(|finding| format!("{}: {finding}", file.display())));
        }
    }
    Ok(found)
}

/// Returns a line for each category that Swift code uses but `declared` lacks.
fn undeclared(code: &str, declared: &str) -> Vec<String> {
    let words: BTreeSet<&str> = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let missing = KINDS.into_iter().filter(|kind| !declared.contains(kind.name));
    let used =
        |kind: Kind| kind.in_swift.iter().find(|name| words.iter().any(|word| word.starts_with(**name))).map(|name| (kind.name, *name));
    missing.filter_map(used).map(|(kind, name)| format!("PrivacyInfo.xcprivacy lacks {kind}: Swift code names {name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_used_kinds_must_be_declared() {
        let called = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let declared = "<string>NSPrivacyAccessedAPICategoryFileTimestamp</string>";
        assert!(differences(&called(&["_malloc", "_fstat$INODE64"]), declared).is_empty());
        assert_eq!(
            differences(&called(&["_mach_absolute_time"]), declared),
            [
                "PrivacyInfo.xcprivacy has NSPrivacyAccessedAPICategoryFileTimestamp, but the library does not use it",
                "PrivacyInfo.xcprivacy lacks NSPrivacyAccessedAPICategorySystemBootTime: the library calls _mach_absolute_time",
            ]
        );
    }

    #[test]
    fn kinds_that_swift_code_uses_must_be_declared() {
        assert_eq!(
            undeclared("let a = UserDefaults.standard; b[.contentModificationDateKey]", "NSPrivacyAccessedAPICategoryFileTimestamp"),
            ["PrivacyInfo.xcprivacy lacks NSPrivacyAccessedAPICategoryUserDefaults: Swift code names UserDefaults"]
        );
        assert_eq!(undeclared("let modified = record.modifiedAt", ""), [""; 0]);
    }

    #[test]
    fn the_package_declares_every_kind_that_it_uses() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace");
        assert_eq!(undeclared_in_swift(root).expect("it is committed"), [""; 0]);
    }
}
