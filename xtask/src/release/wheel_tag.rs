//! Compares the tag of a wheel with the native code in it.

use object::{Architecture, BinaryFormat, Object as _};

/// Returns a line for each file that is for another system or processor than the tag in the wheel's name.
pub(super) fn problems(wheel: &str, content: &[(String, Vec<u8>)]) -> Vec<String> {
    let platforms = content.iter().filter_map(|(file, bytes)| Some((file, platform(bytes)?)));
    let other = platforms.filter(|(_, (system, processor))| !wheel.contains(system) || !wheel.contains(processor));
    other.map(|(file, (system, processor))| format!("its tag must name {system} and {processor}, as {file} does; build it again")).collect()
}

/// Returns the system and the processor of native code, as tags name them.
fn platform(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let code = object::File::parse(bytes).ok()?;
    Some(match (code.format(), code.architecture()) {
        (BinaryFormat::Elf, Architecture::X86_64) => ("linux", "_x86_64"),
        (BinaryFormat::Elf, Architecture::Aarch64) => ("linux", "_aarch64"),
        (BinaryFormat::MachO, Architecture::X86_64) => ("macosx", "_x86_64"),
        (BinaryFormat::MachO, Architecture::Aarch64) => ("macosx", "_arm64"),
        (BinaryFormat::Pe, Architecture::X86_64) => ("win", "_amd64"),
        (BinaryFormat::Pe, Architecture::Aarch64) => ("win", "_arm64"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the start of a file with native code: ELF, Mach-O or Windows, each for x86-64.
    fn code(format: BinaryFormat) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        let parts: &[(usize, &[u8])] = match format {
            // e_machine is 62, and the header has 64 bytes.
            BinaryFormat::Elf => &[(0, b"\x7fELF\x02\x01\x01"), (16, &[3, 0, 62, 0, 1]), (52, &[64, 0])],
            // The processor is 0x0100_0007.
            BinaryFormat::MachO => &[(0, &[0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 6])],
            // The header is at 64, the machine is 0x8664, and the optional header has 240 bytes with the magic 0x20b.
            _ => &[(0, b"MZ"), (60, &[64]), (64, b"PE\0\0\x64\x86"), (84, &[240, 0, 0, 32, 11, 2])],
        };
        parts.iter().for_each(|(at, part)| bytes[*at..at + part.len()].copy_from_slice(part));
        bytes
    }

    #[test]
    fn a_tag_names_the_system_and_the_processor_of_the_code() {
        let wheels = [
            ("a-1.2.3-cp310-abi3-manylinux_2_17_x86_64.whl", BinaryFormat::Elf, "linux and _x86_64"),
            ("a-1.2.3-cp310-abi3-macosx_11_0_x86_64.whl", BinaryFormat::MachO, "macosx and _x86_64"),
            ("a-1.2.3-cp310-abi3-win_amd64.whl", BinaryFormat::Pe, "win and _amd64"),
        ];
        for (wheel, _, _) in wheels {
            for (fits, format, expected) in wheels {
                let found = problems(wheel, &[("a/b.so".to_owned(), code(format)), ("a/c.py".to_owned(), b"import a".to_vec())]);
                let problem = format!("its tag must name {expected}, as a/b.so does; build it again");
                assert_eq!(found, if wheel == fits { Vec::new() } else { vec![problem] }, "{wheel}");
            }
        }
        assert_eq!(problems("a-1.2.3-cp310-abi3-musllinux_1_2_aarch64.whl", &[("b".to_owned(), code(BinaryFormat::Elf))]).len(), 1);
    }
}
