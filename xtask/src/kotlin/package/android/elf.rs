//! Parser for Android's shared libraries: the properties that the loader reads.

use std::collections::BTreeSet;

use anyhow::Context as _;
use object::Endianness;
use object::elf::{
    DF_TEXTREL, DT_FLAGS, DT_NEEDED, DT_SONAME, DT_TEXTREL, FileHeader32, FileHeader64, Machine, PF_X, PT_GNU_STACK, PT_LOAD, SHT_DYNSYM,
};
use object::read::elf::{Dyn as _, FileHeader, ProgramHeader as _, Sym as _};

/// The fifth byte of a file for 64-bit processors.
const CLASS_64: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Library {
    pub(super) machine: Machine,
    /// The name that loaders use (`DT_SONAME`).
    pub(super) name: String,
    /// Other libraries that loaders load with this one.
    pub(super) needed: BTreeSet<String>,
    /// Minimum alignment of the segments. The system's page size must not be larger.
    pub(super) alignment: u64,
    /// Whether the library has text relocations, which Android rejects.
    pub(super) text_relocations: bool,
    pub(super) executable_stack: bool,
    pub(super) sections: BTreeSet<String>,
    /// Exported names.
    pub(super) defined: BTreeSet<String>,
}

/// Parses a shared library.
///
/// # Errors
/// If the file is not an ELF library.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Library> {
    if bytes.get(4) == Some(&CLASS_64) { parse::<FileHeader64<Endianness>>(bytes) } else { parse::<FileHeader32<Endianness>>(bytes) }
}

fn parse<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> anyhow::Result<Library> {
    let header = Elf::parse(bytes).context("the file is not an ELF library")?;
    let endian = header.endian()?;
    let (mut alignment, mut executable_stack) = (u64::MAX, false);
    for segment in header.program_headers(endian, bytes)? {
        if segment.p_type(endian) == PT_LOAD {
            alignment = alignment.min(segment.p_align(endian).into());
        }
        executable_stack |= segment.p_type(endian) == PT_GNU_STACK && segment.p_flags(endian).0 & PF_X.0 != 0;
    }
    let table = header.sections(endian, bytes)?;
    let mut sections = BTreeSet::new();
    for section in table.iter() {
        sections.insert(text(table.section_name(endian, section)?));
    }
    let dynamic = table.dynamic_table(endian, bytes)?;
    let (mut name, mut needed, mut text_relocations) = (String::new(), BTreeSet::new(), false);
    for entry in dynamic.dynamics() {
        let (tag, value) = (entry.tag(endian), entry.val(endian));
        match tag {
            DT_NEEDED => drop(needed.insert(text(entry.string(endian, *dynamic.strings())?))),
            DT_SONAME => name = text(entry.string(endian, *dynamic.strings())?),
            DT_TEXTREL => text_relocations = true,
            DT_FLAGS => text_relocations |= value & DF_TEXTREL.0 != 0,
            _ => {}
        }
    }
    let symbols = table.symbols(endian, bytes, SHT_DYNSYM)?;
    let mut defined = BTreeSet::new();
    for symbol in symbols.iter().skip(1).filter(|symbol| !symbol.is_undefined(endian)) {
        defined.insert(text(symbols.symbol_name(endian, symbol)?));
    }
    Ok(Library { machine: header.e_machine(endian), name, needed, alignment, text_relocations, executable_stack, sections, defined })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a library linked by this system's linker.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_library_of_this_system_is_read() {
        use std::process::Command;

        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("a.c"),
            "int shown(void) { return 1; }\nstatic int hidden(void) { return 2; }\nint (*kept)(void) = hidden;\n",
        )
        .unwrap();
        let made = |options: &[&str]| {
            let status = Command::new("cc")
                .current_dir(&folder)
                .args(["-shared", "-fPIC", "-Wl,-soname,liba.so", "-o", "a.so", "a.c"])
                .args(options)
                .status();
            assert!(status.unwrap().success());
            read(&std::fs::read(folder.path().join("a.so")).unwrap()).unwrap()
        };
        let library = made(&["-Wl,-z,max-page-size=16384", "-Wl,--no-as-needed", "-lm"]);
        assert_eq!((library.machine, library.name.as_str(), library.alignment), (object::elf::EM_X86_64, "liba.so", 16_384));
        assert!(library.defined.contains("shown") && library.defined.contains("kept") && !library.defined.contains("hidden"));
        assert!(library.needed.iter().any(|name| name.starts_with("libm.so")), "{:?}", library.needed);
        assert!(library.sections.contains(".symtab") && !library.text_relocations && !library.executable_stack);
        let other = made(&["-Wl,-z,max-page-size=4096", "-Wl,-z,execstack", "-Wl,-s"]);
        assert!(other.alignment == 4_096 && other.executable_stack && !other.sections.contains(".symtab"));
    }

    #[test]
    fn other_files_are_an_error() {
        assert!(read(b"").is_err());
        assert!(read(b"\x7fELF\x02\x01 and no more").is_err());
    }
}
