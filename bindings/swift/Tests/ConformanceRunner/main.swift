// The conformance runner in Swift: plays the cases of the judge on the package and posts their outcomes.
// See `tests/conformance/README.md`. Code for operations and records is generated, in `Generated`.

let judge = try Judge()
let log = try Log.keep()
let plan = try await judge.plan()
try await playAll(plan.filter { !isTimed($0) }, atOnce: atOnce, judge)
try await playAll(plan.filter(isTimed), atOnce: timedAtOnce, judge)
try await judge.logged(log.end())
