// swift-tools-version: 6.0
// A sample application: open this folder in Xcode. Its package is the one that `cargo xtask package apple` builds.
// It has not been opened in Xcode yet. On Linux, the sources are compiled with stand-ins for Apple's frameworks.

import AppleProductTypes
import PackageDescription

let package = Package(
    name: "Nights",
    platforms: [.iOS("16.4")],
    products: [
        .iOSApplication(
            name: "Nights",
            targets: ["Nights"],
            bundleIdentifier: "org.example.nights",
            displayVersion: "1.0",
            bundleVersion: "1",
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [.portrait],
            additionalInfoPlistContentFilePath: "Info.plist"
        )
    ],
    dependencies: [.package(path: "../../../../target/apple/vitalwire-swift")],
    targets: [
        .executableTarget(
            name: "Nights",
            dependencies: [
                .product(name: "Vitalwire", package: "vitalwire-swift"),
                .product(name: "VitalwireConsent", package: "vitalwire-swift"),
                .product(name: "VitalwireTesting", package: "vitalwire-swift"),
            ],
            path: "Sources",
            resources: [.copy("PrivacyInfo.xcprivacy")]
        )
    ],
    swiftLanguageModes: [.v6]
)
