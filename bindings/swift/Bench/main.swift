// Measures the package and the core in one process. `cargo xtask bench --only swift` builds this program with the probe and runs it:
//
//     Bench records <file of a sleep record> [--quick]
//     Bench calls <base URL of the server> [--quick]

import Foundation

#if VITALWIRE_PROBE
    let arguments = CommandLine.arguments
    let budget = arguments.contains("--quick") ? Budget.quick : .full
    try await arguments[1] == "calls" ? measureCalls(server: arguments[2], budget) : measureRecords(file: arguments[2], budget)
#else
    FileHandle.standardError.write(Data("Bench is built by `cargo xtask bench --only swift`\n".utf8))
    exit(64)
#endif
