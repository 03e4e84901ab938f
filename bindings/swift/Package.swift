// swift-tools-version: 6.0

import PackageDescription

// Three layers, bottom up:
//   CVitalwireFFI  the C functions of the Rust library: a generated header and a module map of our own.
//   VitalwireFFI   what uniffi generates over them. Its code needs Swift 5 mode (mozilla/uniffi-rs issue 2929). `cargo xtask codegen` puts
//                  a reader of our own into it (xtask/src/swift/bindings/reader.rs), and changes nothing else.
//   Vitalwire      what applications import, in Swift 6 mode.
// Beside them, VitalwireTesting is what the tests and previews of applications import; VitalwireSandbox, which imports Testing
// where that has scopes (Swift 6.1), is for tests alone.
//
// In the clone only: the Rust library is found at link time by `-Xlinker -L<folder of libvitalwire_uniffi>`; `cargo xtask test` passes it.
// What is distributed is made of this file and of the XCFramework: `cargo xtask package apple`.
// End of what is in the clone only.
let package = Package(
    name: "Vitalwire",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "Vitalwire", targets: ["Vitalwire"]),
        .library(name: "VitalwireTesting", targets: ["VitalwireTesting"]),
        .library(name: "VitalwireSandbox", targets: ["VitalwireSandbox"]),
    ],
    targets: [
        .systemLibrary(name: "CVitalwireFFI"),
        .target(
            name: "VitalwireFFI",
            dependencies: ["CVitalwireFFI"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "Vitalwire",
            dependencies: ["VitalwireFFI"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(name: "VitalwireTesting", dependencies: ["Vitalwire"]),
        .target(name: "VitalwireSandbox", dependencies: ["Vitalwire"]),
        // In the clone only:
        .testTarget(name: "VitalwireTests", dependencies: ["Vitalwire", "VitalwireTesting", "VitalwireSandbox", "VitalwireFFI"]),
        // In no product: `cargo xtask conformance` builds and runs it.
        .executableTarget(name: "ConformanceRunner", dependencies: ["Vitalwire"], path: "Tests/ConformanceRunner"),
        .executableTarget(name: "LastNight", dependencies: ["Vitalwire"], path: "Examples/LastNight"),
        // Of use with the probe alone: `cargo xtask bench --only swift` builds and runs it.
        .executableTarget(name: "Bench", dependencies: ["Vitalwire", "VitalwireFFI"], path: "Bench"),
        // SwiftUI with previews: empty where there is none.
        .target(name: "NightView", dependencies: ["Vitalwire", "VitalwireTesting"], path: "Examples/NightView"),
        // End of what is in the clone only.
    ],
    swiftLanguageModes: [.v6]
)
