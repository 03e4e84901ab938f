// swift-tools-version: 6.0

import PackageDescription

// The package with the echo probe, which nothing that is shipped has: `cargo xtask test` copies this file, the tests beside it and the
// package's sources to a folder of its own, with bindings made from a library that has the probe.
let package = Package(
    name: "VitalwireProbe",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8)],
    targets: [
        .systemLibrary(name: "CVitalwireFFI"),
        .target(
            name: "VitalwireFFI",
            dependencies: ["CVitalwireFFI"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(name: "Vitalwire", dependencies: ["VitalwireFFI"]),
        .testTarget(name: "ProbeTests", dependencies: ["Vitalwire"]),
    ],
    swiftLanguageModes: [.v6]
)
