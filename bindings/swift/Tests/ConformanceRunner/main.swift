// The conformance runner in Swift: plays the judge's cases by the package that applications import and posts what comes of them.
// See `tests/conformance/README.md`. What calls and answers there are is generated, in `Generated`.

let judge = try Judge()
let log = try Log.keep()
let plan = try await judge.plan()
try await turn(plan.filter { !isTimed($0) }, atOnce: atOnce, judge)
try await turn(plan.filter(isTimed), atOnce: timedAtOnce, judge)
try await judge.logged(log.end())
