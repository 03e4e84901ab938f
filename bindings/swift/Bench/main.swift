// Measures the package beside the core, in one process. `cargo xtask bench --only swift` builds it with the probe, and runs it:
//
//     Bench <base URL of the server> <file of a sleep record> [--quick]

import Foundation
import Vitalwire

#if VITALWIRE_PROBE
    let arguments = CommandLine.arguments
    let effort = arguments.contains("--quick") ? Effort.quick : .full
    let (url, token) = (arguments[1], "bench-token")
    let json = try String(contentsOfFile: arguments[2], encoding: .utf8)

    let answers = Answers()
    answers.add(Answer(json: json), to: "get_sleep")
    let remembering = try VitalwireClient(ClientOptions(), answers: answers)
    let decode = try await compare(
        effort,
        timed { _ = try await remembering.sleeps.get("1", include: [.stages, .samples]) },
        Baseline.decode(json),
        try Baseline.crossing(json))
    let sleep = "a sleep, 60 stages, 80,000 values"
    try Line(
        measure: "\(sleep), into Swift, by the core's reading", ours: shown(decode.median(0)), baseline: shown(decode.median(1)),
        figure: decode.ratio(0, 1)
    ).atMost(2).print()
    try Line(
        measure: "\(sleep), share of the package's own records", ours: shown(decode.median(0)), baseline: shown(decode.median(2)),
        figure: 1 - decode.ratio(2, 0)
    ).atMost(0.15).print()

    let client = try VitalwireClient(ClientOptions(baseURL: URL(string: url), token: token))
    let calls = try await compare(effort, timed { _ = try await client.user.info() }, try Baseline.call(url, token))
    try Line(
        measure: "a warm small call, by the Rust client's", ours: shown(calls.median(0)), baseline: shown(calls.median(1)),
        figure: calls.ratio(0, 1)
    ).atMost(1.5).print()
#else
    FileHandle.standardError.write(Data("Bench is built by `cargo xtask bench --only swift`\n".utf8))
    exit(64)
#endif
