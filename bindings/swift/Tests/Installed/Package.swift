// swift-tools-version: 6.0

import Foundation
import PackageDescription

// A package of somebody else, which depends on Vitalwire as it is distributed: `cargo xtask package apple` makes that.
let distributed = ProcessInfo.processInfo.environment["VITALWIRE_DISTRIBUTED"] ?? "../../../../target/apple/vitalwire-swift"

let package = Package(
    name: "Installed",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(path: distributed)],
    targets: [
        .testTarget(
            name: "InstalledTests",
            dependencies: [
                .product(name: "Vitalwire", package: "vitalwire-swift"),
                .product(name: "VitalwireTesting", package: "vitalwire-swift"),
                .product(name: "VitalwireSandbox", package: "vitalwire-swift"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
