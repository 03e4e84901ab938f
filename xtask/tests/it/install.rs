//! Tests of `.ci/install --rust` with invented versions of Rust.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Creates a home folder with a Rust of this version, and with compilers.
fn home(version: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".cargo/bin");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("rustc", version), ("cc", "cc"), ("c++", "c++")] {
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(folder.join(name)).unwrap();
        write!(file, "#!/bin/sh\necho '{text}'\n").unwrap();
    }
    home
}

fn install(change: impl FnOnce(&mut Command)) -> Output {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/install"));
    command.arg("--rust");
    change(&mut command);
    command.output().unwrap()
}

/// The workspace needs Rust 1.89 or a later version.
#[test]
fn the_version_of_rust_is_compared_without_its_suffix() {
    for (version, problem) in [
        ("rustc 1.89.0 (29483883e 2025-08-04)", ""),
        ("rustc 1.89.0-nightly (255aa2208 2025-05-01)", ""),
        ("rustc 1.100.0-beta.2 (255aa2208 2027-05-01)", ""),
        ("rustc 1.90.0~rc1", ""),
        ("rustc 1.88.0 (6b00bc388 2025-06-23)", "Rust 1.88.0 is too old: run 'rustup update' for 1.89 or newer\n"),
        ("rustc 1.9.0-nightly", "Rust 1.9.0 is too old: run 'rustup update' for 1.89 or newer\n"),
        ("rust", "rustc --version prints no version\n"),
    ] {
        let home = home(version);
        let output = install(|command| {
            command.env("HOME", home.path());
        });
        assert_eq!(String::from_utf8_lossy(&output.stderr), problem, "{version}");
        assert_eq!(output.status.success(), problem.is_empty(), "{version}: {output:?}");
    }
}

/// Services and containers may set no HOME.
#[test]
fn a_home_folder_is_not_needed() {
    let home = home("rustc 1.89.0");
    let path = format!("{}:{}", home.path().join(".cargo/bin").display(), std::env::var("PATH").unwrap());
    let output = install(|command| {
        command.env("PATH", path).env_remove("HOME");
    });
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
