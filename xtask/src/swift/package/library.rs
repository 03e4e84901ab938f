//! The library of a slice: cargo's output without unnecessary parts, and without names that could conflict with another library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::checks::{self, Requirements};
use super::macho::{self, Version};
use super::slices::{Slice, Target};
use super::symbol_lists;
use super::toolchain::{LIBRARY, Toolchain};
use crate::process::execute;
use crate::swift::layout::PRIVACY;
use crate::uniffi::check_phone_library;

/// Prefix of our names that no application calls.
pub(super) const PREFIX: &str = "_vitalwire_own_";

/// Prefix of another library's names, in the test of two libraries in one application.
const OTHER_PREFIX: &str = "_stranger_";

/// Sections that linkers ignore: LLVM's bitcode and command line, which older tools cannot read.
const BITCODE: [&str; 2] = ["__LLVM,__bitcode", "__LLVM,__cmdline"];

/// A library for release.
pub(crate) struct Library {
    pub(super) slice: &'static Slice,
    /// The file for all processors.
    pub(super) file: PathBuf,
    pub(crate) sizes: Sizes,
}

/// Sizes of the library for the largest processor, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Size of the library.
    pub(crate) shipped: u64,
    /// Bytes added to an application.
    pub(crate) linked: u64,
}

/// Inputs of a library build.
pub(super) struct LibraryBuilder<'a> {
    pub(super) root: &'a Path,
    /// A folder for intermediate files.
    pub(super) folder: &'a Path,
    pub(super) toolchain: &'a Toolchain,
    /// Functions that Swift calls, by their linker names.
    pub(super) exported: &'a BTreeSet<String>,
}

impl LibraryBuilder<'_> {
    /// Builds and checks a slice.
    ///
    /// # Errors
    /// If the build fails, or with a line for each failed check.
    pub(super) fn build(&self, slice: &'static Slice, oldest: Version) -> anyhow::Result<Library> {
        let (mut files, mut sizes) = (Vec::new(), Sizes::default());
        for target in slice.targets {
            let folder = self.folder.join(target.triple);
            fs::create_dir_all(&folder)?;
            crate::print_line(&format!("{}: {}", slice.identifier, target.triple));
            let (file, of_target) = self.build_target(slice, target, oldest, &folder).with_context(|| target.triple.to_owned())?;
            sizes = Sizes { shipped: sizes.shipped.max(of_target.shipped), linked: sizes.linked.max(of_target.linked) };
            files.push(file);
        }
        let joined = self.folder.join(slice.identifier);
        fs::create_dir_all(&joined)?;
        let file = joined.join(LIBRARY);
        if let [only] = &files[..] {
            fs::copy(only, &file)?;
        } else {
            self.toolchain.join(&files, &file)?;
        }
        Ok(Library { slice, file, sizes })
    }

    fn build_target(&self, slice: &Slice, target: &Target, oldest: Version, folder: &Path) -> anyhow::Result<(PathBuf, Sizes)> {
        let built = self.toolchain.build(slice.platform, target, oldest)?;
        let file = folder.join(LIBRARY);
        self.strip_and_rename(&built, PREFIX, &file, folder)?;

        let bytes = fs::read(&file)?;
        if !slice.platform.server {
            check_phone_library(&bytes)?;
        }
        let members = macho::members(&bytes)?;
        let declared = fs::read_to_string(self.root.join(PRIVACY)).with_context(|| format!("reading {PRIVACY}"))?;
        let expected = Requirements {
            platform: slice.platform.number,
            oldest,
            exported: self.exported,
            prefix: PREFIX,
            frameworks: slice.platform.frameworks,
            known: &symbol_lists::frameworks(self.root)?,
            privacy: &declared,
        };
        let mut findings = checks::check_members(&members, &expected);
        findings.extend(checks::check_generators(&bytes));

        let exports = folder.join("exports.txt");
        fs::write(&exports, lines(self.exported))?;
        let image = folder.join("linked.dylib");
        let linked_for = (slice.platform, target, oldest);
        self.toolchain.link(linked_for, &[&file], &exports, &image).context("linking the library")?;
        let sizes = Sizes { shipped: fs::metadata(&file)?.len(), linked: fs::metadata(&image)?.len() };
        findings.extend(checks::check_size(sizes.linked));

        // Link an application with this library and another one of the same compiler that keeps its names.
        let other = folder.join("libstranger.a");
        self.rename(&built, self.exported.iter(), OTHER_PREFIX, &other, folder)?;
        let both = folder.join("both.dylib");
        self.toolchain.link(linked_for, &[&file, &other], &exports, &both).context("linking it with another Rust library")?;

        anyhow::ensure!(findings.is_empty(), "the library must not be released:\n  {}", findings.join("\n  "));
        Ok((file, sizes))
    }

    /// Removes bitcode and debug information, and adds a unique prefix to names that Swift does not call.
    fn strip_and_rename(&self, built: &Path, prefix: &str, out: &Path, folder: &Path) -> anyhow::Result<()> {
        let members = macho::members(&fs::read(built)?)?;
        let own = members.iter().flat_map(|member| &member.defined).filter(|name| !self.exported.contains(*name));
        self.rename(built, own, prefix, out, folder)?;
        // Use only -S: linkers do not accept an archive after -x.
        execute(self.toolchain.llvm("strip").args(["-S", "-D"]).arg(out)).map(drop)
    }

    /// Copies a library without bitcode and adds a prefix to these names.
    fn rename<'n>(
        &self,
        from: &Path,
        names: impl Iterator<Item = &'n String>,
        prefix: &str,
        out: &Path,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let list = folder.join("names.txt");
        let names: BTreeSet<String> = names.map(|name| format!("{name} {prefix}{}", name.trim_start_matches('_'))).collect();
        fs::write(&list, lines(&names))?;
        let mut copy = self.toolchain.llvm("objcopy");
        copy.args(BITCODE.map(|section| format!("--remove-section={section}")));
        execute(copy.arg(format!("--redefine-syms={}", list.display())).arg(from).arg(out)).map(drop)
    }
}

fn lines(names: &BTreeSet<String>) -> String {
    names.iter().map(|name| format!("{name}\n")).collect()
}
