//! Compares code that is generated from small specifications with committed files, and compiles it.
//!
//! `VITALWIRE_BLESS=1 cargo test -p vitalwire-codegen golden` rewrites the committed files. Review their diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use vitalwire_codegen::package::{self, Package};

use super::{build, core_files, fixture, read, root, workspace};

/// Folder of generated files.
const GENERATED: &str = "crates/vitalwire/src/generated/";

/// Fixtures, each with the generated files to compare.
const CASES: &[(&str, &[&str])] = &[
    ("body", &["operations/things.rs", "http/health/things.rs"]),
    ("header", &["http/health/things.rs", "operations/things.rs"]),
    ("list-response", &["http/health/things.rs", "resources/things.rs"]),
    ("model", &["models/thing.rs", "names.rs"]),
    ("number-map", &["models/maps.rs", "open_sets/metric_name.rs"]),
    ("open-set", &["open_sets/colour.rs"]),
    ("range", &["operations/things.rs"]),
    ("table", &["tables.rs"]),
    ("query-list", &["operations/things.rs", "http/health/things.rs", "meta.rs"]),
];

#[test]
fn golden_files_are_up_to_date() {
    let bless = std::env::var_os("VITALWIRE_BLESS").is_some();
    for (name, shown) in CASES {
        let workspace = workspace(&read(&format!("golden/{name}/health.yaml")), &[]);
        let files = core_files(workspace.path());
        for path in *shown {
            let file = files.iter().find(|file| file.path.strip_prefix(GENERATED) == Some(*path));
            let text = &file.unwrap_or_else(|| panic!("{name}: {path} is not generated")).text;
            // Without `.rs`, rustfmt and cargo ignore these files.
            let golden = fixture(&format!("golden/{name}/{}.txt", path.replace('/', ".")));
            if bless {
                fs::write(&golden, text).unwrap();
                continue;
            }
            let committed = fs::read_to_string(&golden).unwrap_or_default();
            let diff = similar::TextDiff::from_lines(&committed, text).unified_diff().header("committed", "generated").to_string();
            assert!(diff.is_empty(), "{} differs; if it should, run the test with VITALWIRE_BLESS=1\n{diff}", golden.display());
        }
        let known: BTreeSet<String> =
            shown.iter().map(|path| format!("{}.txt", path.replace('/', "."))).chain(["health.yaml".to_owned()]).collect();
        let found: BTreeSet<String> = fs::read_dir(fixture(&format!("golden/{name}")))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(found, known, "{name}");
    }
}

/// Generates a crate from the obstacle course and from every golden fixture. Cargo must accept its manifest, and rustc its code.
#[test]
fn generated_code_compiles() {
    let engine = engine();
    let golden = CASES.iter().map(|(name, _)| format!("golden/{name}/health.yaml"));
    for specification in golden.chain(["obstacles/health.yaml".to_owned()]) {
        let workspace = workspace(&read(&specification), &[]);
        let (sources, ir) = build(workspace.path()).unwrap_or_else(|findings| panic!("{findings}"));
        let folder = workspace.path().join("package");
        for file in package::emit(&ir, &sources, root(), &Package { name: "golden".to_owned(), wrappers: Vec::new() }).unwrap() {
            let path = folder.join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &file.text).unwrap();
        }
        let run = |command: &mut Command| {
            let output = command.current_dir(&folder).output().unwrap();
            assert!(
                output.status.success(),
                "{specification} gives code that does not compile:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        };
        run(Command::new(env!("CARGO")).args(["metadata", "--offline", "--no-deps", "--format-version", "1"]));
        run(compiler(&engine).arg("src/lib.rs"));
    }
}

/// Returns the rustc command with which cargo would check a library on this engine. Cargo itself would check all dependencies again.
fn compiler(engine: &Path) -> Command {
    let mut rustc = Command::new(Path::new(env!("CARGO")).with_file_name("rustc"));
    rustc
        .args(["--crate-name", "golden", "--crate-type", "lib", "--edition", "2024", "--emit", "metadata"])
        .args(["--cfg", "feature=\"blocking\""]);
    rustc.env("CARGO_PKG_NAME", "golden").env("CARGO_PKG_VERSION", env!("CARGO_PKG_VERSION"));
    rustc.arg("--extern").arg(format!("vitalwire_runtime={}", engine.display()));
    rustc.arg("-L").arg(format!("dependency={}", engine.parent().unwrap().display()));
    rustc
}

/// Returns the newest build of the engine that has the feature `blocking`. Programs with fewer features have other builds.
fn engine() -> PathBuf {
    let programs = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let entries = fs::read_dir(&programs).unwrap().map(|entry| entry.unwrap());
    let named = entries.filter(|entry| {
        let name = entry.file_name().into_string().unwrap_or_default();
        let Some(hash) = name.strip_prefix("libvitalwire_runtime-").and_then(|name| name.strip_suffix(".rlib")) else { return false };
        let features = programs.with_file_name(format!(".fingerprint/vitalwire-runtime-{hash}/lib-vitalwire_runtime.json"));
        let features = fs::read_to_string(features).unwrap_or_default();
        features.split("\"declared_features\"").next().is_some_and(|enabled| enabled.contains("blocking"))
    });
    named.max_by_key(|entry| entry.metadata().and_then(|metadata| metadata.modified()).unwrap()).expect("the engine").path()
}
