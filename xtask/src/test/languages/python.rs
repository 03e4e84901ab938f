//! pytest on the wheel, in a clean virtual environment, never on the source tree.

use crate::python::interpreter;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, show};

/// Runs the tests in an environment that holds the wheel.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(interpreter(&context.root, &context.target)?, ".");
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests"]);
    Ok(show(&mut test)?.counted(Count::pytest))
}
