//! The package's files, in the layout of `/usr/local`. Every path in them is relative, so the folder can be moved.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::library::{FOLDER, FileNames, Libraries, file_names};
use crate::folder::{self, files};
use crate::native::System;
use crate::notices::{BILL, bill_of_materials};

/// Templates that are filled in for this build, and their paths.
const TEMPLATES: [(&str, &str); 4] = [
    ("lib/pkgconfig/vitalwire.pc", include_str!("files/vitalwire.pc")),
    ("lib/pkgconfig/vitalwire-static.pc", include_str!("files/vitalwire-static.pc")),
    ("lib/cmake/Vitalwire/VitalwireConfig.cmake", include_str!("files/VitalwireConfig.cmake")),
    ("lib/cmake/Vitalwire/VitalwireConfigVersion.cmake", include_str!("files/VitalwireConfigVersion.cmake")),
];

/// Folders in the workspace, and their paths in the package.
const FOLDERS: [(&str, &str); 2] = [("include", "include"), ("examples", "share/doc/vitalwire/examples")];

/// Documents in the workspace to copy.
const DOCUMENTS: [&str; 5] = ["README.md", "CONVENTIONS.md", "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt"];
const DOCUMENTATION: &str = "share/doc/vitalwire";

/// Writes the files below `out`, replacing an earlier folder of the same name. Returns the folder.
///
/// # Errors
/// If a file cannot be written, or a template has an unknown name.
pub(super) fn write(root: &Path, libraries: &Libraries, system: System, version: &str, out: &Path) -> anyhow::Result<PathBuf> {
    let folder = out.join(format!("vitalwire-c-{version}-{}", system.triple()?));
    folder::remove(&folder)?;
    let names = file_names(system, version);
    let place = |path: &str| -> anyhow::Result<PathBuf> {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap_or(&folder))?;
        Ok(place)
    };
    let copy = |from: &Path, to: &str| -> anyhow::Result<()> {
        fs::copy(from, place(to)?).with_context(|| format!("copying {}", from.display())).map(drop)
    };
    copy(&libraries.archive, &format!("lib/{}", names.archive))?;
    copy(&libraries.shared, &shared_library_path(&names))?;
    if let (Some(import), Some(name)) = (&libraries.import, names.import) {
        copy(import, &format!("lib/{name}"))?;
    }
    #[cfg(unix)]
    if let Some(link) = names.link {
        std::os::unix::fs::symlink(&names.shared, place(&format!("lib/{link}"))?)?;
    }
    let clone = root.join(FOLDER);
    for (from, to) in FOLDERS {
        for file in files(&clone.join(from))? {
            copy(&file, &format!("{to}/{}", file.strip_prefix(clone.join(from))?.display()))?;
        }
    }
    for file in DOCUMENTS {
        copy(&clone.join(file), &format!("{DOCUMENTATION}/{file}"))?;
    }
    fs::write(place(&format!("{DOCUMENTATION}/{BILL}"))?, bill_of_materials(root, super::PACKAGE)?)?;
    for (path, template) in TEMPLATES {
        fs::write(place(path)?, fill_template(template, &libraries.native, &names, version)?)?;
    }
    Ok(folder)
}

/// Returns the path of the shared library. On Windows, the library is in the folder of programs.
fn shared_library_path(names: &FileNames) -> String {
    format!("{}/{}", if names.import.is_some() { "bin" } else { "lib" }, names.shared)
}

fn fill_template(template: &str, native: &str, names: &FileNames, version: &str) -> anyhow::Result<String> {
    // Keep a framework's name with the option before it.
    let list = native.replace("-framework ", "-framework\u{0}").split_whitespace().collect::<Vec<_>>().join(";").replace('\u{0}', " ");
    let location = format!("  IMPORTED_LOCATION \"${{vitalwire_prefix}}/{}\"", shared_library_path(names));
    let properties = match names.import {
        Some(import) => format!("{location}\n  IMPORTED_IMPLIB \"${{vitalwire_prefix}}/lib/{import}\""),
        None if cfg!(target_os = "macos") => format!("{location}\n  IMPORTED_SONAME \"@rpath/{}\"", names.shared),
        None => format!("{location}\n  IMPORTED_SONAME \"{}\"", names.shared),
    };
    let pointer = size_of::<usize>().to_string();
    let values = [
        ("VERSION", version),
        ("NATIVE", native),
        ("NATIVE_LIST", &list),
        ("STATIC", names.archive),
        ("SHARED_PROPERTIES", &properties),
        ("POINTER", &pointer),
    ];
    // Placeholders are `@NAME@`. Values are not expanded again.
    let mut parts = template.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
        let (_, value) =
            values.iter().find(|(known, _)| *known == name).with_context(|| format!("unknown placeholder {name} in a template"))?;
        text.push_str(value);
        text.push_str(rest);
    }
    ensure!(template.split('@').count() % 2 == 1, "each @ in a template must have a closing @");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_templates_are_replaced() {
        let names = FileNames { archive: "libvitalwire.a", shared: "libvitalwire.so.1.2.3".to_owned(), link: None, import: None };
        let native = "-framework Security -lc";
        for (path, template) in TEMPLATES {
            let text = fill_template(template, native, &names, "1.2.3").unwrap();
            assert!(text.contains("1.2.3") && text.ends_with('\n'), "{path}");
        }
        let config = fill_template(TEMPLATES[2].1, native, &names, "1.2.3").unwrap();
        assert!(config.contains("INTERFACE_LINK_LIBRARIES \"-framework Security;-lc\""), "{config}");
        assert!(fill_template("@NAME@", native, &names, "").is_err());
        assert!(fill_template("@", native, &names, "").is_err());
    }
}
