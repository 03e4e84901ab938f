// swift-tools-version: 6.0

import Foundation
import PackageDescription

// A package outside this repository that depends on the distributed package from `cargo xtask package apple`.
let distributed = ProcessInfo.processInfo.environment["VITALWIRE_DISTRIBUTED"] ?? "../../../../target/apple/vitalwire-swift"

let package = Package(
    name: "Installed",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(path: distributed)],
    targets: [
        .testTarget(
            name: "InstalledTests",
            dependencies: [
                // --8<-- [start:product]
                .product(name: "Vitalwire", package: "vitalwire-swift"),
                // --8<-- [end:product]
                .product(name: "VitalwireTesting", package: "vitalwire-swift"),
                .product(name: "VitalwireSandbox", package: "vitalwire-swift"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
