//! The program without the feature `tables`: it rejects table formats and hides their options.

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

#[test]
fn table_formats_are_rejected_before_a_request() {
    let server = ScriptedServer::start(|_, _| Reply::json("{}"));
    for format in ["csv", "parquet", "arrow"] {
        for more in [&[][..], &["--time-zone", "Europe/Berlin", "--all-columns", "--time-unit", "ns"]] {
            let output = server.command(&[&["stats", "daily", "--format", format], more].concat()).output().expect("it starts");
            let stderr = String::from_utf8(output.stderr).expect("text");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
            assert!(stderr.starts_with("vitalwire: this program was built without csv, parquet and arrow\nhint: "), "{stderr}");
            assert!(stderr.contains("the feature `tables`"), "{stderr}");
        }
    }
    assert!(server.requests().is_empty());
    assert!(run(&["--sandbox", "stats", "daily", "--format", "json"]).status.success());
}

#[test]
fn help_and_manual_hide_table_options() {
    for arguments in [&["--help"][..], &["sleep", "--help"], &["nutrition", "list", "--help"], &["man"]] {
        let output = vitalwire().args(arguments).output().expect("it starts");
        // Manual pages escape each dash with a backslash.
        let text = String::from_utf8(output.stdout).expect("text").to_lowercase().replace('\\', "");
        assert!(output.status.success() && text.contains("--format"), "{arguments:?}");
        for name in ["csv", "parquet", "arrow", "--time-unit", "--all-columns", "--escape-formulas"] {
            assert!(!text.contains(name), "{arguments:?} has {name}");
        }
    }
}
