//! CTest: a C11 program and a C++17 check of the header, linked with the static library.

use crate::conformance;
use crate::packages::c::{Library, build, missing};
use crate::process::has;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// Builds the programs and runs them.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    test(context, Library::Shared)
}

/// The same with the library as it is shipped, and the calls and conformance cases under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    let ran = test(context, Library::Alone)?;
    let Outcome::Ran(mut count) = ran else { return Ok(ran) };
    let watched = show(&mut conformance::c_under(&context.root, VALGRIND, WITHOUT_DEADLINES)?)?;
    if let Outcome::Ran(cases) = watched.counted(Count::conformance) {
        count += cases;
    }
    Ok(Outcome::Ran(count))
}

/// As in `bindings/c/tests/CMakeLists.txt`.
const VALGRIND: &str =
    "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect";

/// Conformance cases of every kind of answer and argument. Those with deadlines would miss them under valgrind.
const WITHOUT_DEADLINES: &str = "{sleeps,statistics,nutrition,labs,errors,bodies,user}.*";

fn test(context: &Context, library: Library) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let folder = build(&context.root, library)?;
    let mut test = context.program("ctest", ".")?;
    test.arg("--test-dir").arg(&folder).args(["--no-tests=error", "--output-on-failure", "--repeat", "until-pass:2"]);
    Ok(show(&mut test)?.counted(Count::ctest))
}
