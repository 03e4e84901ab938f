//! Slices of the XCFramework: a library for each of Apple's platforms.

use clap::builder::PossibleValuesParser;

/// A library of the XCFramework.
#[derive(Debug)]
pub(crate) struct Slice {
    /// Name of the folder in the XCFramework.
    pub(crate) identifier: &'static str,
    pub(super) platform: &'static Platform,
    pub(super) targets: &'static [Target],
}

/// A system and its names in several tools.
#[derive(Debug)]
pub(super) struct Platform {
    /// Name in manifests of Swift packages.
    pub(super) manifest: &'static str,
    /// Name and variant in `Info.plist`.
    pub(super) plist: (&'static str, Option<&'static str>),
    /// Number in `LC_BUILD_VERSION`.
    pub(super) number: u32,
    /// Name for linkers.
    pub(super) linker: &'static str,
    /// Name for `xcrun`.
    pub(super) sdk: &'static str,
    /// Environment variable for compilers with the minimum version.
    pub(super) variable: &'static str,
    /// Frameworks whose functions the library calls.
    pub(super) frameworks: &'static [&'static str],
    /// Whether the library has the functions for servers.
    pub(super) server: bool,
}

/// A library for one processor.
#[derive(Debug)]
pub(super) struct Target {
    /// Name of the Rust target.
    pub(super) triple: &'static str,
    /// Apple's name of the processor.
    pub(super) processor: &'static str,
}

const IOS: Platform = Platform {
    manifest: "iOS",
    plist: ("ios", None),
    number: 2,
    linker: "ios",
    sdk: "iphoneos",
    variable: "IPHONEOS_DEPLOYMENT_TARGET",
    frameworks: &["CoreFoundation", "Security"],
    server: false,
};

const IOS_SIMULATOR: Platform =
    Platform { plist: ("ios", Some("simulator")), number: 7, linker: "ios-simulator", sdk: "iphonesimulator", ..IOS };

const MACOS: Platform = Platform {
    manifest: "macOS",
    plist: ("macos", None),
    number: 1,
    linker: "macos",
    sdk: "macosx",
    variable: "MACOSX_DEPLOYMENT_TARGET",
    // SystemConfiguration supplies the system's proxy settings.
    frameworks: &["CoreFoundation", "Security", "SystemConfiguration"],
    server: true,
};

pub(crate) const SLICES: [Slice; 3] = [
    Slice { identifier: "ios-arm64", platform: &IOS, targets: &[Target { triple: "aarch64-apple-ios", processor: "arm64" }] },
    Slice {
        identifier: "ios-arm64_x86_64-simulator",
        platform: &IOS_SIMULATOR,
        targets: &[
            Target { triple: "aarch64-apple-ios-sim", processor: "arm64" },
            Target { triple: "x86_64-apple-ios", processor: "x86_64" },
        ],
    },
    Slice {
        identifier: "macos-arm64_x86_64",
        platform: &MACOS,
        targets: &[
            Target { triple: "aarch64-apple-darwin", processor: "arm64" },
            Target { triple: "x86_64-apple-darwin", processor: "x86_64" },
        ],
    },
];

/// Returns the names of all slices as values of a command-line option.
pub(crate) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(SLICES.map(|slice| slice.identifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that folders in the XCFramework are named as Xcode names them.
    #[test]
    fn a_slice_is_named_after_its_platform_and_processors() {
        for slice in &SLICES {
            let (platform, variant) = slice.platform.plist;
            let processors: Vec<&str> = slice.targets.iter().map(|target| target.processor).collect();
            let name = [Some(platform), Some(&processors.join("_")), variant].into_iter().flatten().collect::<Vec<_>>().join("-");
            assert_eq!(slice.identifier, name);
        }
    }
}
