// Measures the package beside the core, in one process. `cargo xtask bench --only swift` builds it with the probe, and runs it:
//
//     Bench <base URL of the server> <file of a sleep record> [--quick]

import Foundation

#if VITALWIRE_PROBE
    let arguments = CommandLine.arguments
    try await measure(server: arguments[1], record: arguments[2], arguments.contains("--quick") ? .quick : .full)
#else
    FileHandle.standardError.write(Data("Bench is built by `cargo xtask bench --only swift`\n".utf8))
    exit(64)
#endif
