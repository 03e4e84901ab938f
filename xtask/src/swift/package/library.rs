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

/// Name of the library with line tables.
const WITH_LINES: &str = "with-lines.a";

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
    /// The same file with line tables.
    pub(super) debug: PathBuf,
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
        let (mut folders, mut sizes) = (Vec::new(), Sizes::default());
        for target in slice.targets {
            let folder = self.folder.join(target.triple);
            fs::create_dir_all(&folder)?;
            crate::print_line(&format!("{}: {}", slice.identifier, target.triple));
            let of_target = self.build_target(slice, target, oldest, &folder).with_context(|| target.triple.to_owned())?;
            sizes = Sizes { shipped: sizes.shipped.max(of_target.shipped), linked: sizes.linked.max(of_target.linked) };
            folders.push(folder);
        }
        let joined = self.folder.join(slice.identifier);
        fs::create_dir_all(&joined)?;
        let join = |name: &str| -> anyhow::Result<PathBuf> {
            let (parts, whole) = (folders.iter().map(|folder| folder.join(name)).collect::<Vec<_>>(), joined.join(name));
            if let [only] = &parts[..] {
                fs::copy(only, &whole)?;
            } else {
                self.toolchain.join(&parts, &whole)?;
            }
            Ok(whole)
        };
        Ok(Library { slice, file: join(LIBRARY)?, debug: join(WITH_LINES)?, sizes })
    }

    /// Writes the library for one processor below `folder`, with and without line tables, and checks it.
    fn build_target(&self, slice: &Slice, target: &Target, oldest: Version, folder: &Path) -> anyhow::Result<Sizes> {
        let built = self.toolchain.build(slice.platform, target, oldest)?;
        let (file, debug) = (folder.join(LIBRARY), folder.join(WITH_LINES));
        self.rename_own(&built, &debug, folder)?;
        fs::copy(&debug, &file)?;
        // Use only -S: linkers do not accept an archive after -x.
        execute(self.toolchain.llvm("strip").args(["-S", "-D"]).arg(&file))?;

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
        let stripped = fs::read(&image)?;
        let sizes = Sizes { shipped: fs::metadata(&file)?.len(), linked: stripped.len() as u64 };
        findings.extend(checks::check_size(sizes.linked));
        // To the same path, because the image contains it: a longer path can move the code, and its addresses differ.
        self.toolchain.link(linked_for, &[&debug], &exports, &image).context("linking the library with line tables")?;
        findings.extend(checks::check_code(&stripped, &fs::read(&image)?)?);

        // Link an application with this library and another one of the same compiler that keeps its names.
        let other = folder.join("libstranger.a");
        self.rename(&built, self.exported.iter(), OTHER_PREFIX, &other, folder)?;
        let both = folder.join("both.dylib");
        self.toolchain.link(linked_for, &[&file, &other], &exports, &both).context("linking it with another Rust library")?;

        anyhow::ensure!(findings.is_empty(), "the library must not be released:\n  {}", findings.join("\n  "));
        Ok(sizes)
    }

    /// Removes bitcode, and adds a unique prefix to names that Swift does not call.
    fn rename_own(&self, built: &Path, out: &Path, folder: &Path) -> anyhow::Result<()> {
        let members = macho::members(&fs::read(built)?)?;
        let own = members.iter().flat_map(|member| &member.defined).filter(|name| !self.exported.contains(*name));
        self.rename(built, own, PREFIX, out, folder)
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
