//! The XCFramework: a folder with a library per platform, in the layout of `xcodebuild -create-xcframework`.

use std::fs;
use std::path::Path;

use plist::{Dictionary, Value};

use super::library::Library;
use super::slices::{Platform, Slice};
use super::toolchain::LIBRARY;
use crate::folder;
use crate::swift::layout::MODULE;

/// Replaces `folder` with libraries, the C header, and a module map per platform.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(root: &Path, libraries: &[Library], folder: &Path) -> anyhow::Result<()> {
    folder::remove(folder)?;
    fs::create_dir_all(folder)?;
    for library in libraries {
        let slice = folder.join(library.slice.identifier);
        // Use a folder with the module's name, because Xcode copies the headers of all packages into one folder.
        let headers = slice.join("Headers").join(MODULE);
        fs::create_dir_all(&headers)?;
        fs::copy(&library.file, slice.join(LIBRARY))?;
        for header in super::headers(library.slice.platform.server) {
            fs::copy(root.join(header), headers.join(file_name(header)))?;
        }
        fs::write(headers.join("module.modulemap"), module_map(library.slice.platform))?;
    }
    let slices: Vec<&Slice> = libraries.iter().map(|library| library.slice).collect();
    Ok(info(&slices).to_file_xml(folder.join("Info.plist"))?)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the module map. It names the frameworks, so that applications need not link them.
fn module_map(platform: &Platform) -> String {
    let frameworks: String = platform.frameworks.iter().map(|framework| format!("    link framework \"{framework}\"\n")).collect();
    let headers: String = super::headers(platform.server).map(|header| format!("    header \"{}\"\n", file_name(header))).collect();
    format!("module {MODULE} {{\n{headers}{frameworks}    export *\n}}\n")
}

fn info(slices: &[&Slice]) -> Value {
    let libraries = slices.iter().map(|slice| {
        let (platform, variant) = slice.platform.plist;
        let processors = slice.targets.iter().map(|target| Value::from(target.processor)).collect();
        let mut entries = vec![
            ("BinaryPath", Value::from(LIBRARY)),
            ("HeadersPath", Value::from("Headers")),
            ("LibraryIdentifier", Value::from(slice.identifier)),
            ("LibraryPath", Value::from(LIBRARY)),
            ("SupportedArchitectures", Value::Array(processors)),
            ("SupportedPlatform", Value::from(platform)),
        ];
        entries.extend(variant.map(|variant| ("SupportedPlatformVariant", Value::from(variant))));
        dictionary(entries)
    });
    dictionary([
        ("AvailableLibraries", Value::Array(libraries.collect())),
        ("CFBundlePackageType", Value::from("XFWK")),
        ("XCFrameworkFormatVersion", Value::from("1.0")),
    ])
}

fn dictionary(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Dictionary(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Dictionary>())
}

#[cfg(test)]
mod tests {
    use super::super::slices::SLICES;
    use super::*;

    #[test]
    fn the_property_list_names_each_slice() {
        let mut text = Vec::new();
        info(&SLICES.iter().collect::<Vec<_>>()).to_writer_xml(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let entry = "\t\t<dict>\n\t\t\t<key>BinaryPath</key>\n\t\t\t<string>libvitalwire_uniffi.a</string>\n\t\t\t<key>HeadersPath</key>\n\
                     \t\t\t<string>Headers</string>\n\t\t\t<key>LibraryIdentifier</key>\n\t\t\t<string>ios-arm64_x86_64-simulator</string>\n\
                     \t\t\t<key>LibraryPath</key>\n\t\t\t<string>libvitalwire_uniffi.a</string>\n\t\t\t<key>SupportedArchitectures</key>\n\
                     \t\t\t<array>\n\t\t\t\t<string>arm64</string>\n\t\t\t\t<string>x86_64</string>\n\t\t\t</array>\n\
                     \t\t\t<key>SupportedPlatform</key>\n\t\t\t<string>ios</string>\n\
                     \t\t\t<key>SupportedPlatformVariant</key>\n\t\t\t<string>simulator</string>\n\t\t</dict>\n";
        assert!(text.contains(entry), "{text}");
        assert_eq!(text.matches("<key>LibraryIdentifier</key>").count(), SLICES.len());
        assert_eq!(text.matches("<key>SupportedPlatformVariant</key>").count(), 1);
    }

    #[test]
    fn a_module_map_names_its_systems_frameworks() {
        let [device, .., macos] = &SLICES;
        let expected = "module CVitalwireFFI {\n    header \"CVitalwireFFI.h\"\n    link framework \"CoreFoundation\"\n\
                        \x20   link framework \"Security\"\n    export *\n}\n";
        assert_eq!(module_map(device.platform), expected);
        let macos = module_map(macos.platform);
        assert!(macos.contains("    header \"CVitalwireServerFFI.h\"\n") && macos.contains("    link framework \"SystemConfiguration\"\n"));
    }
}
