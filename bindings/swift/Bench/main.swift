// Measures the package and the core in one process. `cargo xtask bench --only swift` builds this program with the probe and runs it.

import Foundation

#if VITALWIRE_PROBE
    try await runProgram()
#else
    FileHandle.standardError.write(Data("Bench is built by `cargo xtask bench --only swift`\n".utf8))
    exit(64)
#endif
