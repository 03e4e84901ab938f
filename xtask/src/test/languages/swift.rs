//! XCTest, with an installed Swift or one made for it (xtask/swift/with-swift).

use std::process::Stdio;

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, must, show};

/// with-swift's exit status where this machine can have no Swift.
const UNAVAILABLE: i32 = 69;

/// Builds the native library and runs the package's tests.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let with_swift = context.root.join("xtask/swift/with-swift");
    let prepared = context.program(&with_swift, ".").arg("--prepare").stdout(Stdio::null()).status()?;
    if prepared.code() == Some(UNAVAILABLE) {
        return Ok(Outcome::Missing("no Swift, and none can be made here (xtask/swift/with-swift says why)".to_owned()));
    }
    must(context.cargo().args(["build", "--package", "vitalwire-uniffi", "--lib"]))?;
    let library = context.target.join("debug");
    let mut test = context.program(&with_swift, ".");
    // The target folder may be outside the workspace: with-swift must show it inside its root.
    test.env("VITALWIRE_SWIFT_BINDS", &context.target);
    test.arg("env").arg(format!("LD_LIBRARY_PATH={}", library.display()));
    test.args(["swift", "test", "--package-path", "bindings/swift", "--scratch-path"]).arg(context.target.join("swift"));
    test.arg("-Xlinker").arg(format!("-L{}", library.display()));
    Ok(show(&mut test)?.counted(Count::xctest))
}
