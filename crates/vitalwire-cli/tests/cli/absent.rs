//! The program without the feature `tables`: it says so, offers no option of it, and does the rest.

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, Scripted};

#[test]
fn formats_that_are_not_built_in_are_refused_before_anything_is_asked() {
    let server = Scripted::start(|_, _| Reply::json("{}"));
    for format in ["csv", "parquet", "arrow"] {
        for more in [&[][..], &["--time-zone", "Europe/Berlin", "--all-columns", "--time-unit", "ns"]] {
            let output = server.caller(&[&["stats", "daily", "--format", format], more].concat()).output().expect("it starts");
            let told = String::from_utf8(output.stderr).expect("text");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
            assert!(told.starts_with("vitalwire: csv, parquet and arrow are not built into this program\nhint: "), "{told}");
            assert!(told.contains("the feature `tables`"), "{told}");
        }
    }
    assert!(server.requests().is_empty());
    assert!(run(&["--sandbox", "stats", "daily", "--format", "json"]).status.success());
}

#[test]
fn neither_help_nor_manual_offers_them() {
    for arguments in [&["--help"][..], &["sleep", "--help"], &["nutrition", "list", "--help"], &["man"]] {
        let output = vitalwire().args(arguments).output().expect("it starts");
        // Manual pages write each dash with a stroke before it.
        let text = String::from_utf8(output.stdout).expect("text").to_lowercase().replace('\\', "");
        assert!(output.status.success() && text.contains("--format"), "{arguments:?}");
        for name in ["csv", "parquet", "arrow", "--time-unit", "--all-columns", "--escape-formulas"] {
            assert!(!text.contains(name), "{arguments:?} has {name}");
        }
    }
}
