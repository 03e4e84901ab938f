//! Compares the tag of a wheel with the native code in it.

use object::{Architecture, BinaryFormat, Object as _};

/// Returns a line for each file of native code that is for another system or processor than the tag in the wheel's name.
pub(super) fn problems(wheel: &str, native: &[(&str, &[u8])]) -> Vec<String> {
    if native.is_empty() {
        return vec!["it must contain native code; build it with maturin".to_owned()];
    }
    let problem = |(file, bytes): &(&str, &[u8])| match platform(bytes) {
        None => Some(format!("{file} must be native code for Linux, macOS or Windows on x86-64 or arm64; build it again")),
        Some((system, processor)) if !wheel.contains(system) || !wheel.contains(processor) => {
            Some(format!("its tag must name {system} and {processor}, the platform of {file}; build it again"))
        }
        Some(_) => None,
    };
    native.iter().filter_map(problem).collect()
}

/// Returns the system and the processor of native code, as tags name them.
fn platform(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let code = object::File::parse(bytes).ok()?;
    Some(match (code.format(), code.architecture()) {
        (BinaryFormat::Elf, Architecture::X86_64) => ("linux", "x86_64"),
        (BinaryFormat::Elf, Architecture::Aarch64) => ("linux", "aarch64"),
        (BinaryFormat::MachO, Architecture::X86_64) => ("macosx", "x86_64"),
        (BinaryFormat::MachO, Architecture::Aarch64) => ("macosx", "arm64"),
        (BinaryFormat::Pe, Architecture::X86_64) => ("win", "amd64"),
        (BinaryFormat::Pe, Architecture::Aarch64) => ("win", "arm64"),
        _ => return None,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the start of a file with native code.
    pub(in crate::release) fn code(format: BinaryFormat, processor: Architecture) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        let is_arm = processor == Architecture::Aarch64;
        let parts: &[(usize, &[u8])] = match format {
            // e_machine, and a header of 64 bytes.
            BinaryFormat::Elf => &[(0, b"\x7fELF\x02\x01\x01"), (16, &[3, 0, if is_arm { 183 } else { 62 }, 0, 1]), (52, &[64, 0])],
            BinaryFormat::MachO => {
                &[(0, b"\xcf\xfa\xed\xfe"), (4, &[if is_arm { 12 } else { 7 }, 0, 0, 1, if is_arm { 0 } else { 3 }, 0, 0, 0, 6])]
            }
            // The header is at 64. The optional header has 240 bytes with the magic 0x20b.
            _ => &[
                (0, b"MZ\x90\0"),
                (60, &[64]),
                (64, b"PE\0\0"),
                (68, &[0x64, if is_arm { 0xaa } else { 0x86 }]),
                (84, &[240, 0, 0, 32, 11, 2]),
            ],
        };
        parts.iter().for_each(|(at, part)| bytes[*at..at + part.len()].copy_from_slice(part));
        bytes
    }

    #[test]
    fn a_tag_names_the_system_and_the_processor_of_the_code() {
        use Architecture::{Aarch64, X86_64};
        use BinaryFormat::{Elf, MachO, Pe};
        let wheels = [
            ("a-1.2.3-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl", Elf, X86_64, "linux and x86_64"),
            ("a-1.2.3-cp314-cp314t-musllinux_1_2_aarch64.whl", Elf, Aarch64, "linux and aarch64"),
            ("a-1.2.3-cp310-abi3-macosx_10_12_x86_64.whl", MachO, X86_64, "macosx and x86_64"),
            ("a-1.2.3-cp310-abi3-macosx_11_0_arm64.whl", MachO, Aarch64, "macosx and arm64"),
            ("a-1.2.3-py3-none-win_amd64.whl", Pe, X86_64, "win and amd64"),
            ("a-1.2.3-py3-none-win_arm64.whl", Pe, Aarch64, "win and arm64"),
        ];
        for (wheel, ..) in wheels {
            for (fits, format, processor, expected) in wheels {
                let found = problems(wheel, &[("a/b.so", &code(format, processor))]);
                let problem = format!("its tag must name {expected}, the platform of a/b.so; build it again");
                assert_eq!(found, if wheel == fits { Vec::new() } else { vec![problem] }, "{wheel}");
            }
        }
        let damaged = problems("a-1.2.3-cp310-abi3-manylinux_2_17_x86_64.whl", &[("a/b.so", b"\x7fELF")]);
        assert_eq!(damaged, ["a/b.so must be native code for Linux, macOS or Windows on x86-64 or arm64; build it again"]);
    }
}
