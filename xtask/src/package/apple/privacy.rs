//! Functions of the system that Apple wants a reason for, in `PrivacyInfo.xcprivacy`: those that the library calls are declared.

use std::collections::BTreeSet;

/// Kinds of such functions, and the names by which a library would call them. `Foundation`'s and those of disk space have names of
/// their own; none of the latter may be called, since there is no reason for it.
const KINDS: [(&str, &[&str]); 3] = [
    (
        "NSPrivacyAccessedAPICategoryFileTimestamp",
        &["_fgetattrlist", "_fstat", "_fstatat", "_getattrlist", "_getattrlistat", "_getattrlistbulk", "_lstat", "_stat"],
    ),
    ("NSPrivacyAccessedAPICategorySystemBootTime", &["_mach_absolute_time"]),
    ("NSPrivacyAccessedAPICategoryDiskSpace", &["_fstatfs", "_fstatvfs", "_statfs", "_statvfs"]),
];

/// Kinds that are called and not declared, or declared and not called by the library.
pub(super) fn differences(called: &BTreeSet<String>, declared: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (kind, names) in KINDS {
        // x86-64 of macOS has some under names with their inodes' size.
        let calls = names.iter().find(|name| called.contains(**name) || called.contains(&format!("{name}$INODE64")));
        match (calls, declared.contains(kind)) {
            (Some(name), false) => found.push(format!("PrivacyInfo.xcprivacy lacks {kind}: the library calls {name}")),
            (None, true) => found.push(format!("PrivacyInfo.xcprivacy has {kind}, and the library calls nothing of it")),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_is_declared_and_nothing_else() {
        let called = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let declared = "<string>NSPrivacyAccessedAPICategoryFileTimestamp</string>";
        assert!(differences(&called(&["_malloc", "_fstat$INODE64"]), declared).is_empty());
        assert_eq!(
            differences(&called(&["_mach_absolute_time"]), declared),
            [
                "PrivacyInfo.xcprivacy has NSPrivacyAccessedAPICategoryFileTimestamp, and the library calls nothing of it",
                "PrivacyInfo.xcprivacy lacks NSPrivacyAccessedAPICategorySystemBootTime: the library calls _mach_absolute_time",
            ]
        );
    }
}
